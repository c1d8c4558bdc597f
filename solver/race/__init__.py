"""Race games: press-your-luck turns on the way to a target (Thousand, Farkle, Pig and their kin)."""
