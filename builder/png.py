"""PNG files made small without loss, and no larger on a slide for having more pixels."""

import struct
import zlib
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def recompressed(picture: bytes) -> bytes:
    """The same picture with its pixels packed as tightly as zlib can; everything else stays as it is."""
    chunks = list(_chunks(picture))
    pixels = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    head = [chunk for chunk in chunks if chunk[0] not in (b"IDAT", b"IEND")]
    packed = [*head, (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b"")]
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in packed)


def size_of(picture: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and data of each chunk (PNG specification, section 5.3)."""
    at = len(SIGNATURE)
    while at < len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        yield kind, picture[at + 8 : at + 8 + length]
        at += 12 + length


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
