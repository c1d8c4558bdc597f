"""The study of small games: they are played with dice, as a check of their exact values."""
