"""Who says what in the sample session, and how it is written down; see `tests.make_demo`."""
