"""`python -m builder`, the same as the console command `builder`."""

from builder.cli import main

main()
