"""The built page in a real Chromium, from a file, with the network refused."""
