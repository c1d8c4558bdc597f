"""Expressions over what a player sees, such as ``turn >= 50 or (dice = 1 and turn >= 30)``.

They come from strangers, so nothing in them is Python: a small parser builds a tree of a few kinds of nodes, of bounded
length, depth and size of numbers, and that tree is all that is ever evaluated.

    condition   = both { "or" both }
    both        = negation { "and" negation }
    negation    = "not" negation | comparison
    comparison  = sum { ("<" | "<=" | "=" | "!=" | ">=" | ">") sum }        a chain such as 300 <= score < 400 will do
    sum         = product { ("+" | "-") product }
    product     = factor { "*" factor }
    factor      = number | name | "-" factor | "(" condition ")"
"""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from solver.errors import PolicyError
from solver.schema import one_of_names, quoted
from solver.text import _

LONGEST = 1000
"""Characters of an expression."""
DEEPEST = 30
"""Nested parentheses and signs."""
LARGEST = 10**6
"""Largest number that may be written, and that a name may stand for."""
MOST_FACTORS = 3
"""Names and numbers that may be multiplied with one another."""
MOST_COUNTED = 2**62
"""What no part of an expression may come to, however large its names are: 64 bits hold it."""

Names = Mapping[str, bool]
"""From each known name to whether it is a condition, such as ``opened``; the others are numbers."""
Seen = Mapping[str, Any]
"""What each name stands for: a number or truth value, or an array of them; arrays must fit together."""

_TOKEN = re.compile(r"\s*(?:([0-9]+)|([A-Za-z_][A-Za-z_0-9]*)|(<=|>=|!=|<>|==|≤|≥|≠|[<>=+*()-]))")
_SAME = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!="}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_WORDS = ("and", "or", "not")


class Node(NamedTuple):
    """A part of an expression: an operation on parts, a name, or a number."""

    kind: str
    """``number``, ``name``, ``not``, ``and``, ``or``, an arithmetic sign or a comparison."""
    parts: tuple["Node", ...] = ()
    value: int | str = 0
    factors: int = 1
    """Most names and numbers that are multiplied with one another in it."""
    most: int = 0
    """Of a number, what it cannot exceed, up or down."""

    @property
    def truth(self) -> bool:
        """Whether it is true or false, rather than a number; of names the parser knows."""
        return self.kind in ("not", "and", "or", "flag", *_COMPARISONS)

    def names(self) -> set[str]:
        """The names that occur in it."""
        if self.kind in ("name", "flag"):
            return {str(self.value)}
        return set().union(*(part.names() for part in self.parts))

    def value_for(self, seen: Seen) -> Any:
        """Its value for what is seen: truth values for a condition, shaped as the values seen are."""
        if self.kind == "number":
            return self.value
        if self.kind in ("name", "flag"):
            return seen[str(self.value)]
        found = [part.value_for(seen) for part in self.parts]
        if self.kind == "not":
            return found[0] ^ True
        if self.kind in _COMPARISONS:
            return _COMPARISONS[self.kind](*found)
        return {"and": operator.and_, "or": operator.or_, **_ARITHMETIC}[self.kind](*found)


def parse(text: str, names: Names, before: int = 0) -> Node:
    """The condition that a text states, which ``before`` characters of a rule precede.

    PolicyError tells the column where it goes wrong, in the whole rule.
    """
    return _Parser(text, names, before).condition_only()


