"""Score sheets: dice poker, Yahtzee and their relatives."""
