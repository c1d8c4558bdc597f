"""What one throw is worth, found by trying everything.

A combination counts only within one throw. Every subset of the thrown dice is tried, and for
each subset every way of splitting it wholly into combinations; a subset is worth its best split.
"""

from collections import Counter
from itertools import combinations
from typing import Any

Rules = dict[str, Any]
Dice = tuple[int, ...]

EQUAL_DICE = {1: "single", 3: "three", 4: "four", 5: "five", 6: "six"}


def holds(throw: Dice, rules: Rules) -> dict[Dice, int]:
    """Return the sets of dice that may be held, each with its points; empty for a bust.

    The keys are sorted tuples of faces. With hold = "all" there is at most one entry.
    """
    subsets = {tuple(sorted(chosen)) for size in range(1, len(throw) + 1) for chosen in combinations(throw, size)}
    scoring: dict[Dice, int] = {}
    for subset in sorted(subsets):
        points = best_split(subset, len(throw), rules["combinations"])
        if points is not None:
            scoring[subset] = points
    if not scoring and len(throw) == rules["dice"]["count"] and "nothing" in rules["combinations"]:
        return {tuple(sorted(throw)): rules["combinations"]["nothing"]}
    if rules["dice"]["hold"] == "any" or not scoring:
        return scoring
    if rules["dice"]["hold"] != "all":
        raise ValueError(f"unknown hold {rules['dice']['hold']!r}")
    # The best-paying reading; at equal points the one with more dice. Should two sets still be
    # level, they leave equally many dice, so it does not matter which one is named.
    best = max(scoring, key=lambda held: (scoring[held], len(held)))
    return {best: scoring[best]}


def best_split(dice: Dice, thrown: int, table: Rules) -> int | None:
    """Return the best total over all splits of all these dice into combinations, or None.

    `thrown` is the number of dice in the throw that the dice come from.
    """
    if not dice:
        return 0
    # The first die belongs to some group: try every group that contains it.
    others = range(1, len(dice))
    totals: list[int] = []
    for size in range(len(dice)):
        for partners in combinations(others, size):
            group = (dice[0], *(dice[i] for i in partners))
            rest = tuple(dice[i] for i in others if i not in partners)
            points = combination_points(group, thrown, table)
            if points is None:
                continue
            remainder = best_split(rest, thrown, table)
            if remainder is not None:
                totals.append(points + remainder)
    return max(totals, default=None)


def combination_points(group: Dice, thrown: int, table: Rules) -> int | None:
    """Return the points of these dice as one single combination (the best), or None."""
    values: list[int] = []
    faces = sorted(group)
    repeats = sorted(Counter(group).values())
    if len(repeats) == 1 and len(group) in EQUAL_DICE:
        points = table.get(EQUAL_DICE[len(group)], {}).get(str(faces[0]))
        if points is not None:
            values.append(points)
    for run, points in table.get("straight", {}).items():
        low, high = run.split("-")
        if faces == list(range(int(low), int(high) + 1)):
            values.append(points)
    if "three_pairs" in table and repeats in pair_patterns(table["three_pairs"]["repeats"]):
        values.append(table["three_pairs"]["points"])
    # Six equal dice are not two triplets.
    if "two_triplets" in table and repeats == [3, 3]:
        values.append(table["two_triplets"]["points"])
    # Exactly two dice were thrown, these two, and they are equal; max() below lets them score
    # more in another way.
    if "doublet" in table and thrown == 2 and repeats == [2]:
        values.append(table["doublet"]["points"])
    return max(values, default=None)


def pair_patterns(repeats: str) -> list[list[int]]:
    """Return the patterns of equal dice (sorted counts) that count as three pairs."""
    if repeats == "never":
        return [[2, 2, 2]]
    if repeats == "four plus two":
        return [[2, 2, 2], [2, 4]]
    if repeats == "any":
        return [[2, 2, 2], [2, 4], [6]]
    raise ValueError(f"unknown three_pairs.repeats {repeats!r}")