class _Parser:
    def __init__(self, text: str, names: Names, before: int) -> None:
        self.text, self.names, self.before = text, names, before
        self.depth = 0
        if len(text) > LONGEST:
            raise PolicyError(_("{count} characters; allowed: at most {most}").format(count=len(text), most=LONGEST))
        self.tokens: list[tuple[str, int]] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None:
                start = place + len(text[place:]) - len(text[place:].lstrip())
                raise self.wrong(start, text[start], _("names, whole numbers, and signs such as >= + - * ( )"))
            token = match.group(match.lastindex or 0)
            self.tokens.append((_SAME.get(token, token), match.end() - len(token)))
            place = match.end()
        self.tokens.append(("", len(text)))
        self.at = 0

    def wrong(self, place: int, found: str, allowed: str) -> PolicyError:
        shown = quoted(found) if found else _("the end")
        return PolicyError(
            _("column {column}: {found}; allowed: {allowed}").format(
                column=self.before + place + 1, found=shown, allowed=allowed
            )
        )

    def take(self, *wanted: str) -> str | None:
        """The next token, if it is one of these."""
        token = self.tokens[self.at][0]
        if token not in wanted:
            return None
        self.at += 1
        return token

    def condition_only(self) -> Node:
        node = self.condition()
        if self.tokens[self.at][0]:
            token, place = self.tokens[self.at]
            raise self.wrong(place, token, _("and, or, a comparison, or the end"))
        return self.need(node, 0, truth=True)

    def need(self, node: Node, place: int, *, truth: bool) -> Node:
        if node.truth != truth:
            allowed = _("a condition, such as turn >= 50") if truth else _("a number")
            raise self.wrong(place, self.text[place : self.tokens[self.at][1]].strip(), allowed)
        return node

    def condition(self) -> Node:
        return self.joined("or", lambda: self.joined("and", self.negation))

    def joined(self, word: str, part: Callable[[], Node]) -> Node:
        place = self.tokens[self.at][1]
        node = part()
        while self.take(word):
            self.need(node, place, truth=True)
            after = self.tokens[self.at][1]
            node = Node(word, (node, self.need(part(), after, truth=True)))
        return node

    def negation(self) -> Node:
        if not self.take("not"):
            return self.comparison()
        place = self.tokens[self.at][1]
        with_not = self.deeper(self.negation)
        return Node("not", (self.need(with_not, place, truth=True),))

    def comparison(self) -> Node:
        place = self.tokens[self.at][1]
        left = self.sum()
        found: Node | None = None
        while sign := self.take(*_COMPARISONS):
            after = self.tokens[self.at][1]
            self.need(left, place, truth=False)
            right = self.need(self.sum(), after, truth=False)
            link = Node(sign, (left, right))
            found, left, place = Node("and", (found, link)) if found else link, right, after
        return found or left

    def sum(self) -> Node:
        return self.calculated(("+", "-"), self.product)

    def product(self) -> Node:
        return self.calculated(("*",), self.factor)

    def calculated(self, signs: tuple[str, ...], part: Callable[[], Node]) -> Node:
        place = self.tokens[self.at][1]
        node = part()
        while sign := self.take(*signs):
            self.need(node, place, truth=False)
            after = self.tokens[self.at][1]
            other = self.need(part(), after, truth=False)
            factors = node.factors + other.factors if sign == "*" else max(node.factors, other.factors)
            if factors > MOST_FACTORS:
                raise self.wrong(after, sign, _("at most {most} factors").format(most=MOST_FACTORS))
            most = node.most * other.most if sign == "*" else node.most + other.most
            if most > MOST_COUNTED:
                raise self.wrong(after, self.text[after : self.tokens[self.at][1]].strip(), _("a smaller number"))
            node = Node(sign, (node, other), factors=factors, most=most)
        return node

    def factor(self) -> Node:
        token, place = self.tokens[self.at]
        if self.take("("):
            node = self.deeper(self.condition)
            if not self.take(")"):
                raise self.wrong(self.tokens[self.at][1], self.tokens[self.at][0], ")")
            return node
        if self.take("-"):
            node = self.need(self.deeper(self.factor), place + 1, truth=False)
            return Node("-", (Node("number"), node), factors=node.factors, most=node.most)
        if token.isdigit():
            self.at += 1
            if len(token) > 9 or int(token) > LARGEST:
                raise self.wrong(place, token, _("numbers up to {most}").format(most=LARGEST))
            return Node("number", value=int(token), most=int(token))
        if token in self.names:
            self.at += 1
            return Node("flag" if self.names[token] else "name", value=token, most=LARGEST)
        if token and (token[0].isalpha() or token[0] == "_") and token not in _WORDS:
            raise self.wrong(place, token, one_of_names(token, self.names))
        raise self.wrong(place, token, _("a name, a number, not, or ("))

    def deeper(self, part: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise PolicyError(_("nested too deep; allowed: {most} levels").format(most=DEEPEST))
        node = part()
        self.depth -= 1
        return node
