"""Bytes to entries: index, bodies, cache, list of sessions."""
