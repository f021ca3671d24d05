"""The installed headers are listed in docs/cpp.md and self-contained, the code in their comments compiles, and the
documents quote the example verbatim."""

import re
import shutil
import subprocess

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


# What the code in a header's first comment takes as given.
GIVEN = {
    "kinglet.h": "float x[6] = {0}; double y[2] = {0};",
    "mix.hpp": "kinglet::Model sample_model, first, second;",
    "model.hpp": "const std::vector<float> x(2);",
    "source.hpp": "kinglet::Model model;",
}


def code_of(header):
    """The indented lines of the first comment that end as code does. Lists and formulas do not."""
    comment = re.split(r"^#|^/\* NOLINT", header.read_text(), maxsplit=1, flags=re.M)[0]
    return re.findall(r"^(?://| \*)   (.*[;{}](?: +//.*)?)$", comment, re.M)


def test_all_headers_with_code_are_compiled():
    assert [header.name for header in HEADERS if code_of(header)] == sorted(GIVEN)


@pytest.mark.parametrize("name", GIVEN)
def test_the_code_in_the_comment_of_a_header_compiles(name, tmp_path):
    if name.endswith(".h"):
        program, compiler, includes = tmp_path / "program.c", ["cc", "-std=c99"], ["stdio.h"]
    else:
        program, compiler, includes = tmp_path / "program.cpp", ["c++", "-std=c++20"], ["iostream", "vector", "kinglet/model.hpp"]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"no {compiler[0]}")
    lines = [f"#include <{file}>" for file in [*includes, f"kinglet/{name}"]]
    lines += ["int main(void) {", GIVEN[name], *code_of(ROOT / "include" / "kinglet" / name), "}"]
    program.write_text("\n".join(lines) + "\n")
    subprocess.run([*compiler, "-fsyntax-only", "-I", ROOT / "include", program], check=True)
