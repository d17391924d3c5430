"""The sample session that `pitree demo` opens; made by `python -m tests.make_demo`."""
