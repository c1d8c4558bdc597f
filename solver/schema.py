"""The vocabulary of ruleset files: typed keys with a default and a sentence each.

A section of a file is a subclass of ``Section`` whose attributes are made by ``key``.
Reading, checking and describing a section all work from those, so they cannot drift.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

from solver.text import _

Read = Callable[[object], Any]
"""Turns a value of a file into the value of a field, or raises ``NotAllowedError``."""


class NotAllowedError(Exception):
    """A value is not allowed; the message says what is, and ``where`` and ``found`` narrow it down."""

    def __init__(self, allowed: str, where: str = "", found: object = None) -> None:
        super().__init__(allowed)
        self.where = where
        self.found = found


class Problem(NamedTuple):
    """One thing wrong with a ruleset."""

    where: str
    """Path of the key, such as ``bolts.fine``."""
    found: str
    """What stands there."""
    allowed: str
    """What may stand there."""
    against: tuple[str, ...] = ()
    """Paths of other sections or keys, or of sections that are missing, without which it would be allowed."""

    def __str__(self) -> str:
        return _("{where}: {found}; allowed: {allowed}").format(**self._asdict())


def _same(value: Any) -> Any:
    return value


class Kind(NamedTuple):
    """A kind of value: how to read it, what is allowed in words, and how to write it back."""

    read: Read
    allowed: str
    write: Callable[[Any], Any] = _same
    entry: "type[Section] | None" = None
    """Of a table from names to sections, as what each of them is read."""


def quoted(value: object) -> str:
    """A value as it may be shown in an error: as TOML spells it, short and on one line."""
    try:
        shown = _written(value)
    except (ValueError, RecursionError):  # thousands of digits, or nested too deep
        shown = "..."
    return shown if len(shown) <= 40 else shown[:37] + "..."


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{spelled(name)} = {_written(entry)}" for name, entry in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return repr(value)


def spelled(name: object) -> str:
    """A key as it may be shown in an error."""
    text = str(name)
    return text if text.isprintable() and len(text) <= 40 else quoted(text)


def whole(low: int, high: int) -> Kind:
    """A whole number in a range."""
    allowed = _("a whole number from {low} to {high}").format(low=low, high=high)

    def read(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise NotAllowedError(allowed)
        return value

    return Kind(read, allowed)


def whole_or(word: str, low: int, high: int) -> Kind:
    """A whole number in a range, or one word that stands for none; kept as None."""
    number = whole(low, high)
    allowed = _('{number}, or "{word}"').format(number=number.allowed, word=word)

    def read(value: object) -> int | None:
        try:
            return None if value == word else number.read(value)
        except NotAllowedError:
            raise NotAllowedError(allowed) from None

    return Kind(read, allowed, lambda value: word if value is None else value)


def one_of(*choices: str) -> Kind:
    """One of a few words."""
    allowed = _("one of {choices}").format(choices=", ".join(f'"{choice}"' for choice in choices))

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise NotAllowedError(allowed)
        return value

    return Kind(read, allowed)


def flag() -> Kind:
    """True or false."""
    allowed = _("true or false")

    def read(value: object) -> bool:
        if type(value) is not bool:
            raise NotAllowedError(allowed)
        return value

    return Kind(read, allowed)


def words(longest: int = 500) -> Kind:
    """Free text."""
    allowed = _("text of at most {longest} characters, printable and on one line").format(longest=longest)

    def read(value: object) -> str:
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            raise NotAllowedError(allowed)
        return value

    return Kind(read, allowed)


def table(item: Kind, name: Read, spell: Callable[[Any], str], allowed: str) -> Kind:
    """A table from names to values of one kind; kept as a tuple of pairs in ascending order.

    ``name`` reads a name and ``spell`` writes it; every name has one spelling.
    """

    def read(value: object) -> tuple[tuple[Any, Any], ...]:
        if not isinstance(value, Mapping) or not value:
            raise NotAllowedError(allowed)
        pairs = []
        for key_text, entry in value.items():
            try:
                named = name(key_text)
            except NotAllowedError:
                raise NotAllowedError(allowed, found=key_text) from None
            try:
                pairs.append((named, item.read(entry)))
            except NotAllowedError as error:
                raise NotAllowedError(str(error), f".{key_text}", entry) from None
        return tuple(sorted(pairs))

    return Kind(read, allowed, lambda pairs: {spell(named): item.write(entry) for named, entry in pairs})


def intervals(number: Kind, most: int) -> Kind:
    """A list of pairs ``[low, high]``, ascending and apart; kept as a tuple of pairs."""
    allowed = _("a list of at most {most} pairs [low, high], each low below its high, ascending and not overlapping")
    allowed = allowed.format(most=most)

    def read(value: object) -> tuple[tuple[int, int], ...]:
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise NotAllowedError(allowed)
        pairs: list[tuple[int, int]] = []
        for index, entry in enumerate(value):
            if not isinstance(entry, list) or len(entry) != 2:
                raise NotAllowedError(allowed, f"[{index}]", entry)
            for end in entry:
                try:
                    number.read(end)
                except NotAllowedError as error:
                    raise NotAllowedError(str(error), f"[{index}]", end) from None
            if entry[0] >= entry[1]:
                raise NotAllowedError(_("low below high"), f"[{index}]", entry)
            if pairs and entry[0] < pairs[-1][1]:
                raise NotAllowedError(
                    _("ascending pairs that do not overlap; the one before ends at {end}").format(end=pairs[-1][1]),
                    f"[{index}]",
                    entry,
                )
            pairs.append((entry[0], entry[1]))
        return tuple(pairs)

    return Kind(read, allowed, lambda pairs: [list(pair) for pair in pairs])


REQUIRED: Any = object()
"""Stands for the default of a key that has none."""


class Key(NamedTuple):
    """What is known of one key of a section."""

    sentence: str
    kind: Kind | None
    """The kind of value; None for a sub-section."""
    section: "type[Section] | None"
    default: Any
    later: bool = False
    """Whether rules that leave the key at its default keep the identity that they had before it was known."""


def key(kind: Kind, sentence: str, *, default: Any = REQUIRED, later: bool = False) -> Any:
    """A key of a section: its kind and one sentence, and a default if it may be left out."""
    return Key(sentence, kind, None, default, later)


def section(cls: "type[Section]", sentence: str, *, default: Any = REQUIRED) -> Any:
    """A sub-section, read as ``cls``."""
    return Key(sentence, None, cls, default)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(key, section))
class Section:
    """Base of all sections: immutable, compared by value, and made from its keys by name.

    Like a frozen dataclass, but quicker to define: what those cost at import would be felt in every answer.
    """

    keys: ClassVar[dict[str, Key]]

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Key)}
        cls.keys = {**getattr(cls, "keys", {}), **own}

    def __init__(self, **values: Any) -> None:
        for name, known in self.keys.items():
            value = values.pop(name, known.default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__} needs {name}")
            object.__setattr__(self, name, value)
        if values:
            raise TypeError(f"{type(self).__name__} has no {', '.join(values)}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def write_section(rules: Section, *, identity: bool = False) -> dict[str, Any]:
    """The inverse of ``read_section``: every value in force, defaults included, absent sections left out.

    With ``identity``, later keys are left out as well where they have their default.
    """
    written: dict[str, Any] = {}
    for name, known in rules.keys.items():
        value = getattr(rules, name)
        if known.kind is None:
            if value is not None:
                written[name] = write_section(value, identity=identity)
        elif value != () and not (identity and known.later and value == known.default):
            written[name] = known.kind.write(value)
    return written


class Condition(NamedTuple):
    """A rule that is allowed only together with others, or only without them."""

    where: str
    """The path of a section, or of a key, whose condition it is where it differs from its default."""
    allowed: str
    """What it takes, in words that begin with "only"."""
    against: tuple[str, ...]
    """Paths of the others."""
    met: Callable[[Any], bool]
    """Whether the rules have what it takes."""
    values: tuple[object, ...] = ()
    """The values of the key that it takes that for; none for all but its default."""

    def problem(self, rules: "Section") -> Problem | None:
        """What is wrong with rules that have this one without what it takes."""
        value: Any = rules
        for name in self.where.split("."):
            if value is None:
                return None
            known, value = value.keys[name], getattr(value, name)
        concerned = value in self.values if self.values else value != (None if known.section else known.default)
        if not concerned or self.met(rules):
            return None
        plain = known.kind is not None and isinstance(value, (str, int))
        return Problem(self.where, quoted(value) if plain else _("in force"), self.allowed, self.against)


T = TypeVar("T", bound=Section)


def nearest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint at known names near a wrong one; if none is near, ``otherwise``, or the list of all of them."""
    import difflib  # only needed on the way to an error message

    known = list(known)
    close = difflib.get_close_matches(name, known, n=3)
    if close:
        return _("did you mean {names}?").format(names=", ".join(close))
    return otherwise or _("known: {names}").format(names=", ".join(known))


