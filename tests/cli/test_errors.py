"""Every user error gives one line on standard error and exit code 2, and leaves no incomplete file."""

import gzip
import os
import resource
import subprocess
import tarfile

import pytest
from program import TIMEOUT, blobs, refused, run, start


def write(path, text):
    path.write_text(text)
    return path


def test_unknown_commands_and_options_come_with_a_suggestion(board):
    assert "did you mean train?" in refused("trian")
    assert "did you mean --budget?" in refused("train", board, "--bugdet", 5)
    assert "--frobnicate" in refused("train", board, "--frobnicate")
    assert "did you mean --report?" in refused("train", board, "--rapport", "x.html")
    assert "DATA" in refused("train")
    assert "-m" in refused("predict", board)
    assert "unexpected" in refused("info", "one", "two")
    assert "--budget needs a value" in refused("train", board, "--budget")


def test_one_letter_options_and_long_lists_are_not_guessed_at(board):
    assert refused("train", board, "-z", 3) == "kinglet: unknown option -z (see kinglet train --help)"
    assert refused("train", board, "--algo", "bpegasus") == (
        "kinglet: unknown value 'bpegasus' for --algo (did you mean bpegasos?)"
    )


def test_models_and_binary_files_are_not_data(board_model, tmp_path):
    assert refused("train", board_model) == f"kinglet: {board_model}: is a kinglet model, not data"
    assert refused("train", board_model, "--format", "libsvm") == f"kinglet: {board_model}: is a kinglet model, not data"
    binary = tmp_path / "binary"
    binary.write_bytes(b"a,b\0,c\n1,2,3\n")
    assert refused("train", binary) == f"kinglet: {binary}:1:4: there is a NUL byte; is this a text file?"


@pytest.mark.parametrize(
    "content, what",
    [
        (b"PAR1\x15\x04\0\0PAR1", "is a Parquet file; convert it to CSV"),
        (b"ARROW1\0\0\xff\xff\xff\xff", "is an Arrow file; convert it to CSV"),
        (b"FEA1\0\0", "is a Feather file; convert it to CSV"),
        (b"PK\3\4\x14\0\0\0\x08\0", "is a zip archive or a spreadsheet; unpack it"),
        ("species,mass\nrobin,1\n".encode("utf-16"), "is UTF-16 text; convert it with iconv"),
        ("species,mass\n".encode("utf-16-be").join([b"\xfe\xff", b""]), "is UTF-16 text; convert it with iconv"),
        (b'{\n "species": "robin",\n "mass": 1\n}\n', "is JSON, but not one object per line"),
        (b'[{"species": "robin", "mass": 1},\n {"species": "wren", "mass": 2}]\n', "is JSON, but not one object per line"),
        (b"\n [\n  [1, 2],\n  [3, 4]\n]\n", "is JSON, but not one object per line"),
    ],
)
def test_foreign_formats_are_named_with_the_way_to_convert_them(tmp_path, board_model, content, what):
    data = tmp_path / "data"
    data.write_bytes(content)
    for args in [("train", data), ("predict", data, "-m", board_model), ("train", data, "--format", "csv")]:
        assert refused(*args).startswith(f"kinglet: {data}: {what}")
    with open(data) as file:
        assert refused("train", "-", stdin=file).startswith(f"kinglet: <stdin>: {what}")
    assert what in refused("train", "-", input=content.decode("latin-1"), encoding="latin-1")
    with gzip.open(tmp_path / "data.gz", "wb") as packed:
        packed.write(content)
    assert what in refused("train", tmp_path / "data.gz")


def test_tar_archives_are_named_also_compressed(tmp_path, board):
    for kind in "", ":gz":
        with tarfile.open(tmp_path / "data", "w" + kind) as archive:
            archive.add(board)
        assert "is a tar archive; unpack it with tar -xf" in refused("train", tmp_path / "data")


