"""Two-player Pig with the value iteration of OpenSpiel, which must be in the environment of the interpreter.

    python open_spiel_pig.py GOAL

Prints what came out as JSON. OpenSpiel counts a win as 1 and a loss as -1.
"""

import json
import sys
import time

import pyspiel
from open_spiel.python.algorithms import value_iteration

THRESHOLD = 1e-9

if __name__ == "__main__":
    began = time.process_time()
    game = pyspiel.load_game("pig", {"players": 2, "winscore": int(sys.argv[1]), "horizon": 1_000_000})
    values = value_iteration.value_iteration(game, -1, THRESHOLD, cyclic_game=True)
    taken = time.process_time() - began
    value = (1.0 + values[str(game.new_initial_state())]) / 2.0
    print(json.dumps({"value": value, "seconds": taken, "states": len(values)}))