def one_of_names(name: str, known: Iterable[str]) -> str:
    """What is allowed in place of a wrong name: known names near it, or else all of them."""
    known = list(known)
    return nearest(name, known, ", ".join(known))


def read_section(cls: type[T], data: object, problems: list[Problem], path: str = "") -> T | None:
    """Read a mapping into the dataclass ``cls``; what is wrong is added to ``problems`` and gives None."""
    prefix = f"{path}." if path else ""
    if not isinstance(data, Mapping):
        problems.append(Problem(path, quoted(data), _("a table of keys")))
        return None
    before = len(problems)
    for name in data:
        if name not in cls.keys:
            known_keys = one_of_names(str(name), cls.keys)
            problems.append(Problem(f"{prefix}{spelled(name)}", _("unknown key"), known_keys))
    values: dict[str, Any] = {}
    for name, known in cls.keys.items():
        where = f"{prefix}{name}"
        if name not in data or data[name] is None:
            if known.default is REQUIRED:
                problems.append(
                    Problem(where, _("missing"), known.kind.allowed if known.kind else _("a table of keys"))
                )
        elif known.kind is None:
            assert known.section is not None
            values[name] = read_section(known.section, data[name], problems, where)
        else:
            try:
                values[name] = known.kind.read(data[name])
            except NotAllowedError as error:
                found = data[name] if error.found is None else error.found
                problems.append(Problem(f"{where}{error.where}", quoted(found), str(error)))
    return cls(**values) if len(problems) == before else None
