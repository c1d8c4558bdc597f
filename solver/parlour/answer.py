"""Answers to positions of the small games: options with what each is worth, as data and as text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from solver.parlour.odds import Number
from solver.parlour.rules import ParlourRules
from solver.schema import write_section
from solver.text import _

MOST_OTHERS = 12
"""Other options that are listed; the rest is only counted."""


class Option(NamedTuple):
    """One thing that the player may do."""

    words: str
    """What to do, as a sentence without its full stop."""
    facts: dict[str, Any]
    """The same as data."""
    value: Number
    share: float | None = None
    """Where play is mixed, how often to do so."""


class Unit(NamedTuple):
    """What values count."""

    objective: str
    shown: Callable[[float], str]
    """A value with its unit, and how it is told."""
    lost: Callable[[float], str]
    """A difference of values with its unit."""
    sign: int = 1
    """-1 if less is better: options then hold the negative of what is shown."""


def percent(what: str) -> Unit:
    """Chances in percent, such as "to win"."""
    return Unit(
        "win",
        lambda value: _("{percent:.2f} % {what}").format(percent=100.0 * value, what=what),
        lambda loss: _("{percent:.2f} %").format(percent=100.0 * loss),
    )


STAKES = Unit(
    "stake",
    lambda value: _("{stakes:+.4f} stakes on average").format(stakes=value),
    lambda loss: _("{stakes:.4f} stakes").format(stakes=loss),
)
"""Stakes won."""


class Answer(NamedTuple):
    """What to do in a position of a small game."""

    ruleset: str
    rules: ParlourRules
    unit: Unit
    state: dict[str, Any]
    throw: tuple[Any, ...] | None
    heading: tuple[str, ...]
    """What is known of the position, for people."""
    options: tuple[Option, ...]
    """Best first; where play is mixed, the most frequent first."""
    value: Number
    """What the position is worth."""
    bound: float = 0.0
    """No value is further from the truth than this."""
    notes: tuple[str, ...] = ()
    drawn: int | None = None
    """Where play is mixed and a seed was given, the option that was drawn."""
    facts: dict[str, Any] = {}  # noqa: RUF012 (never changed)
    """Further facts for programs."""

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data."""
        best = max((option.value for option in self.options), default=self.value)
        return {
            "ruleset": self.ruleset,
            "objective": self.unit.objective,
            "state": self.state,
            "throw": list(self.throw) if self.throw is not None else None,
            "options": [
                {
                    **option.facts,
                    **_value(option.value * self.unit.sign),
                    "loss": float(best - option.value),
                    **({"share": option.share} if option.share is not None else {}),
                }
                for option in self.options
            ],
            **_value(self.value * self.unit.sign),
            "error_bound": self.bound,
            **({"drawn": self.options[self.drawn].facts} if self.drawn is not None else {}),
            **self.facts,
            "rules_in_force": write_section(self.rules),
        }


def ranked(options: list[Option], tie: float = 0.0) -> tuple[Option, ...]:
    """Best first; options that differ by no more than ``tie`` stay in the order given."""
    left = list(options)
    found: list[Option] = []
    while left:
        best = max(option.value for option in left)
        equal = [option for option in left if best - option.value <= tie]
        found += equal
        left = [option for option in left if best - option.value > tie]
    return tuple(found)


def describe(answer: Answer) -> str:
    """The whole answer for a person, as lines of text."""
    lines = [f"{answer.rules.title or answer.ruleset}.", *answer.heading, ""]
    shown = answer.unit.shown
    if any(option.share is not None for option in answer.options):
        lines.append(_("The position is worth {value}.").format(value=shown(float(answer.value * answer.unit.sign))))
        lines.append(_("Mix, so that nobody can profit from knowing you:"))
        for option in answer.options:
            if option.share:
                lines.append(f"  {100.0 * option.share:6.2f} %  {option.words}")
        if answer.drawn is not None:
            lines.append(_("Drawn by the seed: {words}.").format(words=answer.options[answer.drawn].words))
    elif answer.options:
        best = answer.options[0]
        lines.append(f"{best.words}.  {shown(float(best.value * answer.unit.sign))}.")
        lines += _others(answer)
    else:
        lines.append(_("The position is worth {value}.").format(value=shown(float(answer.value * answer.unit.sign))))
    return "\n".join([*lines, *answer.notes])


def _others(answer: Answer) -> list[str]:
    others = answer.options[1:]
    if not others:
        return [_("There is no other choice.")]
    best = max(option.value for option in answer.options)
    lines = ["", _("Other choices, and what they cost:")]
    for option in others[:MOST_OTHERS]:
        loss = float(best - option.value)
        cost = _("costs {loss}").format(loss=answer.unit.lost(loss)) if loss > 2.0 * answer.bound else _("as good")
        lines.append(f"  {option.words}.  {answer.unit.shown(float(option.value * answer.unit.sign))}, {cost}")
    if len(others) > MOST_OTHERS:
        lines.append(_("  and {count} more, which cost no less").format(count=len(others) - MOST_OTHERS))
    return lines


def _value(value: Number) -> dict[str, Any]:
    if isinstance(value, Fraction):
        return {"value": float(value), "fraction": str(value)}
    return {"value": float(value)}
