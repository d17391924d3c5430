"""Entries, the tree and its visible rows: pure, without I/O."""