def test_the_first_bytes_of_a_compressed_file_are_not_data(tmp_path):
    whole = gzip.compress(b"a,1,2\nb,3,4\n" * 100)
    for size in range(2, len(whole)):
        (tmp_path / "data").write_bytes(whole[:size])
        assert "the compressed data are damaged or truncated" in refused("train", tmp_path / "data", "--quiet")
    for size in 2, 3, 9:
        assert "truncated" in refused("train", "-", input=whole[:size].decode("latin-1"), encoding="latin-1")
    for magic in b"\xfd7zXZ", b"\x28\xb5\x2f", b"\x28\xb5\x2f\xfd":
        (tmp_path / "data").write_bytes(magic)
        assert "truncated" in refused("train", tmp_path / "data")


def test_what_is_no_data_is_refused(tmp_path):
    words = write(tmp_path / "words", "robin\nwren\nfinch\n" * 700)
    assert f"{words}: no row has a feature" in refused("train", words, "--quiet")
    assert "no row has a feature" in refused("train", write(tmp_path / "few", "1\n-1\n# 1:3\n"))
    control = write(tmp_path / "control", "ro\x1bbin 1:2\nwren 1:1\n")
    assert refused("train", control) == rf"kinglet: {control}:1:1: label 'ro\x1bbin' contains a control character"
    lines = write(tmp_path / "lines.csv", 'species,mass\n"robin\nred",1\nwren,2\n')
    assert refused("train", lines) == (
        rf"kinglet: {lines}:2:1: label 'robin\x0ared' contains a line end or another control character"
    )
    tab = write(tmp_path / "tab.csv", "ro\tbin,1\nwren,2\n")
    assert "control character" in refused("train", tab, "--format", "csv")
    for text, place in [('a,"1\nb,2\n', "1:3"), ('"a,1\nb,2\n', "1:1"), ('a,1\nb,"2\nc,3\n', "2:3")]:
        quotes = write(tmp_path / "quotes.csv", text)
        assert refused("train", quotes) == f"kinglet: {quotes}:{place}: the quote that opens here is never closed"
    late = tmp_path / "late"
    late.write_bytes(b"1 1:1\n-1 1:2\n" * 2000 + b"1 1:1 # no\0te\n")
    assert f"kinglet: {late}:4001:11: there is a NUL byte; is this a text file?" in refused("train", late, "--quiet")


def test_a_word_in_a_column_of_numbers(tmp_path):
    """The first rows decide what a column is; a later value that does not fit is told with its place and the remedy."""
    numbers = "".join(f"{'ab'[i % 2]},{i % 7},{i % 3}\n" for i in range(2000))
    data = write(tmp_path / "d.csv", f"kind,p,q\n{numbers}a,4x,1\n")
    assert (
        f"{data}:2002:3: value '4x' of column 2 ('p') is not a number; "
        "if the column is of another kind, use --column p=category"
    ) in refused("train", data, "--quiet")
    run("train", data, "--quiet", "--column", "p=category")
    data = write(tmp_path / "e.csv", "a,b\n1,2\n3,4x\n")
    assert f"{data}:3:3: value '4x' of column 2 ('b') is not a number" in refused("train", data, "--column", "b=number")


def test_a_column_of_words_is_a_category_or_the_label(tmp_path):
    data = write(tmp_path / "d.csv", "a,b,species\n1,2,robin\n3,4,wren\n")
    assert "label     a\n" in run("train", data).stderr
    shown = run("train", data, "--label-column", "last").stderr
    assert "columns become" not in shown  # plain numbers
    assert refused("train", data, "--column", "species=number").endswith(
        "value 'robin' of column 3 ('species') is not a number; if the column is of another kind, use --column species=category"
    )
    data = write(tmp_path / "f.csv", "1,2,robin\n3,4,wren\n")
    assert refused("train", data, "--column", "3=number").endswith(
        "value 'robin' of column 3 is not a number; if the column is of another kind, use --column 3=category"
    )


