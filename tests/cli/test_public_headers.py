"""The installed headers are listed in docs/cpp.md and self-contained, and the documents quote the example verbatim."""

import re

import pytest
from program import ROOT

HEADERS = sorted((ROOT / "include" / "kinglet").iterdir())
CPP_HEADERS = [header for header in HEADERS if header.suffix == ".hpp"]


@pytest.mark.parametrize("name", ["README.md", "docs/cpp.md"])
def test_the_documents_show_the_example_as_it_is(name):
    example = (ROOT / "examples" / "one_at_a_time.cpp").read_text()
    assert f"```cpp\n{example}```" in (ROOT / name).read_text()


def test_the_example_is_short():
    body = (ROOT / "examples" / "one_at_a_time.cpp").read_text().split("int main() {\n")[1]
    assert len(body.splitlines()) <= 16


def test_every_header_is_listed():
    listed = re.findall(r"^\| `kinglet/(\S+)` \|", (ROOT / "docs" / "cpp.md").read_text(), re.M)
    assert sorted(listed) == [header.name for header in HEADERS]


@pytest.mark.parametrize("header", CPP_HEADERS, ids=lambda header: header.name)
def test_a_header_declares_no_type_that_a_user_cannot_complete(header):
    assert re.findall(r"^(?:class|struct) \w+;", header.read_text(), re.M) == []


@pytest.mark.parametrize("header", CPP_HEADERS, ids=lambda header: header.name)
def test_a_header_includes_public_headers_only(header):
    for included in re.findall(r'^#include "(.*)"', header.read_text(), re.M):
        assert included.startswith("kinglet/") and (ROOT / "include" / included).exists()
