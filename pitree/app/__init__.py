"""The explorer: Textual screens and widgets over the core."""
