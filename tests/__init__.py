"""Tests of the generator, of the page that it writes, and of the commands that make both."""
