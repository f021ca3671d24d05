"""The extension module must not need libraries that only the kinglet command needs."""

import pathlib
import struct

from kinglet import _kinglet

# Values of the ELF format, 64 bits, little-endian.
SEGMENT_LOAD, SEGMENT_DYNAMIC = 1, 2
TAG_NEEDED, TAG_STRING_TABLE = 1, 5


def needed_libraries(path):
    """The libraries that `readelf -d` shows as NEEDED."""
    elf = pathlib.Path(path).read_bytes()
    assert elf[:6] == b"\x7fELF\x02\x01"
    start, size, count = (*struct.unpack_from("<Q", elf, 32), *struct.unpack_from("<HH", elf, 54))
    segments = [struct.unpack_from("<IIQQQQ", elf, start + i * size) for i in range(count)]

    def offset_of(address):
        loaded = (s for s in segments if s[0] == SEGMENT_LOAD and s[3] <= address < s[3] + s[5])
        _, _, offset, begin, *_ = next(loaded)
        return offset + address - begin

    dynamic = next(s for s in segments if s[0] == SEGMENT_DYNAMIC)
    tags = [struct.unpack_from("<QQ", elf, dynamic[2] + at) for at in range(0, dynamic[5], 16)]
    strings = offset_of(next(value for tag, value in tags if tag == TAG_STRING_TABLE))
    names = [strings + value for tag, value in tags if tag == TAG_NEEDED]
    return [elf[at : elf.index(b"\0", at)].decode() for at in names]


def test_nothing_of_the_laboratory():
    libraries = needed_libraries(_kinglet.__file__)
    assert any(name.startswith("libc.so") for name in libraries)
    unwanted = ("libarchive", "libcrypto", "libcurl", "libssl", "libsvm")
    assert [name for name in libraries if name.startswith(unwanted)] == []
