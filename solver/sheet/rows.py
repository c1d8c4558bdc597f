"""What the rows of a sheet are worth: points for a throw of five dice."""

from collections.abc import Iterator
from typing import NamedTuple

from solver.dice import Multiset
from solver.sheet.rules import SheetGameRules, is_school
from solver.sheet.sections import FACE_ROWS, RowRules


class Worth(NamedTuple):
    """Points of a row for one throw, written after a later throw or after the first."""

    later: int
    first: int


def row_worth(rules: SheetGameRules, row: RowRules, throw: Multiset, *, joker: bool = False) -> Worth:
    """What a row brings; a ``joker`` counts as any full house or straight."""
    if is_school(row):
        face = FACE_ROWS[row.combination]
        count = throw[face - 1]
        points = rules.school.per_face[count] * face + rules.school.flat[count]
        return Worth(points, points)
    dice = combination_dice(row, throw)
    if joker and row.combination in ("full house", "straight"):
        dice = throw
    if dice is None:
        return Worth(0, 0)
    total = pips(throw if row.adds != "its dice" else dice)
    added = {"its dice": total, "all dice": total, "no dice": 0, "minus all dice": -total}[row.adds]
    first = added if row.first_throw == "once" else 2 * added
    premium = row.premium * (2 if row.first_throw == "all twice" else 1)
    if row.larger:
        return Worth(max(added, row.premium), max(first, premium))
    return Worth(added + row.premium, first + premium)


def pips(dice: Multiset) -> int:
    """The sum of the faces shown."""
    return sum(face * count for face, count in enumerate(dice, 1))


def combination_dice(row: RowRules, throw: Multiset) -> Multiset | None:
    """The dice of the best combination of the row's kind that a throw contains; None if there is none."""
    found = list(_combinations(row, throw))
    return max(found, key=pips) if found else None


def _combinations(row: RowRules, throw: Multiset) -> Iterator[Multiset]:
    equal = {"pair": 2, "three": 3, "four": 4, "five": 5}
    faces = range(len(throw))
    if row.combination in equal:
        count = equal[row.combination]
        yield from (_dice({face: count}) for face in faces if throw[face] >= count)
    elif row.combination in ("two pairs", "full house"):
        many = 2 if row.combination == "two pairs" else 3
        for face in faces:
            if row.alike and throw[face] >= many + 2:
                yield _dice({face: many + 2})
            if throw[face] >= many:
                yield from (_dice({face: many, other: 2}) for other in faces if other != face and throw[other] >= 2)
    elif row.combination == "straight":
        for run in row.runs:
            inside = range(int(run[0]) - 1, int(run[2]))
            if all(throw[face] for face in inside):
                yield _dice(dict.fromkeys(inside, 1))
    elif row.combination in ("even", "odd"):
        rest = 1 if row.combination == "even" else 0
        fitting = {face: throw[face] for face in faces if face % 2 == rest}
        if row.loose or sum(fitting.values()) == sum(throw):
            yield _dice(fitting)
    else:
        yield throw


def _dice(counts: dict[int, int]) -> Multiset:
    return tuple(counts.get(face, 0) for face in range(6))
