"""pitree: the session trees of the Pi coding agent, as a library."""

__version__ = "0.1.0"
