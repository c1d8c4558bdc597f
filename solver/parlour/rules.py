"""What the rules of all small games have in common. Each game adds its own keys."""

from typing import NamedTuple

from solver.errors import PositionError
from solver.ruleset import Rules
from solver.schema import Kind, NotAllowedError, Problem, key, one_of, quoted, words
from solver.text import _

MOST_SEATS = 20
"""Most players that any small game is solved for."""


class Seats(NamedTuple):
    """How many players a game may be asked for, and how many it is asked for by default."""

    low: int
    high: int
    default: int


class ParlourRules(Rules):
    """Keys that every small game has."""

    family: str = key(one_of("parlour"), _("The family of the game."))
    game: str = key(words(40), _("Which of the small games this is; the other keys depend on it."))
    title: str = key(words(100), _("What people call the game."), default="")
    about: str = key(words(), _("Anything worth knowing about these rules."), default="")


def numbers(item: Kind, most: int, example: str) -> Kind:
    """A list of whole numbers; kept as a tuple in the order stated."""
    allowed = _("a list of at most {most} numbers such as {example}, each {number}").format(
        most=most, example=example, number=item.allowed
    )

    def read(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise NotAllowedError(allowed)
        for index, entry in enumerate(value):
            try:
                item.read(entry)
            except NotAllowedError as error:
                raise NotAllowedError(str(error), f"[{index}]", entry) from None
        return tuple(value)

    return Kind(read, allowed, list)


def check_size(players: int, states: int, most: int) -> None:
    """PositionError if so many players with so many states each would make fractions grow beyond all patience."""
    if players * states > most:
        text = _("--players: {players}; allowed: at most {most} with rules of this length")
        raise PositionError(text.format(players=players, most=most // states))


def contradiction(where: str, found: object, allowed: str) -> Problem:
    """A value that the other values of the same ruleset do not allow."""
    return Problem(where, quoted(found), allowed)
