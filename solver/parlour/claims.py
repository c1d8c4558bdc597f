"""Announcements as they are stated on the command line, and draws from mixed play."""

from collections.abc import Mapping, Sequence
from random import Random

from solver.parlour.answer import Option
from solver.parlour.hands import FIVE, FOUR, FULL, NOTHING, PAIR, POKER_FACES, STRAIGHT, TRIPLE, TWO_PAIRS
from solver.parlour.position import faces_of, read_number, refuse
from solver.text import _

WORDS = {
    "high": NOTHING,
    "nothing": NOTHING,
    "pair": PAIR,
    "two pairs": TWO_PAIRS,
    "three": TRIPLE,
    "straight": STRAIGHT,
    "full": FULL,
    "full house": FULL,
    "four": FOUR,
    "five": FIVE,
}
"""What an announcement begins with; faces or a sum follow."""


def read_claim(option: str, text: str, faces: Mapping[str, int]) -> tuple[str, list[int]]:
    """The name of a combination and the numbers after it."""
    words = text.strip().lower().split()
    cut = next((index for index, word in enumerate(words) if word.upper() in faces or word.isdigit()), len(words))
    name, rest = " ".join(words[:cut]), words[cut:]
    if name not in WORDS or not 1 <= len(rest) <= 3:
        raise refuse(
            option,
            text,
            _('a combination and its face, such as "two pairs 5 3"; known: {names}').format(names=", ".join(WORDS)),
        )
    return WORDS[name], [
        faces[word.upper()] if word.upper() in faces else read_number(option, word, 0, 99) for word in rest
    ]


def poker_faces(count: int) -> dict[str, int]:
    """Names of faces: plain numbers, and those of poker dice."""
    return {**{name: face for name, face in POKER_FACES.items() if face <= count}, **faces_of(count)}


def draw(seed: str | None, options: Sequence[Option]) -> int | None:
    """The option that a seed draws, by the shares of the options; None without a seed."""
    if seed is None:
        return None
    number = read_number("--seed", seed, 0, 999_999_999)
    shares = [option.share or 0.0 for option in options]
    return Random(number).choices(range(len(options)), shares)[0]  # noqa: S311 (play, not secrecy)
