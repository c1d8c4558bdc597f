"""Score sheets, slowly and obviously: every way to throw, every set of dice to keep, every total remembered.

Nothing is shared with ``solver.sheet`` but the rules as read from a file. The school is settled when the game ends,
from the exact total, and what a row is worth comes from trying every subset of the dice.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

Dice = tuple[int, ...]
FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")


class Sheet(NamedTuple):
    """All that happened so far and can still matter."""

    written: tuple[int, ...]
    """How often each row is written."""
    school: int
    made: bool
    saved: int
    total: int = 0
    """Points so far; kept at 0 where only the points to come are asked for."""


@cache
def subsets(dice: Dice) -> tuple[Dice, ...]:
    return tuple({kept for count in range(len(dice) + 1) for kept in combinations(dice, count)})


@cache
def throws(count: int) -> tuple[tuple[Dice, float], ...]:
    ways = Counter(tuple(sorted(thrown)) for thrown in product(range(1, 7), repeat=count))
    return tuple((thrown, number / 6**count) for thrown, number in ways.items())


@cache
def outcomes(kept: Dice) -> tuple[tuple[Dice, float], ...]:
    return tuple((tuple(sorted(kept + thrown)), chance) for thrown, chance in throws(5 - len(kept)))


def fits(row: Any, part: Dice, dice: Dice) -> bool:
    """Whether some of the dice are exactly the combination of a row."""
    kinds = sorted(Counter(part).values())
    match row.combination:
        case "pair" | "three" | "four" | "five":
            return kinds == [{"pair": 2, "three": 3, "four": 4, "five": 5}[row.combination]]
        case "two pairs":
            return kinds == [2, 2] or (row.alike and kinds == [4])
        case "full house":
            return kinds == [2, 3] or (row.alike and kinds == [5])
        case "straight":
            return any(part == tuple(range(int(run[0]), int(run[2]) + 1)) for run in row.runs)
        case "even" | "odd":
            rest = 0 if row.combination == "even" else 1
            fitting = tuple(die for die in dice if die % 2 == rest)
            return part == fitting and (row.loose or part == dice)
        case _:
            return part == dice


def points(rules: Any, row: Any, dice: Dice, first: bool, joker: bool = False) -> int:
    """What a row brings for some dice."""
    if row.combination in FACES:
        face = FACES.index(row.combination) + 1
        count = dice.count(face)
        return int(rules.school.per_face[count] * face + rules.school.flat[count])
    parts = [part for part in subsets(dice) if fits(row, part, dice)]
    if joker and row.combination in ("full house", "straight"):
        parts = [dice]
    if not parts:
        return 0
    added = {
        "its dice": max(map(sum, parts)),
        "all dice": sum(dice),
        "no dice": 0,
        "minus all dice": -sum(dice),
    }[row.adds]
    premium = row.premium
    if first and row.first_throw != "once":
        added *= 2
    if first and row.first_throw == "all twice":
        premium *= 2
    return int(max(added, premium) if row.larger else added + premium)


class Game:
    """One game by given rules. ``ending`` says what a full sheet is worth; by default the payments of its end."""

    def __init__(self, rules: Any, ending: Callable[[int], float] | None = None) -> None:
        self.rules, self.ending = rules, ending
        self.rows = rules.named_rows()
        self.value = cache(self._value)

    def start(self) -> Sheet:
        return Sheet((0,) * len(self.rows), 0, False, 0)

    def over(self, sheet: Sheet) -> bool:
        if self.rules.sheet.rounds is not None:
            return sum(sheet.written) == self.rules.sheet.rounds
        return all(sheet.written)

    def settle(self, sheet: Sheet) -> float:
        """What is paid when the sheet is full."""
        school, saved = self.rules.school, self.rules.saved_throws
        paid = 0
        if any(row.combination in FACES for _name, row in self.rows):
            paid += school.bonus if sheet.school >= school.threshold else school.below
            if sheet.school < 0:
                paid += (school.negative_times - 1) * sheet.school
        if saved:
            paid += saved.points * sheet.saved
        return float(paid) if self.ending is None else self.ending(sheet.total + paid)

    def _value(self, sheet: Sheet) -> float:
        """The best expectation from a sheet between two turns."""
        if self.over(sheet):
            return self.settle(sheet)
        return self.turn(sheet)[0](())

    def turn(self, sheet: Sheet) -> tuple[Callable[[Dice], float], Callable[[int], dict[Dice, float]]]:
        """The worth of the first throw, and of all keeps after so many throws."""
        most = self.most_throws(sheet)
        worth: dict[int, dict[Dice, float]] = {}
        keeps: dict[int, dict[Dice, float]] = {}
        for made in range(most, 0, -1):
            worth[made] = {}
            for dice, _chance in throws(5):
                best = max(value for _name, value in self.writes(sheet, dice, made))
                if made < most:
                    best = max(best, *(keeps[made][kept] for kept in subsets(dice)))
                worth[made][dice] = best
            keeps[made - 1] = {
                kept: sum(chance * worth[made][dice] for dice, chance in outcomes(kept))
                for kept in {kept for dice, _chance in throws(5) for kept in subsets(dice)}
            }
        return lambda kept: keeps[0][kept], lambda made: keeps[made]

    def most_throws(self, sheet: Sheet) -> int:
        saved, throws_ = self.rules.saved_throws, self.rules.turn.throws
        if not saved or (not saved.in_school and not self.school_done(sheet)):
            return int(throws_)
        return int(throws_ + (sheet.saved if saved.most is None else min(saved.most, sheet.saved)))

    def school_done(self, sheet: Sheet) -> bool:
        return all(
            count for (_name, row), count in zip(self.rows, sheet.written, strict=True) if row.combination in FACES
        )

    def writes(self, sheet: Sheet, dice: Dice, made: int) -> Iterator[tuple[str, float]]:
        """Every row that may be written, with the worth of that."""
        for index, gained, school, made_row in self.allowed(sheet, dice, made == 1):
            written = tuple(count + (place == index) for place, count in enumerate(sheet.written))
            saved = sheet.saved + self.rules.turn.throws - made if self.rules.saved_throws else 0
            total = sheet.total + gained if self.ending else 0
            after = Sheet(written, sheet.school + school, sheet.made or made_row, saved, total)
            now = 0.0 if self.ending else gained
            yield self.rows[index][0], now + self.value(after)

    def allowed(self, sheet: Sheet, dice: Dice, first: bool) -> Iterator[tuple[int, int, int, bool]]:
        """Rows to write: number, points with bonuses, points for the school, and whether the joker's row is made."""
        joker = self.rules.joker
        rounds = self.rules.sheet.rounds is not None
        open_rows = [
            index
            for index, count in enumerate(sheet.written)
            if (rounds or not count)
            and not (
                self.rules.sheet.school_first
                and self.rows[index][1].combination not in FACES
                and not self.school_done(sheet)
            )
        ]
        names = [name for name, _row in self.rows]
        further = joker is not None and len(set(dice)) == 1 and sheet.written[names.index(joker.row)] > 0
        wild = False
        bonus = joker.bonus if further and sheet.made else 0
        if further:
            own = [index for index in open_rows if self.rows[index][1].combination == FACES[dice[0] - 1]]
            lower = [index for index in open_rows if self.rows[index][1].combination not in FACES]
            if joker.use != "none" and not own:
                wild = True
            if joker.use == "forced" and (own or lower):
                open_rows = own or lower
        for index in open_rows:
            name, row = self.rows[index]
            gained = points(self.rules, row, dice, first, wild)
            school = gained if row.combination in FACES else 0
            made = joker is not None and name == joker.row and gained > 0
            yield index, gained + bonus, school, made
