"""Screens: each owns the state that its widgets draw."""
