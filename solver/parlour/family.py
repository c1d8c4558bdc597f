"""The family of small games, as ``solver.families`` calls it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from solver.errors import PositionError, RulesetError, TableError
from solver.parlour.answer import Answer
from solver.parlour.answer import describe as answer_in_words
from solver.parlour.games import ADVICE, GAMES, load_adviser, load_game
from solver.parlour.odds import Odds
from solver.parlour.rules import ParlourRules
from solver.ruleset import Rules, Ruleset
from solver.ruleset import report as problem_report
from solver.schema import Condition, Problem, one_of_names, quoted, read_section
from solver.text import _

if TYPE_CHECKING:
    from solver.certify import Certificate
    from solver.table import Table

RULES = ParlourRules
EXAMPLE = None
CONDITIONS: tuple[Condition, ...] = ()
POSITION = (
    *("dice", "throw", "locked", "vs", "players", "state", "score", "claim", "seed", "objective", "table"),
    *("turn", "sheet", "keep", "goal", "die"),  # which no game here takes
)
"""All that any position may be stated with: each game refuses what it does not take, and names what it does."""
HOW = ("solve", "warn", "working")


def kinds() -> dict[str, type[Rules]]:
    """All that a file may say about each game."""
    return {name: load_game(name).Rules for name in sorted(GAMES)}


def read(ruleset: Ruleset) -> ParlourRules:
    """The rules that a ruleset states. RulesetError, with every problem, if it may not say so."""
    name: Any = ruleset.data.get("game")
    if not isinstance(name, str) or name not in GAMES:
        found = _("missing") if name is None else quoted(name)
        raise problem_report(
            ruleset, [Problem("game", found, one_of_names(name if isinstance(name, str) else "", GAMES))]
        )
    game = load_game(name)
    problems: list[Problem] = []
    rules = read_section(game.Rules, ruleset.data, problems)
    if rules is not None:
        problems += game.problems(rules)
    if ruleset.examples != ():
        problems.append(Problem("example", _("unknown key"), _("no examples in rulesets of this family")))
    if problems or rules is None:
        raise problem_report(ruleset, problems)
    return rules


def objectives(rules: ParlourRules) -> dict[str, int]:
    """The win for two in liar, whose solution is long and so kept as a table; all else is solved when asked for."""
    return {"win": 2} if rules.game == "liar" else {}


def check(_rules: ParlourRules) -> None:
    """All that a ruleset may say is checked when it is read."""


def odds(rules: ParlourRules, players: int | None = None) -> Odds:
    """All that is told about a game without a position. PositionError for a number of players that it is not for."""
    players = _seats(rules, players)
    return load_game(rules.game).odds(rules, players)


def prepare(rules: ParlourRules, players: int | None, progress: Callable[..., None]) -> None:
    """Find now what ``odds`` are told from, where that takes long and one can see how far it is."""
    from solver.parlour import liar, liar_many

    players = _seats(rules, players)
    if isinstance(rules, liar.Rules) and players > 2:
        liar_many.solve(rules, players, progress)


def _seats(rules: ParlourRules, players: int | None) -> int:
    """As many players as asked for, or as is usual. PositionError for a number that the game is not for."""
    low, high, default = load_game(rules.game).SEATS
    if players is None:
        return default
    if not low <= players <= high:
        allowed = _("a whole number from {low} to {high}").format(low=low, high=high) if low < high else str(low)
        raise PositionError(_("--players: {found}; allowed: {allowed}").format(found=players, allowed=allowed))
    return players


def advise(rules: ParlourRules, ruleset: str, **position: Any) -> Answer:
    """Advice for one position. PositionError names the option that is wrong."""
    if rules.game not in ADVICE:
        raise PositionError(
            _("--ruleset: {name}; allowed: a game with choices; for this one see: kosti odds {name}").format(
                name=ruleset
            )
        )
    adviser = load_adviser(rules.game)
    stated = {name: value for name, value in position.items() if name in adviser.POSITION or name not in HOW}
    for option, value in stated.items():
        if option not in adviser.POSITION:
            allowed = ", ".join(f"--{known}" for known in adviser.POSITION if known not in HOW)
            raise PositionError(
                _("--{option}: {found}; allowed: for this game only {allowed}").format(
                    option=option,
                    found=", ".join(map(quoted, value)) if isinstance(value, tuple) else quoted(str(value)),
                    allowed=allowed,
                )
            )
    working = position.get("working")
    if working is None or "solve" in adviser.POSITION:  # what solves a table shows that itself
        return adviser.advise(rules, ruleset, **stated)
    with working(_("working out {title}").format(title=rules.title or ruleset)):
        return adviser.advise(rules, ruleset, **stated)


def describe(answer: Answer) -> str:
    """An answer for a person, as lines of text."""
    return answer_in_words(answer)


def solve(
    rules: ParlourRules,
    objective: str,  # noqa: ARG001 (there is one)
    *,
    tolerance: float | None,
    rounds: int | None,  # noqa: ARG001 (each game of one signal ends)
    progress: Callable[..., None] | None,
    starts: Any,  # noqa: ARG001 (always the whole game)
) -> "tuple[Table, Any]":
    """The table of liar. RulesetError for a game that needs none."""
    from solver.parlour import liar, liar_table

    if not isinstance(rules, liar.Rules):
        raise _without_table(rules)
    return liar_table.make_table(rules, tolerance=tolerance, progress=progress, resume=True), None


def report(rules: ParlourRules, table: "Table", _solution: Any) -> tuple[dict[str, Any], str]:
    """What the solve of liar has found, as plain data and as lines of text."""
    from solver.parlour import liar, liar_table

    if not isinstance(rules, liar.Rules):
        raise _without_table(rules)
    return liar_table.report(rules, table)


def verify(rules: ParlourRules, table: "Table", *, progress: Callable[..., None] | None = None) -> "Certificate | None":
    """Prove the values of a table of liar anew, from the table alone; None if they are not within its bound."""
    from solver.certify import Certificate
    from solver.parlour import liar, liar_table

    distance = liar_table.verify(rules, table, progress) if isinstance(rules, liar.Rules) else None
    return None if distance is None else Certificate(distance, 0.0)


def rows(_rules: ParlourRules, table: "Table", what: str) -> Iterator[dict[str, Any]]:
    """The ``values`` of all positions of liar; its decisions are mixed, and worked out when they are asked for."""
    if what != "values":
        raise TableError(_("--what: {what}; allowed: values, for this family").format(what=what))
    for row, value in zip(table.rows(), table.values, strict=True):
        yield {**dict(zip(table.info.fields, row, strict=True)), "value": value}


def _without_table(rules: ParlourRules) -> RulesetError:
    return RulesetError(_("{game}: a game that needs no table; see: kosti odds").format(game=rules.title or rules.game))
