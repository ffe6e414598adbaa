"""Compares the built page with Altair's own file of the same chart, and with a page written by hand."""