def test_options_are_given_once_and_flags_without_a_value(board, board_model):
    assert "--budget is given 2 times" in refused("train", board, "--budget", 5, "--budget", 6)
    assert "-o is given 2 times" in refused("train", board, "-o", "a", "--model", "b")
    assert "--passes is given 3 times" in refused("train", board, *["--passes", 1] * 3)
    assert "--threads is given 2 times" in refused("predict", board, "-m", board_model, "--threads", 1, "--threads=1")
    assert "--json takes no value" in refused("train", board, "--json=3")
    assert "--json takes no value" in refused("info", board_model, "--json=0")


def test_long_lists_of_rules_are_cut_short(board):
    line = refused("train", board, "--update", "perceptron", "--budget-rule", "none", "--budget", 5)
    assert "takes it" in line and len(line) < 150


@pytest.mark.parametrize(
    "args, told",
    [
        (["--budget", "0"], "budget"),
        (["--budget", "many"], "budget"),
        (["--lambda", "-1"], "lambda"),
        (["--gamma", "nan"], "gamma"),
        (["--algo", "pegasus"], "pegasos"),
        (["--kernel", "rfb"], "rbf"),
        (["--passes", "0"], "passes"),
        (["--passes", "x"], "passes"),
        (["--passes", "-1"], "passes"),
        (["--dimension", "-1"], "dimension"),
        (["--dimension", "5G"], "dimension"),
        (["--checkpoint", "/dev/null"], "/dev/null"),
        (["--memory", "12Q"], "12Q"),
        (["--memory", "1M", "--budget", "5"], "budget"),
        (["--resume"], "--checkpoint"),
        (["--every", "5"], "--checkpoint"),
        (["--format", "arff"], "arff"),
        (["--header", "--no-header"], "--no-header"),
        (["--eta", "1"], "norma"),
    ],
)
def test_bad_values_are_named(board, args, told):
    assert told in refused("train", board, *args)


def test_merging_needs_a_gaussian_kernel_and_says_what_works(board):
    for merging in [["--algo", "bpegasos"], ["--budget-rule", "merge"]]:
        line = refused("train", board, "--kernel", "linear", *merging)
        assert "merge" in line and "rbf" in line and "smallest" in line
    run("train", board, "--kernel", "linear", "--budget-rule", "smallest", "--budget", 20, "--quiet")
    run("train", board, "--kernel", "linear", "--budget", 20, "--quiet")


def test_files_that_cannot_be_read(tmp_path, board_model):
    missing = tmp_path / "missing"
    for args in [("train", missing), ("predict", missing, "-m", board_model), ("eval", "gen:gauss?n=9", "-m", missing),
                 ("info", missing), ("train", "gen:gauss?n=9", "--test", missing)]:  # fmt: skip
        assert "missing: no such file" in refused(*args)
    assert "empty" in refused("train", write(tmp_path / "empty", ""))
    assert "<stdin>" in refused("train", "-", input="")
    assert "directory" in refused("train", tmp_path).lower()


@pytest.mark.parametrize(
    "text, place",
    [
        ("1 1:nan\n", ":1:5"),
        ("1 1:1\n-1 1:1e999\n", ":2:6"),
        ("1 1:1 1:2\n", ":1:7"),
        ("1 3:1 2:2\n", ":1:7"),
        ("1 1:1\n1 x:2\n", ":2:3"),
        ("a,1,2\nb,1\n", ":2:"),
    ],
)
def test_bad_data_are_told_with_line_and_column(tmp_path, text, place):
    path = write(tmp_path / "data", text)
    assert f"{path}{place}" in refused("train", path)


def test_missing_values_can_be_refused(tmp_path):
    path = write(tmp_path / "data", "a,1,2\nb,1,\n")
    assert f"{path}:2:5: the value of column 3 is missing" in refused("train", path, "--missing", "error")
    shown = run("train", path)
    assert "missing values    1 (3 1)" in shown.stdout


