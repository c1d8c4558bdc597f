"""Many games of a sheet with dice: a check of exact values that shares no rule with how they are found.

Throws, points, bonuses, jokers and saved throws follow here from the rules alone: what a row brings is found by trying
every subset of the dice, and the school is settled from the sum of its rows. Only what a player chooses is asked of the
solver, by the place of his sheet in its arrays.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._choices import KEEP
from solver.sheet.lattice import lattice
from solver.sheet.model import SheetModel
from solver.sheet.rules import SheetGameRules
from solver.sheet.sections import RowRules
from solver.sheet.study.evaluation import Player

Whole = NDArray[np.int64]
AT_A_TIME = 20_000
"""Games that are played side by side."""
FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
HANDS = list(combinations_with_replacement(range(1, 7), 5))


class Simulated(NamedTuple):
    """What many games brought."""

    games: int
    mean: float
    """Of the final totals."""
    error: float
    """Standard error of the mean."""
    totals: Whole
    """The final total of each game."""


def row_points(rules: SheetGameRules, row: RowRules, dice: tuple[int, ...], *, first: bool, wild: bool) -> int:
    """What a row brings, by trying every subset of the dice."""
    if row.combination in FACES:
        face = FACES.index(row.combination) + 1
        count = dice.count(face)
        return rules.school.per_face[count] * face + rules.school.flat[count]
    parts = [part for size in range(6) for part in combinations(dice, size) if _fits(row, part, dice)]
    if wild and row.combination in ("full house", "straight"):
        parts = [dice]
    if not parts:
        return 0
    every = sum(dice)
    added = {"its dice": max(map(sum, parts)), "all dice": every, "no dice": 0, "minus all dice": -every}[row.adds]
    premium = row.premium
    if first and row.first_throw in ("dice twice", "all twice"):
        added *= 2
    if first and row.first_throw == "all twice":
        premium *= 2
    return max(added, premium) if row.larger else added + premium


def _fits(row: RowRules, part: tuple[int, ...], dice: tuple[int, ...]) -> bool:
    kinds = sorted(Counter(part).values())
    equal = {"pair": [2], "three": [3], "four": [4], "five": [5]}
    if row.combination in equal:
        return kinds == equal[row.combination]
    if row.combination == "two pairs":
        return kinds == [2, 2] or (row.alike and kinds == [4])
    if row.combination == "full house":
        return kinds == [2, 3] or (row.alike and kinds == [5])
    if row.combination == "straight":
        return any(part == tuple(range(int(run[0]), int(run[2]) + 1)) for run in row.runs)
    if row.combination in ("even", "odd"):
        fitting = tuple(die for die in dice if die % 2 == (row.combination == "odd"))
        return part == fitting and (row.loose or part == dice)
    return part == dice


class _Book:
    """Points of all rows for all hands."""

    def __init__(self, rules: SheetGameRules) -> None:
        rows = [row for _name, row in rules.named_rows()]
        kinds = [(first, wild) for first in (False, True) for wild in (False, True)]
        points = [[[row_points(rules, row, hand, first=f, wild=w) for f, w in kinds] for row in rows] for hand in HANDS]
        self.points = np.array(points, dtype=np.int64).reshape(len(HANDS), len(rows), 2, 2)
        """[hand, row, written after the first throw, joker], what a row brings."""
        if rules.sheet.rounds is not None:  # the best of all rows counts
            self.points = self.points.max(axis=1, keepdims=True)
        code = {sum(7**place * face for place, face in enumerate(hand)): number for number, hand in enumerate(HANDS)}
        self.hand_of = np.full(7**5, -1)
        self.hand_of[list(code)] = list(code.values())
        number = lattice().number
        self.node = np.array([number[tuple(hand.count(face) for face in range(1, 7))] for hand in HANDS])
        self.kept = np.zeros((len(number), 5), dtype=np.int64)
        for dice, node in number.items():
            faces = [face for face, count in enumerate(dice, 1) for _die in range(count)]
            self.kept[node, : len(faces)] = faces
        self.equal = np.array([hand[0] if len(set(hand)) == 1 else 0 for hand in HANDS])

    def hands(self, dice: Whole) -> Whole:
        """Numbers of hands, of dice in any order: [games]."""
        return np.asarray(self.hand_of[np.sort(dice, axis=1) @ 7 ** np.arange(5)])


class _Sheets:
    """The sheets of all games."""

    def __init__(self, rules: SheetGameRules, games: int, rows: int) -> None:
        self.rules = rules
        self.written = np.zeros((games, rows), dtype=np.int64)
        self.school = np.zeros(games, dtype=np.int64)
        self.made = np.zeros(games, dtype=bool)
        self.saved = np.zeros(games, dtype=np.int64)
        self.points = np.zeros(games, dtype=np.int64)
        named = rules.named_rows() if rules.sheet.rounds is None else []
        self.faces = {
            FACES.index(row.combination) + 1: at for at, (_n, row) in enumerate(named) if row.combination in FACES
        }
        names = [name for name, _row in named]
        self.joker = names.index(rules.joker.row) if rules.joker else -1

    def throws(self) -> Whole:
        """How many throws each may make in this turn."""
        saved, usual = self.rules.saved_throws, self.rules.turn.throws
        if saved is None:
            return np.full(len(self.points), usual)
        usable = self.saved if saved.most is None else np.minimum(saved.most, self.saved)
        if not saved.in_school:
            usable = np.where(np.all(self.written[:, list(self.faces.values())] > 0, axis=1), usable, 0)
        return usual + usable

    def write(self, at: Whole, row: Whole, hand: Whole, made: int, book: _Book) -> None:
        """Write a row in each of these games, after so many throws."""
        rules, first = self.rules, int(made == 1)
        wild = np.zeros(len(at), dtype=bool)
        if rules.joker:
            further = (book.equal[hand] > 0) & (self.written[at, self.joker] > 0)
            self.points[at] += np.where(further & self.made[at], rules.joker.bonus, 0)
            if rules.joker.use != "none":
                own = np.array([self.faces.get(face, -1) for face in range(7)])[book.equal[hand]]
                wild = further & ((own < 0) | (self.written[at, own] > 0))
        gained = book.points[hand, row, first, wild.astype(int)]
        self.points[at] += gained
        if self.faces:
            self.school[at] += np.where(np.isin(row, list(self.faces.values())), gained, 0)
        if rules.joker:
            self.made[at] |= (row == self.joker) & (gained > 0)
        self.written[at, row] += 1
        if rules.saved_throws:
            self.saved[at] += rules.turn.throws - made

    def settled(self) -> Whole:
        """The final totals of full sheets."""
        school, saved = self.rules.school, self.rules.saved_throws
        total = self.points.copy()
        if self.faces:
            total += np.where(self.school >= school.threshold, school.bonus, school.below)
            total += np.where(self.school < 0, (school.negative_times - 1) * self.school, 0)
        return total + (saved.points * self.saved if saved else 0)


def play(player: Player, games: int, seed: int, progress: Callable[..., None] | None = None) -> Simulated:
    """Play so many games of a whole sheet."""
    rng = np.random.default_rng(seed)
    book = _Book(player.turns.model.rules)
    totals = []
    for begin in range(0, games, AT_A_TIME):
        count = min(AT_A_TIME, games - begin)
        totals.append(_played(player, book, count, rng))
        if progress:
            progress(begin + count, 0.0, (begin + count) / games)
    found = np.concatenate(totals)
    error = float(found.std(ddof=1) / np.sqrt(games)) if games > 1 else float("inf")
    return Simulated(games, float(found.mean()), error, found)


def _played(player: Player, book: _Book, games: int, rng: np.random.Generator) -> Whole:
    model = player.turns.model
    sheets = _Sheets(model.rules, games, len(model.rows))
    for _turn in range(sum(row.times for row in model.rows)):
        chosen = _choices(player, sheets)
        throws = sheets.throws()
        dice = rng.integers(1, 7, size=(games, 5))
        live = np.arange(games)
        made = 0
        while len(live):
            made += 1
            hand = book.hands(dice[live])
            pick = chosen[live, made - 1, book.node[hand]]
            writes = pick >= 0
            assert np.all(writes | (made < throws[live]))
            sheets.write(live[writes], pick[writes], hand[writes], made, book)
            live = live[~writes]
            kept = book.kept[KEEP - pick[~writes]]
            dice[live] = np.where(kept > 0, kept, rng.integers(1, 7, size=kept.shape))
    return sheets.settled()


def _choices(player: Player, sheets: _Sheets) -> Whole:
    """[game, throw number, throw], what each player would do: the number of a row, or ``KEEP - k`` for keep k."""
    model, turns = player.turns.model, player.turns
    state = sheets.written @ np.array(model.stride)
    lane = _lanes(model, sheets, state)
    most = int(sheets.throws().max())
    found = np.full((len(state), most, len(HANDS)), KEEP - (len(lattice().nodes) - 1), dtype=np.int64)
    for each in np.unique(state).tolist():
        games = np.flatnonzero(state == each)
        lanes, place = np.unique(lane[games], return_inverse=True)
        offered = turns.open_rows(each)
        played, _rule = player.play(each, lanes, forward=False, open_rows=offered)
        row_of = np.array(offered.rows)[offered.owner]
        picks = played.picks.astype(np.int64)
        rows = np.where(picks >= 0, row_of[np.maximum(picks, 0)], picks)
        found[games, : len(rows)] = rows.transpose(2, 0, 1)[place]
    return found


def _lanes(model: SheetModel, sheets: _Sheets, state: Whole) -> Whole:
    """Where the solver keeps what each sheet remembers."""
    found = np.zeros(len(state), dtype=np.int64)
    memories = model.memories
    for each in np.unique(state).tolist():
        games = np.flatnonzero(state == each)
        memory = int(model.memory[each])
        counts = tuple(each // model.stride[row] % (model.rows[row].times + 1) for row in memories.remembered)
        flag = sheets.made[games] & bool(model.rules.joker and model.rules.joker.bonus)
        note = model.notes[memory].find(flag, memories.clip(counts, sheets.school[games]))
        found[games] = note * int(model.stocks[memory]) + sheets.saved[games]
    return found
