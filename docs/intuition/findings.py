"""Claims and what becomes of them."""

from typing import NamedTuple


class Case(NamedTuple):
    """One case of a claim."""

    name: str
    holds: bool
    numbers: str
    """What was computed, in a sentence."""


class Claim(NamedTuple):
    """One belief, as ``claims.toml`` states it."""

    id: str
    rulesets: list[str]
    claim: str
    means: str
    """What was checked, in words: the claim as a statement about numbers."""
    checks: list[dict[str, object]]
    """The name of a check, and its arguments."""
    shown: str
    """A command that shows the numbers."""
    untested: str
    """Why it is not a claim about play, or not about one that can be computed here."""


def dice_left(count: int) -> str:
    """So many dice, in words."""
    return "1 die" if count == 1 else f"{count} dice"


def verdict(cases: list[Case]) -> str:
    """True, false, or when it is true: from the cases alone."""
    held = dict.fromkeys(case.name for case in cases if case.holds)
    failed = dict.fromkeys(case.name for case in cases if not case.holds)
    if not failed:
        return "true"
    if not held:
        return "false"
    return f"true in part. It holds: {', '.join(held)}; it fails: {', '.join(failed)}"