def test_options_that_the_format_does_not_have(tmp_path, board, board_model):
    for option in [["--label-column", "last"], ["--label-column", "first"], ["--weight-column", 1], ["--header"],
                   ["--no-header"], ["--missing", "error"], ["--missing", "mean"], ["--separator", "~"], ["--only", "x"],
                   ["--column", "x=text"], ["--id-column", "x"], ["--category-values", 9], ["--text-features", 9]]:  # fmt: skip
        formats = "CSV" if option[0] in ("--header", "--no-header", "--separator") else "CSV and JSON lines"
        assert refused("train", board, *option).endswith(f"{option[0]} applies only to {formats}, but {board} is in LIBSVM format")
        of_model = "has no effect on a trained model" if option[0] in ("--category-values", "--text-features") else "applies only to CSV"
        assert f"{option[0]} {of_model}" in refused("predict", board, "-m", board_model, *option)
        assert f"{option[0]} applies only to CSV" in refused("train", board, "--format", "libsvm", *option)
        assert f"{option[0]} applies only to files" in refused("train", "gen:gauss?n=100", *option)
    csv = blobs(tmp_path / "rows.csv", separator=",")
    assert refused("train", csv, "--index-base", 1).endswith(f"--index-base applies only to LIBSVM format, but {csv} is CSV")
    assert "--index-base applies only to LIBSVM" in refused("train", csv, "--format", "csv", "--index-base", 0)
    for option in ["--format", "csv"], ["--index-base", "1"], ["--dimension", "2"]:
        assert f"{option[0]} applies only to files" in refused("eval", "gen:checkerboard?n=100", "-m", board_model, *option)
    # A model trained on LIBSVM data accepts CSV, and options for CSV data do not apply to a test set in another format.
    run("eval", csv, "-m", board_model)
    for test in ["gen:gauss?n=100", board]:
        run("train", csv, "--label-column", "first", "--budget", 20, "--test", test, "--quiet")


def test_an_option_of_csv_tells_the_format_where_the_data_do_not(tmp_path):
    path = write(tmp_path / "data", "x\n" + "".join(f"{i % 7}\n" for i in range(200)))
    one = ["--task", "novelty", "--label-column", "none"]
    run("train", path, *one, "-o", tmp_path / "m", "--quiet")
    assert len(run("predict", path, "-m", tmp_path / "m", "--label-column", "none").stdout.splitlines()) == 200


def test_an_index_beyond_the_stated_dimension(tmp_path):
    path = write(tmp_path / "data", "1 1:1 2:1\n-1 3:1\n")
    assert f"{path}:2:4" in refused("train", path, "--dimension", 2)


def test_an_error_late_in_the_data_writes_no_model(tmp_path, board):
    path = write(tmp_path / "data", board.read_text() + "1 1:inf\n")
    done = run("train", path, "-o", tmp_path / "m", "--budget", 20, code=2)
    assert done.stderr.splitlines()[-1].startswith(f"kinglet: {path}:20001:5")
    assert sorted(os.listdir(tmp_path)) == ["data", "m.partial"]


def test_a_bad_test_is_found_before_anything_is_learned(tmp_path, words):
    endless, model = "gen:checkerboard", tmp_path / "m"
    one = write(tmp_path / "one.csv", "1,2\n-1,3\n")
    for text in ["", "1 1:1\n1 1:x\n", "1 1:1\n1 1:1 2:3 2:3\n"]:
        assert "bad" in refused("train", endless, "-o", model, "--test", write(tmp_path / "bad", text))
    assert "no label" in refused("train", endless, "-o", model, "--test", "gen:friedman?n=100")
    assert "not a number" in refused("train", "gen:friedman", "--task", "regress", "-o", model, "--test", words)
    assert "trained with 2 features and a label" in refused("train", endless, "-o", model, "--test", one)
    assert not model.exists()


