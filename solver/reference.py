"""The reference of ruleset files: every section and key, as the schema knows them, in Markdown."""

import inspect
import json
from collections.abc import Iterator, Mapping
from typing import Any

from solver.families import load_family, load_rules
from solver.ruleset import shipped_names
from solver.schema import REQUIRED, Condition, Key, Section
from solver.text import _

ANY_NAME = "NAME"
"""Stands in a path for the names of a table of sections."""
COLUMNS = (_("key"), _("meaning"), _("allowed"), _("default"), _("set in"))


def reference(name: str) -> str:
    """All sections and keys that a file of one family may have.

    Each with its meaning, what is allowed, the default, and the shipped rulesets that use it. A ruleset uses a section
    that it has in force, and a key that it sets to something else than the default. Last, what needs or excludes what.
    """
    family = load_family(name)
    loaded = {ruleset: load_rules(ruleset) for ruleset in shipped_names()}
    shipped = {ruleset: rules for ruleset, rules in loaded.items() if rules.family == name}
    lines = [f"### {_('At the top of the file')}", "", *_keys(family.RULES, shipped)]
    for game, kind in family.kinds().items():
        named = {ruleset: rules for ruleset, rules in shipped.items() if isinstance(rules, kind)}
        lines += ["", f"### `game = {toml(game)}`", "", *_kind(family.RULES, kind, named)]
    for path, known, cls in _sections(family.RULES):
        lines += ["", f"### `{path}`", "", *_section(path, known, cls, shipped)]
    if family.EXAMPLE:
        lines += ["", "### `[[example]]`", "", _explained(family.EXAMPLE), "", *_keys(family.EXAMPLE, {})]
    if family.CONDITIONS:
        lines += ["", f"### {_('What needs or excludes what')}", "", *_conditions(family.CONDITIONS)]
    return "\n".join(lines)


def _conditions(conditions: tuple[Condition, ...]) -> Iterator[str]:
    """One line for each rule that needs or excludes others, in alphabetical order."""
    found: dict[str, list[str]] = {}
    for condition in conditions:
        rule = f"`{condition.where}`"
        if condition.values:
            rule += f" = {_(' or ').join(f'`{toml(value)}`' for value in condition.values)}"
        found.setdefault(rule, []).append(condition.allowed)
    yield _(
        "Everything else may be combined, as far as the numbers allow. A key is meant where it has another value than "
        "its default, or the one that is named."
    )
    yield ""
    yield _row((_("rule"), _("allowed")))
    yield _row(("-", "-"))
    yield from (_row((rule, "; ".join(allowed))) for rule, allowed in sorted(found.items()))


def toml(value: Any) -> str:
    """A value as a ruleset file states it."""
    if isinstance(value, dict):
        pairs = (f"{name if name.isalnum() else json.dumps(name)} = {toml(entry)}" for name, entry in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return json.dumps(value, ensure_ascii=False)


def _sections(cls: type[Section], prefix: str = "") -> Iterator[tuple[str, Key, type[Section]]]:
    for name, known in cls.keys.items():
        if known.section:
            yield prefix + name, known, known.section
            yield from _sections(known.section, f"{prefix}{name}.")
        elif known.kind and known.kind.entry:
            yield f"{prefix}{name}.{ANY_NAME}", known, known.kind.entry


def _kind(common: type[Section], cls: type[Section], shipped: Mapping[str, Section]) -> Iterator[str]:
    """What rulesets of one game may say beside what is common to all."""
    yield _("Shipped rulesets: {names}.").format(names=", ".join(f"`{name}`" for name in shipped))
    yield ""
    own = {name: known for name, known in cls.keys.items() if name not in common.keys}
    if own:
        yield from _keys(cls, dict(shipped), own)
    else:
        yield _("No keys of its own.")


def _section(path: str, known: Key, cls: type[Section], shipped: Mapping[str, Section]) -> Iterator[str]:
    parts: dict[str, Any] = dict(shipped)
    for name in path.removesuffix(f".{ANY_NAME}").split("."):
        parts = {ruleset: getattr(part, name) for ruleset, part in parts.items()}
        parts = {ruleset: part for ruleset, part in parts.items() if part is not None}
    needed = _("Every ruleset has this section.")
    if known.default not in (REQUIRED, None):
        needed = _("May be left out; the defaults are then in force.")
    elif known.default is None:
        needed = _("May be left out, and is then not in force. Shipped rulesets with it: {names}.")
    yield f"{known.sentence} {needed.format(names=_names(list(parts), dict(shipped)))}"
    if more := _explained(cls):
        yield from ("", more)
    yield ""
    yield from _keys(cls, parts)


def _explained(cls: type[Section]) -> str:
    """What the docstring of a section says after its first paragraph."""
    paragraphs = (inspect.getdoc(cls) or "").replace("``", "`").split("\n\n")[1:]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _keys(cls: type[Section], parts: dict[str, Any], keys: Mapping[str, Key] | None = None) -> Iterator[str]:
    """A table of the keys of a section, or some; ``parts`` are the sections of the rulesets that have it in force."""
    columns = COLUMNS if parts else COLUMNS[:-1]
    yield _row(columns)
    yield _row("-" for _column in columns)
    for name, known in (cls.keys if keys is None else keys).items():
        if known.kind:
            users = [ruleset for ruleset, part in parts.items() if _uses(part, name, known)]
            cells = (f"`{name}`", known.sentence, known.kind.allowed, _default(known), _names(users, parts))
            yield _row(cells[: len(columns)])


def _uses(part: Any, name: str, known: Key) -> bool:
    """Whether a section, or one of a table of sections, sets a key to something else than the default."""
    sections = [entry for _name, entry in part] if isinstance(part, tuple) else [part]
    return any(getattr(entry, name) != known.default for entry in sections)


def _default(known: Key) -> str:
    if known.default is REQUIRED:
        return _("none, must be set")
    if known.default == () or known.kind is None:
        return _("none")
    return f"`{toml(known.kind.write(known.default))}`"


def _names(users: list[str], among: dict[str, Any]) -> str:
    """The names of those rulesets, or in short that they are none, all, or nearly all."""
    others = [name for name in among if name not in users]
    if not users:
        return _("none")
    if not others:
        return _("all")
    return _("all but {names}").format(names=", ".join(others)) if len(others) < len(users) else ", ".join(users)


def _row(cells: Iterator[str] | tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
