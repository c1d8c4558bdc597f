"""What two rulesets say differently, in words."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from solver.ruleset import REMARKS, Rules
from solver.schema import Section, write_section
from solver.text import _


class Difference(NamedTuple):
    """One key or section that two rulesets do not have alike."""

    where: str
    """Its path, such as ``bolts.fine``."""
    sentence: str
    """What it means."""
    section: type[Section] | None
    """The keys of a section that only one of the two has in force; None for a key."""
    values: tuple[Any, Any]
    """What the two say, as a file would state it; None where one says nothing."""

    def to_json(self) -> dict[str, Any]:
        """The difference as plain data."""
        return {"where": self.where, "meaning": self.sentence, "values": list(self.values)}


def differences(one: Section, other: Section, prefix: str = "") -> Iterator[Difference]:
    """Every rule that differs, in the order of the reference. Titles and remarks are no rules."""
    ours, theirs = write_section(one), write_section(other)
    for name, known in {**one.keys, **other.keys}.items():
        values = ours.get(name), theirs.get(name)
        if values[0] == values[1] or (not prefix and name in REMARKS):
            continue
        parts = getattr(one, name, None), getattr(other, name, None)
        if isinstance(parts[0], Section) and isinstance(parts[1], Section):
            yield from differences(parts[0], parts[1], f"{prefix}{name}.")
        else:
            yield Difference(prefix + name, known.sentence, known.section, values)


def describe(names: tuple[str, str], one: Rules, other: Rules) -> str:
    """The differences for a person, as lines of text."""
    lines = [f"{name}: {rules.title}" for name, rules in zip(names, (one, other), strict=True) if rules.title]
    lines += [""] if lines else []
    found = list(differences(one, other))
    if not found:
        return "\n".join([*lines, _("These are the same rules.")])
    for difference in found:
        lines += _lines(names, difference)
    return "\n".join([*lines, _("All else is the same.")])


def spoken(value: Any) -> str:
    """A value as a player would say it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        return ", ".join(f"{name} = {spoken(entry)}" for name, entry in value.items())
    if isinstance(value, list):
        return ", ".join("-".join(map(spoken, entry)) if isinstance(entry, list) else spoken(entry) for entry in value)
    return f'"{value}"' if isinstance(value, str) else str(value)


def _lines(names: tuple[str, str], difference: Difference) -> list[str]:
    where, sentence, section, (ours, theirs) = difference
    if None in (ours, theirs):
        name, value = (names[0], ours) if theirs is None else (names[1], theirs)
        if section is None:
            text = _("{where}: only in {name}: {value}. {sentence}")
            return [text.format(where=where, name=name, value=spoken(value), sentence=sentence)]
        text = _("{where}: only in {name}. {sentence}")
        return [text.format(where=where, name=name, sentence=sentence), *_keys(section, value, "")]
    if isinstance(ours, dict) and isinstance(theirs, dict):
        # Of a table only the entries that differ.
        ours, theirs = _without(ours, theirs), _without(theirs, ours)
    said = _("{value} in {name}") if {} not in (ours, theirs) else _("{value} only in {name}")
    both = zip(names, (ours, theirs), strict=True)
    parts = [said.format(value=spoken(value), name=name) for name, value in both if value != {}]
    return [f"{where}: {('; ' if isinstance(ours, dict | list) else ', ').join(parts)}. {sentence}"]


def _keys(section: type[Section], values: dict[str, Any], prefix: str) -> list[str]:
    lines = []
    for name, known in section.keys.items():
        if known.section and name in values:
            lines += _keys(known.section, values[name], f"{prefix}{name}.")
        elif name in values:
            lines.append(f"  {prefix}{name} = {spoken(values[name])}: {known.sentence}")
    return lines


def _without(table: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if other.get(name) != value}
