"""The command line: one module per command, text or JSON on standard output."""
