"""Table files from strangers: whatever a file claims, it is read in full or refused in one line."""

import json
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import shipped_table
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save
from table_files import DATA, HEADER, INFO, SMALL, raw, refusal, with_array, with_info

from solver.table import FORMAT, read_info, read_table, write_table


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that properties may write again and again."""
    return tmp_path_factory.mktemp("tables") / "scratch.safetensors"


def test_a_newer_format_is_told_as_such(scratch: Path) -> None:
    assert "newer version" in refusal(scratch, with_info(format=FORMAT + 1))
    # A later version may have other keys; that is no reason to call the file damaged.
    later = json.dumps({"format": FORMAT + 1, "anything": "else"})
    assert "newer version" in refusal(scratch, raw({**HEADER, "__metadata__": {"kosti": later}}))


@pytest.mark.parametrize("metadata", [None, {}, {"pt": "yes"}])
def test_a_foreign_safetensors_file_is_refused(metadata: dict[str, str] | None, scratch: Path) -> None:
    refusal(scratch, save({"states": np.zeros((2, 1), np.int32), "values": np.zeros(2)}, metadata))


@pytest.mark.parametrize("length", [0, 1, 2**20 + 1, 2**31, 2**32, 2**63, 2**64 - 1])
def test_a_senseless_header_length_is_refused(length: int, scratch: Path) -> None:
    refusal(scratch, struct.pack("<Q", length) + SMALL[8:])
    refusal(scratch, read=read_info)


@pytest.mark.parametrize(
    "header",
    [b"[]", b"null", b"1", b'"text"', b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000, b"{}"]
    + [json.dumps({"__metadata__": found}).encode() for found in ({}, [], None, "kosti", {"kosti": 1}, {"kosti": []})]
    + [json.dumps({"__metadata__": {"kosti": text}}).encode() for text in ("", "[]", "null", "{}", "[" * 100_000)],
)
def test_a_header_that_says_something_else_is_refused(header: bytes, scratch: Path) -> None:
    refusal(scratch, raw(header))
    refusal(scratch, read=read_info)


WRONG_SHAPES: list[object] = [[], [100], [0], [100, 0], [0, 100], [-100, -1], [100.0, 1], [True, 100], [1, 100]]
WRONG_SHAPES += [None, "100", {}, [100, 1, 1], [2**47, 2**47], [2**62, 2**62], [2**70, 1], [[100], 1], ["100", 1]]
WRONG_OFFSETS: list[object] = [[], [0], [0, 400, 800], [400, 0], [-400, 0], [0, 2**62], [0, 2**70], [0.0, 400.0]]
WRONG_OFFSETS += [None, "0400", [False, 400], [1, 401], [None, 400], {"0": 400}, [0, 399], [0, 0], [800, 1200]]


@pytest.mark.parametrize("shape", WRONG_SHAPES)
def test_a_wrong_shape_is_refused(shape: object, scratch: Path) -> None:
    assert HEADER["states"]["shape"] == [100, 1]
    refusal(scratch, with_array("states", shape=shape))
    if shape != [100]:
        refusal(scratch, with_array("values", shape=shape))


@pytest.mark.parametrize("offsets", WRONG_OFFSETS)
@pytest.mark.parametrize("name", ["states", "values"])
def test_wrong_offsets_are_refused(name: str, offsets: object, scratch: Path) -> None:
    if offsets != HEADER[name]["data_offsets"]:
        refusal(scratch, with_array(name, data_offsets=offsets))


@pytest.mark.parametrize("dtype", ["F64", "F32", "I64", "i32", "", None, 4, [], "BOOL"])
def test_a_wrong_type_of_number_is_refused(dtype: object, scratch: Path) -> None:
    refusal(scratch, with_array("states", dtype=dtype))


@pytest.mark.parametrize("described", [None, [], 1, "I32", {}, {"dtype": "I32"}])
def test_an_array_that_is_not_described_is_refused(described: object, scratch: Path) -> None:
    refusal(scratch, raw({**HEADER, "states": described}))
    refusal(scratch, raw({name: part for name, part in HEADER.items() if name != "states"}))
    refusal(scratch, raw({**HEADER, "more": HEADER["states"]}))


def test_arrays_that_overlap_or_leave_holes_are_refused(scratch: Path) -> None:
    spans = {name: HEADER[name]["data_offsets"] for name in ("states", "values")}
    overlapping = {name: {**HEADER[name], "data_offsets": [0, end - begin]} for name, (begin, end) in spans.items()}
    refusal(scratch, raw({**HEADER, **overlapping}))
    # The second array begins eight bytes after the end of the first.
    middle = min(end for _begin, end in spans.values())
    apart = {
        name: {**HEADER[name], "data_offsets": [begin + 8, end + 8]}
        for name, (begin, end) in spans.items()
        if begin == middle
    }
    refusal(scratch, raw({**HEADER, **apart}, DATA[:middle] + bytes(8) + DATA[middle:]))


def test_claims_of_great_sizes_take_no_memory(scratch: Path) -> None:
    tracemalloc.start()
    for size in (2**31, 2**40, 2**47):
        refusal(scratch, with_array("values", shape=[size], data_offsets=[400, 400 + 8 * size]))
        refusal(scratch, with_array("states", shape=[size, 1], data_offsets=[0, 4 * size]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(content=st.binary(max_size=600))
def test_random_bytes_are_refused(scratch: Path, content: bytes) -> None:
    refusal(scratch, content)


@settings(max_examples=50)
@given(header=JSON, data=st.binary(max_size=50))
def test_random_headers_are_refused(scratch: Path, header: object, data: bytes) -> None:
    refusal(scratch, raw(header, data))


@given(name=st.sampled_from(sorted(INFO)), found=JSON)
def test_random_words_of_a_table_about_itself_are_refused(scratch: Path, name: str, found: object) -> None:
    if found != INFO[name]:
        refusal(scratch, with_info(**{name: found}))


@given(name=st.sampled_from(["states", "values"]), key=st.sampled_from(["dtype", "shape", "data_offsets"]), found=JSON)
def test_random_descriptions_of_an_array_are_refused(scratch: Path, name: str, key: str, found: object) -> None:
    if found != HEADER[name][key]:
        refusal(scratch, with_array(name, **{key: found}))


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 0},
        {"players": 3},
        {"players": -1},
        {"players": 2},
        {"bound": float("nan")},
        {"bound": float("inf")},
        {"bound": -1e-9},
        {"title": "two\nlines"},
        {"title": "red \x1b[31m"},
        {"fields": []},
    ],
)
def test_words_that_make_no_sense_are_refused_whatever_their_checksum(changes: dict[str, Any], scratch: Path) -> None:
    # A checksum finds damage; it does not tell who wrote the file.
    table = read_table(shipped_table("pig.turns"))
    write_table(scratch, table._replace(info=table.info._replace(**changes)))
    refusal(scratch)
