"""Checks of claims about score sheets. Points are those of play for the most points on average, proven to 1e-9."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import factorial, prod

import numpy as np

from docs.intuition.findings import Case
from docs.intuition.solved_sheets import done, game, in_percent, rule, rules_of, throws_where, turn_at, uses, worth
from solver.parlour.chances import count_chances
from solver.sheet.advice import rank
from solver.sheet.lattice import THROWS, lattice
from solver.sheet.position import faces_of
from solver.sheet.rows import row_worth
from solver.sheet.sections import FACE_ROWS

TIE = 1e-9
"""Choices whose values are as close count as equal."""

# Which rows are given up, and when rows are written.


def most_crossed(ruleset: str, row: str, least: float) -> Iterator[Case]:
    """Whether a row is crossed out more often than any other, and in at least such a share of games."""
    found = uses(ruleset)
    ranked = sorted(found.values(), key=lambda use: -use.crossing)
    told = ", ".join(f"{use.name} {in_percent(use.crossing)}" for use in ranked[:3])
    yield Case("it", ranked[0].name == row and found[row].crossing >= least, f"crossed out most often: {told}; "
               f"{row} is the first row to be crossed out in {in_percent(found[row].first_crossed)} of games")  # fmt: skip


def first_crossed(ruleset: str, rows: list[str], among: list[str] | None = None) -> Iterator[Case]:
    """Whether these rows are, more often than each of the others, the first to be crossed out."""
    found = {name: use for name, use in uses(ruleset).items() if among is None or name in among}
    ranked = sorted(found.values(), key=lambda use: -use.first_crossed)
    told = ", ".join(f"{use.name} {in_percent(use.first_crossed)}" for use in ranked[: len(rows) + 2])
    yield Case(
        f"{' and '.join(rows)} crossed out first",
        {use.name for use in ranked[: len(rows)]} == set(rows),
        f"the first row to be crossed out, by share of games: {told}",
    )


def mostly_crossed(ruleset: str, rows: list[str], least: float) -> Iterator[Case]:
    """Whether each of these rows is crossed out in at least such a share of games."""
    for row in rows:
        share = uses(ruleset)[row].crossing
        yield Case(row, share >= least, f"{row} is crossed out, or written with less than nothing, in "
                   f"{in_percent(share)} of games")  # fmt: skip


def seldom_made(ruleset: str, row: str, most: float, easier: str) -> Iterator[Case]:
    """Whether a row is made in at most such a share of games."""
    found = uses(ruleset)
    yield Case("it", 1.0 - found[row].crossing <= most,
               f"{row} is made in {in_percent(1.0 - found[row].crossing)} of games, {easier} in "
               f"{in_percent(1.0 - found[easier].crossing)}")  # fmt: skip


def short_most_often(ruleset: str, rows: list[str], least: float = 0.0) -> Iterator[Case]:
    """Whether these rows of single faces are written with fewer than three dice more often than the others."""
    known = game(ruleset)
    shares = {}
    for name, use in uses(ruleset).items():
        row = next(row for row in known.model.rows if row.name == name)
        if row.face:
            school = known.rules.school
            fewer = {school.per_face[count] * row.face + school.flat[count] for count in range(3)}
            shares[name] = use.of_class(np.array([item.worth.later in fewer for item in row.classes]))
    ranked = sorted(shares, key=lambda name: -shares[name])
    told = ", ".join(f"{name} {in_percent(share)}" for name, share in shares.items())
    holds = set(ranked[: len(rows)]) == set(rows) and all(shares[row] >= least for row in rows)
    yield Case(" and ".join(rows), holds, f"written with fewer than three dice of the face: {told}")


def seldom_short(ruleset: str, most: float) -> Iterator[Case]:
    """Whether each row of a single face is written with fewer than three dice in at most such a share of games."""
    for name, use in uses(ruleset).items():
        row = next(row for row in game(ruleset).model.rows if row.name == name)
        if row.face:
            share = use.of_class(np.array([item.worth.later < 0 for item in row.classes]))
            yield Case(name, share <= most, f"{name} is written short in {in_percent(share)} of games")


def after_throw(ruleset: str, row: str, throw: int, least: float, *, made: bool = False) -> Iterator[Case]:
    """Whether a row is written after this throw of a turn in at least such a share of games (in which it is made)."""
    use = uses(ruleset)[row]
    chances = use.chances[:, :, ~use.crossed] if made else use.chances
    share = float(chances[:, throw - 1].sum() / chances.sum())
    what = f"{row}, where it is made," if made else row
    yield Case(f"{row} after throw {throw}", share >= least,
               f"{what} is written after throw {throw} in {in_percent(share)} of games, on average in turn "
               f"{use.turn:.1f} of {len(use.chances)}")  # fmt: skip


def later_than(ruleset: str, row: str, others: list[str], sheet: str = "") -> Iterator[Case]:
    """Whether a row is written later than each of the others, on average."""
    found = uses(ruleset, sheet)
    for other in others:
        yield Case(f"{row} after {other}", found[row].turn > found[other].turn,
                   f"on average {row} is written in turn {found[row].turn:.2f}, {other} in turn "
                   f"{found[other].turn:.2f}")  # fmt: skip


def among_the_last(ruleset: str, row: str, places: int) -> Iterator[Case]:
    """Whether a row is, on average, one of so many that are written last."""
    ranked = sorted(uses(ruleset).values(), key=lambda use: -use.turn)
    told = ", ".join(f"{use.name} {use.turn:.1f}" for use in ranked[: places + 1])
    yield Case(f"{row} is left open", row in [use.name for use in ranked[:places]],
               f"latest on average, by number of the turn: {told}")  # fmt: skip


def not_early(ruleset: str, rows: list[str]) -> Iterator[Case]:
    """Whether each of these rows is written, on average, in the second half of the game."""
    for row in rows:
        use = uses(ruleset)[row]
        middle = (len(use.chances) + 1) / 2
        yield Case(row, use.turn > middle, f"{row} is written in turn {use.turn:.1f} on average, the middle is "
                   f"{middle:.1f}")  # fmt: skip


def can_bring_more(ruleset: str, row: str, other: str) -> Iterator[Case]:
    """Whether a row can bring more than another."""
    rows = dict(rules_of(ruleset).rows)
    most = {
        name: max(row_worth(rules_of(ruleset), rows[name], lattice().nodes[throw]).first for throw in range(THROWS))
        for name in (row, other)
    }
    yield Case("at most", most[row] > most[other], f"{row} brings at most {most[row]}, {other} {most[other]}")


def made_more_often(ruleset: str, row: str, other: str) -> Iterator[Case]:
    """Whether a row is made in more games than another."""
    one, two = (1.0 - uses(ruleset)[name].crossing for name in (row, other))
    yield Case("under best play", one > two, f"{row} is made in {in_percent(one)} of games, {other} in "
               f"{in_percent(two)}")  # fmt: skip


# What is best with certain throws.


def best_with(
    ruleset: str,
    where: str,
    throw: int,
    best: str,
    least: float = 0.0,
    most: float = 1.0,
    sheet: str = "",
    name: str = "",
    *,
    rows_only: bool = False,
) -> Iterator[Case]:
    """Whether this is the best with at least, or at most, such a share of the throws that a condition is about.

    ``best`` may end early: ``write school`` is any row whose name begins so. With ``rows_only`` it need only be the
    best of what may be written.
    """
    known = game(ruleset)
    turn = turn_at(known, sheet)
    good, every, cost, example = 0, 0, 0.0, ""
    for number, ways in throws_where(known, sheet, where, throw):
        choices = rank([found for found in turn.choices(number, throw) if found.write or not rows_only], TIE)
        top = choices[0].value
        mine = [choice for choice in choices if done(choice).startswith(best)]
        value = max((choice.value for choice in mine), default=-np.inf)
        every += ways
        good += ways if value >= top - TIE else 0
        if value < top - TIE:
            cost += ways * (top - value)
            if not example:
                better = f'"{done(choices[0])}" is better by {top - value:.2f}'
                example = f"; not with {' '.join(map(str, faces_of(number)))}, where {better}"
    told = 0 < good < every and np.isfinite(cost)
    loss = f"; to do it always costs {cost / every:.2f} points each time" if told else ""
    yield Case(name or where, least * every <= good <= most * every,
               f"{name + ': ' if name else ''}with {where} after throw {throw}, \"{best}\" is {'the best row' if rows_only else 'best'} with "
               f"{in_percent(good / every)} of such throws{loss}{example}")  # fmt: skip


def sometimes_best(
    ruleset: str, wheres: list[str], throw: int, best: str, sheet: str = "", name: str = "sometimes"
) -> Iterator[Case]:
    """Whether this is the best with all throws of at least one of several kinds."""
    cases = [case for where in wheres for case in best_with(ruleset, where, throw, best, 1.0, sheet=sheet)]
    held = [case.name for case in cases if case.holds]
    yield Case(name, bool(held), f"after throw {throw}, \"{best}\" is best with {', '.join(held) or 'none'} of: "
               f"{', '.join(wheres)}")  # fmt: skip


# What rules and rows are worth.


def rule_costs(
    ruleset: str, policy: str, least: float | None = None, most: float | None = None, sheet: str = "", name: str = "it"
) -> Iterator[Case]:
    """Whether a rule costs at least, or at most, so many points."""
    found = rule(ruleset, policy, sheet)
    holds = (least is None or found.loss >= least) and (most is None or found.loss <= most)
    yield Case(name, holds, f"by \"{policy}\" {found.value:.3f} points{' to come' if sheet else ''}, by best "
               f"play {found.best:.3f}: it costs {found.loss:.3f}")  # fmt: skip


def worth_the_same(ruleset: str, one: str, other: str) -> Iterator[Case]:
    """Whether two sheets are worth the same, points written included."""
    values = [worth(game(ruleset), sheet) for sheet in (one, other)]
    yield Case("it", abs(values[0] - values[1]) <= TIE,
               f"{one}: {values[0]:.4f} points in all; {other}: {values[1]:.4f}")  # fmt: skip


def worth_steps(
    ruleset: str, sheets: list[str], least: float | None = None, most: float | None = None, name: str = ""
) -> Iterator[Case]:
    """Whether each sheet is worth so many points more than the one before it, points written included."""
    values = [worth(game(ruleset), sheet) for sheet in sheets]
    for at in range(1, len(sheets)):
        gain = values[at] - values[at - 1]
        holds = (least is None or gain >= least) and (most is None or gain <= most)
        yield Case(name or f"{sheets[at - 1]} to {sheets[at]}", holds,
                   f"{sheets[at - 1]}: {values[at - 1]:.3f} points in all; {sheets[at]}: {values[at]:.3f}, so "
                   f"{gain:+.3f}")  # fmt: skip


def growing_minus(ruleset: str, sheets: list[str]) -> Iterator[Case]:
    """Whether each further minus costs more than the one before it, points written included."""
    values = [worth(game(ruleset), sheet) for sheet in sheets]
    costs = [before - after for before, after in pairwise(values)]
    told = "; ".join(f"{sheet}: {value:.3f}" for sheet, value in zip(sheets, values, strict=True))
    yield Case("early on", all(b > a for a, b in pairwise(costs)),
               f"points in all by sheet: {told}; the minuses cost "
               f"{', '.join(f'{cost:.2f}' for cost in costs)}")  # fmt: skip


def matters_less(key: str, value: int, less: str, more: str, share: float) -> Iterator[Case]:
    """Whether a change of a key gains in one game at most such a share of what it gains in the other."""
    gains = []
    for name in (less, more):
        changed = game(name, **{key.replace(".", "__"): value})
        gains.append(worth(changed, "") - worth(game(name), ""))
    yield Case("on average", gains[0] <= share * gains[1],
               f"with {key} = {value} an empty sheet gains {gains[0]:.2f} points in {less}, {gains[1]:.2f} in "
               f"{more}")  # fmt: skip


def saving_pays(ruleset: str, least: float) -> Iterator[Case]:
    """Whether it costs at least so many points if throws may not be saved."""
    before, after = worth(game(ruleset), ""), worth(game(ruleset, saved_throws=None), "")
    yield Case("saving", before - after >= least, f"with saved throws {before:.3f} points, without them {after:.3f}")


# One turn.


def spare_dice(ruleset: str, sheet: str = "") -> Iterator[Case]:
    """Whether with three or more of a face it is never worse to throw the others than to write its row at once."""
    known = game(ruleset)
    turn = turn_at(known, sheet)
    for face, row in enumerate((row for row in known.model.rows if row.face), 1):
        worse, tried, gains = 0, 0, []
        for number, _ways in throws_where(known, sheet, f"{list(FACE_ROWS)[face - 1]} >= 3", 1):
            choices = turn.choices(number, 1)
            now = next(choice.value for choice in choices if choice.write == row.name)
            kept = tuple(die for die in faces_of(number) if die == face)
            after = max((choice.value for choice in choices if choice.hold == kept), default=now)
            tried += 1
            worse += after < now - TIE
            gains.append(after - now)
        yield Case(f"face {face}", not worse,
                   f"with three or more dice of face {face} after the first throw, to throw the others is worse "
                   f"than to write {row.name} "
                   f"with {worse} of {tried} throws, and brings up to {max(gains):.2f} more")  # fmt: skip


def locked_dice(ruleset: str, least: float, sheet: str = "") -> Iterator[Case]:
    """Whether a turn of three throws loses at least so much if dice once kept may not be thrown again."""
    known = game(ruleset)
    turn = turn_at(known, sheet)
    assert turn.throws == 3
    dice = lattice()
    last = turn.keeps(2)
    writes = [
        [max(choice.value for choice in turn.choices(throw, made) if choice.write) for throw in range(THROWS)]
        for made in (1, 2, 3)
    ]
    within = [[*dice.within[throw], throw] for throw in range(THROWS)]
    second = [0.0] * len(dice.nodes)
    for keep, kept in enumerate(dice.nodes):
        for faces in combinations_with_replacement(range(6), 5 - sum(kept)):
            added = [faces.count(face) for face in range(6)]
            throw = dice.number[tuple(map(sum, zip(kept, added, strict=True)))]
            still = [
                last[node] for node in within[throw] if all(a >= b for a, b in zip(dice.nodes[node], kept, strict=True))
            ]
            chance = factorial(len(faces)) / prod(map(factorial, added)) / 6.0 ** len(faces)
            second[keep] += chance * max(writes[1][throw], *still)
    value = sum(
        ways * max(writes[0][throw], *(second[keep] for keep in within[throw])) for throw, ways in enumerate(dice.ways)
    )
    value /= 6.0**5
    yield Case("the first turn", turn.value - value >= least,
               f"from an empty sheet {turn.value:.3f} points, {value:.3f} if in the first turn dice once kept "
               f"must stay")  # fmt: skip


def within_turns(count: int, turns: int, least: float) -> Iterator[Case]:
    """Whether at least so many dice of one face come up, in at least such a share of games, in a first throw."""
    single = sum(count_chances(5, Fraction(1, 6))[count:], Fraction(0))
    chance = 1 - (1 - single) ** turns
    yield Case(f"in {turns} turns", float(chance) >= least,
               f"{count} sixes or more in a first throw: {single} = {in_percent(float(single))}, in at least "
               f"one of {turns} turns {in_percent(float(chance))}")  # fmt: skip


def one_die(chance: str, hits: int) -> Iterator[Case]:
    """Whether one die brings one of so many faces with the chance that is claimed."""
    found = Fraction(hits, 6)
    yield Case("the last die", found == Fraction(chance), f"one die brings one of {hits} faces with {found}")


def seldom_in_a_turn(face: int, count: int, most: float) -> Iterator[Case]:
    """Whether who keeps all dice of a face for three throws ends with so many of them at most so often."""
    each = 1 - Fraction(5, 6) ** 3
    chance = sum(count_chances(5, each)[count:], Fraction(0))
    yield Case(f"{count} dice of face {face}", float(chance) <= most,
               f"three throws that keep every {face} end with {count} or more of them with "
               f"{in_percent(float(chance))}")  # fmt: skip


CHECKS: dict[str, Callable[..., Iterator[Case]]] = {
    check.__name__: check
    for check in (
        most_crossed, first_crossed, mostly_crossed, seldom_made, short_most_often, seldom_short, after_throw, later_than,
        among_the_last, not_early, can_bring_more, made_more_often, best_with, sometimes_best, rule_costs, worth_the_same,
        worth_steps, growing_minus, matters_less, saving_pays, spare_dice, locked_dice, within_turns, one_die,
        seldom_in_a_turn,
    )
}  # fmt: skip
"""By name, as the files of claims have them."""
