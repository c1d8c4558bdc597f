"""What keys of race rulesets may say: points, faces, runs of faces, loaded dice, and how much of each."""

from math import gcd, lcm

from solver.schema import Kind, NotAllowedError, one_of, table, whole
from solver.text import _

MOST_POINTS = 1_000_000
MOST_STEPS = 4_000
"""Longest track, in steps: a longer one could not be solved for two players anyway."""
MOST_STEPS_BELOW = 1_000
"""Steps below 0 that fines may lead to. Each of these places has turns to look at; more of them take minutes."""

POINTS = whole(0, MOST_POINTS)
FINE = whole(1, MOST_POINTS)
DEBT = whole(-MOST_POINTS, 0)
OWED = whole(-MOST_POINTS, -1)
"""Points, points of which there are some, and scores that may be or are below 0: all are multiples of the step."""

UNLIMITED = "unlimited"

_FACES = tuple(str(face) for face in range(1, 100))


def _face(text: object) -> int:
    if isinstance(text, str) and text in _FACES:
        return int(text)
    raise NotAllowedError(_("faces as whole numbers"))


def _run(text: object) -> tuple[int, int]:
    if isinstance(text, str):
        low, dash, high = text.partition("-")
        if dash and _face(low) < _face(high):
            return _face(low), _face(high)
    raise NotAllowedError(_('runs of faces such as "1-5"'))


def _spell_run(run: tuple[int, int]) -> str:
    return f"{run[0]}-{run[1]}"


MOST_WEIGHT = 10**9
"""Highest weight of a face, as a whole number or as either part of a fraction."""


def _weight(value: object) -> tuple[int, int]:
    """A weight as the two parts of a fraction."""
    if type(value) is int and 0 <= value <= MOST_WEIGHT:
        return value, 1
    if isinstance(value, str) and len(value) <= 21:
        over, slash, under = value.partition("/")
        digits = slash and all(part.isascii() and part.isdigit() for part in (over, under))
        if digits and int(over) <= MOST_WEIGHT and 0 < int(under) <= MOST_WEIGHT:
            return int(over), int(under)
    raise NotAllowedError(_('weights of faces: whole numbers from 0 on, or fractions such as "1/6"'))


def read_weights(value: object) -> tuple[int, ...]:
    """The weights of a die's faces as whole numbers without a common factor. NotAllowedError if they are none."""
    if not isinstance(value, list) or not 2 <= len(value) <= 12:
        raise NotAllowedError(_("a list of weights, one for each face"))
    weights = [_weight(entry) for entry in value]
    if not any(over for over, _under in weights):
        raise NotAllowedError(_("weights of which at least one is not 0"))
    whole_ones = [over * lcm(*(under for _over, under in weights)) // under for over, under in weights]
    return tuple(weight // gcd(*whole_ones) for weight in whole_ones)


def read_die_name(text: object) -> str:
    """The name of a die: a word that cannot be taken for a face."""
    if isinstance(text, str) and text.isidentifier() and text.isascii() and len(text) <= 20:
        return text
    raise NotAllowedError(_("names of dice as one word, such as lucky"))


LOADED = table(
    Kind(read_weights, _("a list of weights"), list),
    read_die_name,
    str,
    _("a table from the name of a die to the weights of its faces, such as { lucky = [2, 1, 1, 1, 1, 1] }"),
)
FACE_POINTS = table(POINTS, _face, str, _("a table from face to points, such as { 1 = 10, 5 = 5 }"))
RUN_POINTS = table(POINTS, _run, _spell_run, _('a table from run of faces to points, such as { "1-5" = 125 }'))
UPPER = one_of("outside", "inside")
