"""The study of play: what human rules are worth, and reviews of games that were played."""
