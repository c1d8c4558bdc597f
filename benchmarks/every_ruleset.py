"""Every shipped ruleset solved alone and for two players: the tables of ``docs/values.md``.

    python benchmarks/every_ruleset.py [--players 1|2] [--most-states N] [RULESET ...]

Prints a line for each as soon as it is solved. Games with more player states than N are named and left out.
"""

import argparse
import time

from solver.errors import SolverError
from solver.families import load_rules
from solver.race.model import compile_race
from solver.race.player import starting
from solver.race.solve import solve
from solver.ruleset import shipped_names


def line(name: str, players: int, most_states: int) -> str:
    rules = load_rules(name)
    objective = "turns" if players == 1 else "stake" if rules.stakes else "win"
    began = time.perf_counter()
    model = compile_race(rules, players)
    compiled = time.perf_counter() - began
    states = len(model.states)
    if states > most_states:
        return f"| `{name}` | {states} | not solved | | | |"
    try:
        solution = solve(model, objective)
    except SolverError as error:
        return f"| `{name}` | {states} | {error} | | | |"
    seats = starting(rules, players)
    row, other = model.numbers[seats[0]], model.numbers[seats[-1]]
    value = solution.values[row, other] if players == 2 else solution.values[row]
    return (
        f"| `{name}` | {states} | {value:.10f} | {solution.bound:.1e} | {solution.rounds} | "
        f"{compiled:.1f} + {solution.seconds:.1f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--players", type=int, choices=(1, 2), default=2)
    parser.add_argument("--most-states", type=int, default=2000)
    options = parser.parse_args()
    print("| ruleset | player states | start | bound | rounds | seconds (compile + solve) |")
    print("|---|---|---|---|---|---|")
    for name in options.rulesets or [name for name in shipped_names() if load_rules(name).family == "race"]:
        if load_rules(name).match.most_players >= options.players:
            print(line(name, options.players, options.most_states), flush=True)


if __name__ == "__main__":
    main()
