"""The documentation, and what writes it."""