def test_a_test_that_fails_late_says_where_the_model_is(tmp_path, board):
    late = write(tmp_path / "late", board.read_text() + "1 1:x\n")
    done = run("train", board, "-o", tmp_path / "m", "--budget", 20, "--test", late, "--quiet", code=2)
    assert done.stderr.count("\n") == 1 and f"{late}:20001:5" in done.stderr
    assert f"the model is saved in {tmp_path / 'm'}" in done.stderr
    assert run("info", tmp_path / "m")


def test_broken_and_foreign_models(tmp_path, board, board_model):
    whole = board_model.read_bytes()
    bad = tmp_path / "bad.kinglet"
    for size in [0, 1, 7, 8, 20, 100, len(whole) // 2, len(whole) - 1]:
        bad.write_bytes(whole[:size])
        assert "bad.kinglet" in refused("predict", board, "-m", bad)
    for at in range(0, len(whole), len(whole) // 40):
        bad.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
        assert "bad.kinglet" in refused("info", bad)
    bad.write_bytes(whole + b"x")
    assert "bad.kinglet" in refused("info", bad)
    assert "model" in refused("info", board)
    assert "foreign" in refused("eval", board, "-m", write(tmp_path / "foreign", "svm_type c_svc\nkernel_type rbf\n"))


def test_what_is_read_is_not_replaced(tmp_path, words, words_model):
    data, model = tmp_path / "data", tmp_path / "model"
    for original, copy in ((words, data), (words_model, model)):
        copy.write_bytes(original.read_bytes())
    labels = write(tmp_path / "labels", "1 wren\n")
    asking = ["train", data, "--query", "ramp", "--labels-in", labels, "--quiet"]
    for args in [
        ["predict", data, "-m", model, "-o", data],
        ["predict", data, "-m", model, "-o", model],
        ["train", data, "-o", data],
        [*asking, "--query-out", data],
        [*asking, "--query-out", labels],
        [*asking, "--query-out", tmp_path / "queries", "-o", labels],
    ]:
        assert "is an input file and would be replaced" in refused(*args)
    assert data.read_bytes() == words.read_bytes() and model.read_bytes() == words_model.read_bytes()
    assert labels.read_text() == "1 wren\n" and len(os.listdir(tmp_path)) == 3


def test_what_is_read_by_its_name_in_a_folder_is_not_replaced(tmp_path, board):
    folder = tmp_path / "sets"
    folder.mkdir()
    mine = folder / "mine"
    mine.write_bytes(board.read_bytes())
    by_name = ["data:mine", "--data", folder]
    run("train", board, "-o", tmp_path / "model", "--budget", 10, "--quiet")
    for args in [
        ["train", *by_name, "-o", mine],
        ["train", *by_name, "--report", mine],
        ["train", board, "--test", *by_name, "-o", mine],
        ["compare", *by_name, "--report", mine],
        ["tune", *by_name, "-o", mine],
        ["tune", *by_name, "--report", mine],
        ["predict", *by_name, "-m", tmp_path / "model", "-o", mine],
        ["compress", tmp_path / "model", "--budget", 5, "--test", *by_name, "-o", mine],
    ]:
        assert "is an input file and would be replaced" in refused(*args)
    named = {**os.environ, "KINGLET_DATA": str(folder)}
    assert "is an input file and would be replaced" in refused("train", "data:mine", "-o", mine, env=named)
    banana = write(folder / "banana", "1 1:1\n")
    of_a_paper = ["paper", "bsgd-table3", "--sets", "banana", "--data", folder, "--report", banana]
    assert "is an input file and would be replaced" in refused(*of_a_paper)
    assert mine.read_bytes() == board.read_bytes() and banana.read_text() == "1 1:1\n"


@pytest.mark.parametrize("args", [
    ["train", "gen:gauss?n=50", "-o"],
    ["train", "gen:gauss?n=50", "--test"],
    ["train", "gen:gauss?n=50", "--checkpoint"],
    ["tune", "gen:gauss?n=50", "-o"],
    ["compare", "gen:gauss?n=50", "--test"],
    ["compare", "gen:gauss?n=50", "--data"],
])  # fmt: skip
def test_an_empty_name_is_not_as_none(args):
    assert "needs a f" in refused(*args, "")


def test_a_full_disk(tmp_path, board, board_model):
    assert "No space left" in refused("train", board, "-o", "/dev/full", "--budget", 20, "--quiet")
    assert "No space left" in refused("predict", board, "-m", board_model, "-o", "/dev/full")
    with open("/dev/full", "w") as full:
        from program import KINGLET

        for args in [["gen", "gauss", "-n", "10"], ["info", str(board_model)], ["train", "--help"]]:
            done = subprocess.run([KINGLET, *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
            assert done.returncode == 2 and "No space left" in done.stderr


def test_a_file_that_may_not_grow_leaves_the_old_one(tmp_path, board):
    model = write(tmp_path / "m", "old")
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))}
    assert "too large" in refused("train", board, "-o", model, "--budget", 100, "--quiet", **limit)
    assert "too large" in refused("gen", "gauss", "-n", 1000, "-o", tmp_path / "rows", **limit)
    assert model.read_text() == "old" and os.listdir(tmp_path) == ["m"]


def test_a_folder_that_may_not_be_written():
    # Root can write everywhere, so run the program as the user nobody.
    nobody = {"user": 65534} if os.geteuid() == 0 else {}
    try:
        line = refused("train", "gen:gauss?n=100", "-o", "/no-room-for-a-model", **nobody)
    except PermissionError:
        pytest.skip("the program is in a folder that nobody may enter")
    assert "Permission denied" in line or "Read-only" in line


def test_out_of_memory_is_one_line(tmp_path):
    rows = blobs(tmp_path / "rows", rows=50)
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))}
    assert "memory" in refused("train", rows, "--quiet", "--budget", 10**8, **limit)


