"""The study of sheets: what human rules are worth, reviews of games, cards, pictures."""
