"""Dice as multisets, against plain enumeration of ordered throws."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import comb, prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.dice import Die, Multiset, fair_die, from_faces, sub_multisets, throw_ways, to_faces

PROPERTY = settings(deadline=None, max_examples=100)

dice_sets = st.integers(1, 4).flatmap(
    lambda faces: st.lists(
        st.lists(st.integers(0, 9), min_size=faces, max_size=faces).map(lambda weights: Die(tuple(weights))),
        min_size=1,
        max_size=4,
    )
)


def enumerated_ways(dice: Sequence[Die]) -> dict[Multiset, int]:
    """Ways of each multiset, from every ordered throw with the product of its weights."""
    ways: Counter[Multiset] = Counter()
    for thrown in product(*(range(1, die.faces + 1) for die in dice)):
        weight = prod(die.weights[face - 1] for die, face in zip(dice, thrown, strict=True))
        counts = tuple(thrown.count(face) for face in range(1, dice[0].faces + 1))
        ways[counts] += weight
    return {counts: number for counts, number in ways.items() if number}


@pytest.mark.parametrize(("count", "multisets"), [(1, 6), (2, 21), (3, 56), (4, 126), (5, 252), (6, 462)])
def test_fair_dice_show_every_multiset_and_all_ways_add_up(count: int, multisets: int) -> None:
    ways = throw_ways([fair_die(6)] * count)
    assert len(ways) == multisets == comb(count + 5, 5)
    assert sum(ways.values()) == 6**count
    assert all(sum(counts) == count and len(counts) == 6 for counts in ways)


def test_ways_of_five_dice_match_all_7776_ordered_throws() -> None:
    throws = Counter(from_faces(thrown, 6) for thrown in product(range(1, 7), repeat=5))
    assert throws.total() == 7776
    assert throw_ways([fair_die(6)] * 5) == throws


def test_ways_are_exact_integers_even_where_floats_are_not() -> None:
    heavy = Die((10**18 + 1, 1))
    ways = throw_ways([heavy] * 3)
    assert ways[3, 0] == (10**18 + 1) ** 3
    assert ways[2, 1] == 3 * (10**18 + 1) ** 2
    assert all(type(number) is int for number in ways.values())


def test_differently_loaded_dice_are_counted_with_the_products_of_their_weights() -> None:
    dice = [Die((1, 2, 3)), Die((5, 0, 7)), Die((0, 1, 0)), fair_die(3)]
    assert throw_ways(dice) == enumerated_ways(dice)


def test_a_face_without_weight_is_never_shown() -> None:
    assert throw_ways([Die((0, 3))] * 2) == {(0, 2): 9}


def test_no_dice_show_nothing_in_one_way() -> None:
    assert throw_ways([]) == {(): 1}


@PROPERTY
@given(dice_sets)
def test_loaded_dice_match_enumeration(dice: list[Die]) -> None:
    ways = throw_ways(dice)
    assert ways == enumerated_ways(dice)
    assert sum(ways.values()) == prod(sum(die.weights) for die in dice)


@PROPERTY
@given(dice_sets, st.randoms(use_true_random=False))
def test_the_order_of_the_dice_does_not_matter(dice: list[Die], random: Random) -> None:
    shuffled = list(dice)
    random.shuffle(shuffled)
    assert throw_ways(shuffled) == throw_ways(dice)


def test_sub_multisets_of_two_ones_and_a_three() -> None:
    found = list(sub_multisets((2, 0, 1)))
    assert sorted(found) == [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1), (2, 0, 0), (2, 0, 1)]


@PROPERTY
@given(st.lists(st.integers(0, 4), min_size=1, max_size=6).map(tuple))
def test_sub_multisets_are_each_contained_multiset_once(counts: Multiset) -> None:
    found = list(sub_multisets(counts))
    assert len(found) == len(set(found)) == prod(count + 1 for count in counts)
    assert all(0 <= part <= whole for sub in found for part, whole in zip(sub, counts, strict=True))
    assert (0,) * len(counts) in found
    assert counts in found


@PROPERTY
@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(1, n), max_size=8))))
def test_faces_make_a_multiset_and_come_back_in_ascending_order(case: tuple[int, list[int]]) -> None:
    faces, thrown = case
    counts = from_faces(thrown, faces)
    assert len(counts) == faces
    assert sum(counts) == len(thrown)
    assert to_faces(counts) == tuple(sorted(thrown))


@PROPERTY
@given(st.lists(st.integers(0, 5), min_size=1, max_size=12).map(tuple))
def test_a_multiset_is_spelled_by_its_faces(counts: Multiset) -> None:
    assert from_faces(to_faces(counts), len(counts)) == counts


def test_the_documented_throw_is_spelled_as_documented() -> None:
    assert from_faces([1, 3, 3, 4, 5], 6) == (1, 0, 2, 1, 1, 0)


@pytest.mark.parametrize("face", [0, -1, 7, 100])
def test_a_face_that_no_die_has_is_an_error_that_names_it(face: int) -> None:
    with pytest.raises(ValueError, match=f"no die here shows {face}$"):
        from_faces([1, face, 2], 6)


@pytest.mark.parametrize("faces", [1, 2, 6, 12])
def test_a_fair_die_has_one_way_for_each_face(faces: int) -> None:
    assert fair_die(faces) == Die((1,) * faces)
    assert fair_die(faces).faces == faces
