"""Widgets: they draw and post messages; the screens own the state."""
