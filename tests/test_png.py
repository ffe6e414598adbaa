"""Pictures packed again: smaller, and the same."""

import struct
import zlib

import pytest

from builder.png import SIGNATURE, recompressed, size_of


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@pytest.fixture
def picture():
    """Red, 40 by 30 pixels at 144 an inch, not compressed at all, its pixels in two chunks."""
    rows = (b"\0" + b"\xff\0\0\xff" * 40) * 30
    packed = zlib.compress(rows, 0)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 6, 0, 0, 0)),
        (b"pHYs", struct.pack(">IIB", 5669, 5669, 1)),
        (b"IDAT", packed[:100]),
        (b"IDAT", packed[100:]),
        (b"IEND", b""),
    ]
    return SIGNATURE + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunks(picture):
    """Kind and data of each chunk, once its checksum was found right."""
    found, at = [], len(SIGNATURE)
    while at < len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        data = picture[at + 8 : at + 8 + length]
        assert picture[at : at + 12 + length] == _chunk(kind, data)
        found.append((kind, data))
        at += 12 + length
    return found


def test_it_is_smaller(picture):
    """Pixels that were not compressed are."""
    assert len(recompressed(picture)) < len(picture) / 10


def test_it_shows_the_same(picture):
    """Every pixel, the size and the pixels an inch are as they were; the pixels are one chunk."""
    before, after = _chunks(picture), _chunks(recompressed(picture))
    assert [kind for kind, _ in after] == [b"IHDR", b"pHYs", b"IDAT", b"IEND"]
    assert after[:2] == before[:2]
    assert zlib.decompress(after[2][1]) == zlib.decompress(before[2][1] + before[3][1])


def test_it_is_made_alike_each_time(picture):
    """The same picture has the same bytes, and packing it once more changes nothing."""
    once = recompressed(picture)
    assert recompressed(picture) == once == recompressed(once)


def test_its_size(picture):
    """Width and height are those of its head."""
    assert size_of(picture) == (40, 30)
