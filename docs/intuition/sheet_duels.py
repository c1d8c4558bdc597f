"""Checks of claims about score sheets that are played against another one."""

from collections.abc import Callable, Iterator

import numpy as np

from docs.intuition.findings import Case
from docs.intuition.solved_sheets import game, in_percent
from solver.sheet.position import read_sheet
from solver.sheet.study.evaluation import Player
from solver.sheet.study.policy import load_sheet_policy


def end_against(ruleset: str, sheet: str, dice: str, leads: list[int], better: str, worse: str) -> Iterator[Case]:
    """Whether, with the same two rows open on both sheets and a failed last throw, one write wins more often."""
    from solver.sheet.duel import win_turn
    from solver.sheet.position import Position, read_throw

    known = game(ruleset)
    position = read_sheet(known.model, "sheet", sheet)
    for lead in leads:
        own = Position(position.state, position.lane, position.written, position.facts, position.total + lead)
        turn, _bound, quality = win_turn(known.model, known.turns.kernel, own, position, lambda: None)  # type: ignore[arg-type,return-value]
        assert quality == "certified"
        values = {choice.write: choice.value for choice in turn.choices(read_throw("dice", dice), 3) if choice.write}
        yield Case(f"{lead:+d} points", values[better] > values[worse],
                   f"{'leading' if lead >= 0 else 'trailing'} by {abs(lead)} with {better} and {worse} open on "
                   f"both sheets, after {dice}: "
                   f"to cross out {better} wins {in_percent(values[better])}, {worse} "
                   f"{in_percent(values[worse])}")  # fmt: skip


def beats(ruleset: str, policy: str, games: int, least: float) -> Iterator[Case]:
    """Whether best play ends with more points than a rule in at least such a share of games: played with dice."""
    from solver.sheet.study.simulation import play

    known = game(ruleset)
    strong = play(Player(known.turns, None, known.values, known.values), games, 1)
    chosen = load_sheet_policy(policy, known.model, "policy")
    weak = play(Player(known.turns, chosen, known.values, known.values), games, 2)
    share = float(np.mean((strong.totals[:, None] > weak.totals) + 0.5 * (strong.totals[:, None] == weak.totals)))
    error = 0.5 / np.sqrt(games)
    yield Case("one game", share - 4.0 * error >= least,
               f"against \"{policy}\" best play wins {in_percent(share)} of games, a tie counted half, by "
               f"{games} games with dice "
               f"(estimated, standard error below {in_percent(float(error))}); totals {strong.mean:.0f} and "
               f"{weak.mean:.0f} on average, "
               f"standard deviations {strong.totals.std():.0f} and {weak.totals.std():.0f}")  # fmt: skip


def difference_play(ruleset: str) -> Iterator[Case]:
    """Whether playing for the win instead of for the difference gives away points, against one who plays for points."""
    from solver.sheet.spread import spread_from
    from solver.sheet.study.goals import win_spread

    known = game(ruleset)
    start = read_sheet(known.model, "sheet", "")
    other = spread_from(known.model, known.turns.kernel, known.values, start)
    chance, own = win_spread(known.turns, start, other)
    yield Case("in points", own.mean <= other.mean - 0.01,
               f"playing for the win wins {in_percent(chance)} of games against one who plays for points, but "
               f"totals {own.mean:.3f} on average "
               f"against {other.mean:.3f}, so it loses {other.mean - own.mean:.3f} points a game; nobody can "
               f"total more than {other.mean:.3f} on average, "
               f"and what the other totals does not depend on one's play")  # fmt: skip


CHECKS: dict[str, Callable[..., Iterator[Case]]] = {
    check.__name__: check for check in (end_against, beats, difference_play)
}
"""By name, as the files of claims have them."""