def test_two_dashes_end_the_options(tmp_path, board):
    (tmp_path / "-board").write_text(board.read_text())
    done = run("train", "--budget", 20, "--quiet", "-o", "m", "--", "-board", cwd=tmp_path)
    assert done.stderr == ""
    assert len(run("predict", "-m", "m", "--", "-board", cwd=tmp_path).stdout.splitlines()) == 20000
    assert "unexpected argument '-x'" in refused("train", "--", "-board", "-x", cwd=tmp_path)


def peak_memory(*args, **options):
    """The largest resident size of the program in bytes."""
    child = start(*args, stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_maxrss * 1024


def test_a_long_line_takes_about_its_own_length(tmp_path, board_model):
    predict = ["predict", "-m", board_model, "--threads", 1]
    length, program = 100 << 20, 20 << 20

    def write_long(path, end, opened=open):
        with opened(path, "wb") as file:  # in pieces: the size of this process counts for its children as well
            file.write(b"1 1:1 2:1 # ")
            for _ in range(length >> 20):
                file.write(b"x" * (1 << 20))
            file.write(end)
        return path

    for end in b"\n", b"":
        long = write_long(tmp_path / "long", end)
        packed = write_long(tmp_path / "long.gz", end, gzip.open)
        for path in long, packed:
            assert peak_memory(*predict, path) < program + 1.3 * length
        with subprocess.Popen(["cat", long], stdout=subprocess.PIPE) as piped:
            assert peak_memory(*predict, "-", stdin=piped.stdout) < program + 1.3 * length
    entries, count = tmp_path / "entries", 6_000_000
    with open(entries, "w") as file:
        file.write("1")
        for i in range(1, count + 1):
            file.write(f" {i}:1")
    # The line, and a value and an index for each entry.
    assert peak_memory(*predict, entries) < program + 1.2 * (entries.stat().st_size + 8 * count)
