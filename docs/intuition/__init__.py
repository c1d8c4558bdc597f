"""Beliefs checked against exact values: ``python -m docs.intuition`` writes ``docs/intuition.md`` anew."""
