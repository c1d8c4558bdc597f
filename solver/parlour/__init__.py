"""The small games: each is a page of exact fractions, a small Markov chain, or a game of hidden information."""
