"""Records from CSV and JSON lines: one model whatever the format, ids, missing values and labels, resuming, export."""

import json
import random

import pytest
from program import refused, run, run_json

NAMES = ["visit", "shop", "age", "note", "at", "buys"]


def visits(rows, seed=1):
    """Rows as dicts; None is a missing value."""
    draw = random.Random(seed)
    for i in range(rows):
        shop, hour, age = draw.choice(["north", "south", "web"]), draw.randrange(24), draw.randint(18, 80)
        note = " ".join(draw.choices(["quick", "late, cheap", "big", "new", "gift", "back", "again"], k=6))
        buys = "yes" if (shop == "web") == (hour >= 18) or age > 70 else "no"
        yield {"visit": f"V{i}", "shop": shop, "age": None if i % 40 == 7 else age, "note": note,
               "at": f"2024-05-{i % 31 + 1:02}T{hour:02}:15", "buys": buys}  # fmt: skip


def as_csv(rows, separator=",", names=NAMES, end="\n", mark=""):
    def field(value):
        return "" if value is None else f'"{value}"' if separator in value or " " in value else value

    lines = [separator.join(names), *(separator.join(field(row[name] and str(row[name])) for name in names) for row in rows)]
    return mark + "".join(line + end for line in lines)


def as_json(rows, names=NAMES):
    return "".join(json.dumps({name: row[name] for name in names if row[name] is not None}) + "\n" for row in rows)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    rows = list(visits(2000))
    (folder / "visits.csv").write_text(as_csv(rows))
    (folder / "visits.jsonl").write_text(as_json(rows))
    learn(folder / "visits.csv", folder / "model")
    return folder


def learn(data, model, *flags):
    return run("train", data, "--label-column", "buys", "--id-column", "visit", "-o", model, *flags)


def test_every_format_gives_the_same_model(folder, tmp_path):
    rows = list(visits(2000))
    dressed = {
        "jsonl": as_json(rows),
        "semicolons": as_csv(rows, ";", end="\r\n", mark="\ufeff"),
        "tabs": as_csv(rows, "\t"),
        "bars": as_csv(rows, "|"),
        "null": "".join(json.dumps(row) + "\n" for row in rows),
    }
    for name, text in dressed.items():
        (tmp_path / name).write_text(text, newline="")
        learn(tmp_path / name, tmp_path / "model", "--quiet")
        assert (tmp_path / "model").read_bytes() == (folder / "model").read_bytes(), name
    (tmp_path / "odd").write_text(as_csv(rows, "~"))
    learn(tmp_path / "odd", tmp_path / "model", "--quiet", "--separator", "~")
    assert (tmp_path / "model").read_bytes() == (folder / "model").read_bytes()


def test_a_record_without_its_id_is_refused_with_its_line(folder, tmp_path):
    rows = list(visits(3))
    del rows[1]["visit"]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "rows.jsonl:1:1: the record has no id: it has no column 'nope'" in refused(
        "predict", path, "-m", folder / "model", "--id-column", "nope")  # fmt: skip
    done = run("predict", path, "-m", folder / "model", "--id-column", "visit", code=2)
    assert "rows.jsonl:2:1: the record has no id: it has no column 'visit'" in done.stderr


def test_a_model_of_records_refuses_rows_of_libsvm(folder, tmp_path):
    model, rows = folder / "model", tmp_path / "rows.libsvm"
    rows.write_text("yes 1:2 2:3\nno 1:1 2:1\n")
    wanted = "the model was trained on records (4 columns); LIBSVM rows do not have them: give CSV or JSON lines"
    for command in [["predict", rows, "-m", model], ["eval", rows, "-m", model], ["train", rows, "--from", model, "--quiet"]]:
        assert refused(*command) == f"kinglet: {rows}: {wanted}"
    done = run("train", folder / "visits.csv", "--label-column", "buys", "--test", rows, code=2)
    assert wanted in done.stderr


def test_a_column_cannot_be_both_wanted_and_ignored(folder, tmp_path):
    for data in ["visits.csv", "visits.jsonl"]:
        command = ["train", folder / data, "--label-column", "buys", "--only", "age", "--ignore", "age"]
        assert "column age is in both --only and --ignore" in refused(*command)


@pytest.mark.parametrize("flag", ["--category-values", "--text-features"])
def test_flags_of_features_are_refused_with_a_model(folder, flag):
    rows, model = folder / "visits.csv", folder / "model"
    for command in [["predict", rows, "-m", model], ["eval", rows, "-m", model], ["train", rows, "--from", model],
                    ["compress", model, "-o", folder / "small", "--budget", 9, "--test", rows]]:  # fmt: skip
        wanted = f"{flag} has no effect on a trained model, whose features are fixed"
        assert wanted in refused(*command, flag, 50)
        assert (flag in run(command[0], "--help", "data").stdout) == (command[0] == "train")


def test_a_label_of_its_own_in_every_row_is_doubted(tmp_path):
    def note(rows, *flags, header="id,x,y", code=0, twice=None, only=("--only", "2")):
        lines = [header, *(f"r{i - (i == twice)},{i % 9},{'ab'[i % 2]}" for i in range(rows))]
        (tmp_path / "rows.csv").write_text("\n".join(lines[not header :]) + "\n")
        return run("train", tmp_path / "rows.csv", "--algo", "perceptron", *only, *flags, code=code).stderr

    advice = "rows; --label-column names another column\n"
    assert f"note: the label 'id' has 1,023 classes in 1,024 {advice}" in note(1100, twice=5)
    assert f"note: the label has 127 classes in 128 {advice}" in note(128, header="", twice=5)
    assert advice not in note(127) + note(128, "--label-column", "1") + note(128, "--quiet", twice=5)
    assert advice not in note(128, "--label-column", "last")
    assert "column 1 ('id') differ in the first 128 rows, so it cannot be the label; name the label" in note(128, code=2, only=())
    assert "differ" not in note(128, "--label-column", "1", only=()) + note(127, only=())


def test_many_classes_that_are_fractions_are_doubted(tmp_path):
    def told(step):
        (tmp_path / "rows").write_text("".join(f"{i % 25 * step},{i % 7},{i % 3}\n" for i in range(300)))
        return run("train", tmp_path / "rows", "--algo", "perceptron").stderr

    assert "note: the label has 25 classes, all of them numbers; to predict numbers, use --task regress\n" in told(0.5)
    assert "regress" not in told(2)


def test_kinds_are_shown(folder, tmp_path):
    done = learn(folder / "visits.csv", tmp_path / "model")
    for line in ["number    age", "category  shop (3)", "text      note", "time      at", "label     buys"]:
        assert f"  {line}\n" in done.stderr
    assert "missing values    50 (age 50)" in done.stdout
    columns = run_json("info", tmp_path / "model")["columns"]
    assert {column["name"]: column["kind"] for column in columns} == {
        "shop": "category", "age": "number", "note": "text", "at": "time"}  # fmt: skip
    assert next(column for column in columns if column["name"] == "shop")["values"] == ["north", "web", "south"]
    decided = learn(folder / "visits.csv", tmp_path / "other", "--column", "note=ignore", "--column", "age=category").stderr
    assert "category  shop (3), age (63)" in decided and "ignore    visit, note" in decided
    only = learn(folder / "visits.jsonl", tmp_path / "other", "--only", "shop,at").stderr
    assert "2 columns become" in only


def test_predictions_find_their_columns_and_pass_ids_on(folder, tmp_path):
    rows = list(visits(300, seed=2))
    for row in rows[::3]:
        row["shop"] = "kiosk"  # a new value
    expected = None
    for names in (NAMES, NAMES[::-1], ["at", "visit", "note", "shop", "age"]):
        for name, text in (("csv", as_csv(rows, names=names)), ("jsonl", as_json(rows, names))):
            (tmp_path / name).write_text(text)
            printed = run("predict", tmp_path / name, "-m", folder / "model", "--id-column", "visit", "--scores").stdout
            assert [line.split("\t")[0] for line in printed.splitlines()] == [row["visit"] for row in rows]
            expected = expected or printed
            assert printed == expected


def test_rows_without_a_label_are_left_out_and_counted(folder, tmp_path):
    rows = list(visits(400, seed=3))
    for row in rows[::4]:
        row["buys"] = None
    (tmp_path / "rows.csv").write_text(as_csv(rows))
    (tmp_path / "rows.jsonl").write_text(as_json(rows))
    for data in ("rows.csv", "rows.jsonl"):
        done = learn(tmp_path / data, tmp_path / "model")
        assert "without a label   100 rows, left out" in done.stdout
        assert json.loads(run("info", tmp_path / "model", "--json").stdout)["examples"] == 300
        tested = run("eval", tmp_path / data, "-m", folder / "model")
        assert "examples            300 " in tested.stdout and "note: without a label: 100 rows, left out" in tested.stderr
        assert len(run("predict", tmp_path / data, "-m", folder / "model").stdout.splitlines()) == 400
    compared = run("compare", tmp_path / "rows.jsonl", "--label-column", "buys", "--algo", "bpegasos", "--budget", 20, "--folds", 2)
    assert "note: without a label: 100 rows, left out" in compared.stderr


def test_a_run_that_is_resumed_ends_with_the_same_model(folder, tmp_path):
    rows = as_json(visits(2000)).splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_text("".join(rows[:1500]))
    state = ["--checkpoint", tmp_path / "state"]
    learn(tmp_path / "part.jsonl", tmp_path / "part", *state, "--quiet")
    (tmp_path / "part.jsonl").write_text("".join(rows))
    learn(tmp_path / "part.jsonl", tmp_path / "whole", *state, "--resume", "--quiet")
    learn(folder / "visits.jsonl", tmp_path / "again", "--quiet")
    assert (tmp_path / "again").read_bytes() == (folder / "model").read_bytes()


def test_records_that_do_not_fit_name_column_value_and_line(folder, tmp_path):
    cases = [
        ("csv", "shop,age,note,at\nweb,old,a,2024-05-01\n", ":2:5: value 'old' of column 2 ('age') is not a number"),
        ("csv", "shop,age,note,at\nweb,30,a,05/01/2024\n", ":2:10: value '05/01/2024' of column 4 ('at') is not a date"),
        ("jsonl", '{"age": 3}\n{"age": "old"}\n', ":2:9: value 'old' of column 'age' is not a number"),
        ("jsonl", '{"age": [3]}\n', ":1:9: the value of column 'age' is a list or an object; to leave the column out, use --ignore age"),
        ("jsonl", '{"ages": 3}\n', ":1:10: the model was not trained with the column 'ages'; to leave it out, use --ignore ages"),
        ("jsonl", '{"age": 3\n', ":1:10: expected a comma or }"),
    ]  # fmt: skip
    for name, text, told in cases:
        data = tmp_path / name
        data.write_text(text)
        assert f"{data}{told}" in run("predict", data, "-m", folder / "model", code=2).stderr


def test_export_says_that_it_cannot_write_the_encoding(folder, tmp_path):
    for name in ("m.c", "m.onnx", "m.model"):
        assert "the model was trained on records" in refused("export", folder / "model", "-o", tmp_path / name)


def test_records_have_no_metric_unless_it_is_asked_for(folder, tmp_path):
    assert run_json("info", folder / "model")["options"]["metric"] == "none"
    learn(folder / "visits.csv", tmp_path / "model", "--metric", "learned", "--quiet")
    assert run_json("info", tmp_path / "model")["options"]["metric"] == "learned"


def test_the_json_format_may_be_given(folder, tmp_path):
    piped = run("predict", "-", "-m", folder / "model", "--format", "jsonl", input='{"shop": "web"}\n')
    assert piped.stdout in ("yes\n", "no\n")
    assert "expected an object" in refused("train", folder / "visits.csv", "--format", "jsonl")


def test_a_model_of_one_month_predicts_the_next(folder, tmp_path):
    for month in ("06", "08", "12"):
        rows = [{**row, "at": row["at"].replace("-05-31", "-05-28").replace("-05-", f"-{month}-")} for row in visits(1000, seed=2)]
        (tmp_path / "later").write_text(as_json(rows))
        tested = run("eval", tmp_path / "later", "-m", folder / "model", "--ignore", "visit")
        assert "note: new times: 1,000 (at 1,000), outside of those learned\n" in tested.stderr
        assert run_json("eval", tmp_path / "later", "-m", folder / "model", "--ignore", "visit")["accuracy"] > 0.9
    assert "new times" not in run("eval", folder / "visits.csv", "-m", folder / "model").stderr
    assert "  time      at (2024-05-01 to 2024-05-31)\n" in run("info", folder / "model").stdout


def test_columns_without_a_header_keep_their_numbers(tmp_path):
    lines = [f"V{i},{'xy'[i % 2]},{i % 7},2024-01-0{i % 9 + 1},{i * i % 11},{'no yes'.split()[i % 3 == 0]}" for i in range(300)]
    (tmp_path / "rows").write_text("\n".join(lines) + "\n")
    done = run("train", tmp_path / "rows", "--label-column", "last", "--id-column", "1", "-o", tmp_path / "model")
    for text in (done.stderr, run("info", tmp_path / "model").stdout):
        assert "  number    3, 5\n  category  2 (2)\n  time      4" in text and "  label     6\n" in text
    (tmp_path / "index").write_text(",c,y\n" + "".join(f"{i * 3 % 100},{'ab'[i % 2]},{i % 2}\n" for i in range(60)))
    assert "number    1 (no name)\n" in run("train", tmp_path / "index", "--label-column", "y").stderr


def test_a_first_row_that_recurs_is_learned(tmp_path):
    lines = [f"{'pe'[i % 2]},{'sx'[i % 3 == 0]},{'ny'[i % 5 == 0]}" for i in range(200)]
    (tmp_path / "rows").write_text("\n".join(lines) + "\n")
    done = run("train", tmp_path / "rows", "-o", tmp_path / "model")
    assert "examples          200 in" in done.stdout
    assert "note: the first row is taken as an example, because its values recur; if it is a header, use --header\n" in done.stderr
    (tmp_path / "few").write_text("s,n\nx,y\n")
    assert len(run("predict", tmp_path / "few", "-m", tmp_path / "model").stdout.splitlines()) == 2


def test_advice_that_helps(folder, tmp_path):
    (tmp_path / "caret").write_text("id^x^y\n1^2^a\n2^3^b\n")
    wanted = "the file has the columns id^x^y; if its columns are separated by '^', use --separator ^"
    assert wanted in refused("train", tmp_path / "caret", "--id-column", "id")
    assert "example 1 has no label: learning needs one for every example; name their column with --label-column" in refused(
        "train", folder / "visits.csv", "--label-column", "none")
    (tmp_path / "gap").write_text("y,x,c\na,,u\nb,2,v\n")
    assert "fill it in, or use --missing mark, --missing zero or --missing mean" in refused("train", tmp_path / "gap", "--missing", "error")
    (tmp_path / "bare").write_text("web,30,2024-05-01\n")
    assert "found 3 feature columns and no header, but the model was trained with 4" in refused(
        "predict", tmp_path / "bare", "-m", folder / "model")
    (tmp_path / "words").write_text("web,quick\n")
    assert "if the file has no header, use --no-header" in refused("predict", tmp_path / "words", "-m", folder / "model")
    later = tmp_path / "later"
    later.write_text(as_json(visits(1100)) + '{"coupon": 1, "buys": "yes"}\n')
    done = run("train", later, "--label-column", "buys", "-o", tmp_path / "m", "--quiet", code=2)
    assert "use --ignore coupon; to leave out all that may still come, use --only with the columns" in done.stderr
    run("train", later, "--label-column", "buys", "--only", "age,shop", "-o", tmp_path / "m", "--quiet")


def test_a_stray_quote_does_not_swallow_a_stream(folder, tmp_path):
    rows = ["shop,age,note,at\n", *["web,30,quick,2024-05-03T10:15\n"] * 3000]
    rows[100] = rows[100].replace(",q", ',"q', 1)
    (tmp_path / "rows").write_text("".join(rows))
    done = run("predict", tmp_path / "rows", "-m", folder / "model", code=2)
    assert len(done.stdout.splitlines()) == 99
    assert f"{tmp_path / 'rows'}:101:8: the quote that opens here is not closed within 1 MiB and 1,000 lines" in done.stderr


def test_microseconds_are_times(tmp_path):
    text = "y,at\n" + "".join(f"{i // 60 % 2},{(1704067200 + 60 * i) * 1000000}\n" for i in range(2000))
    (tmp_path / "rows").write_text(text)
    assert "time      at (microseconds)\n" in run("train", tmp_path / "rows", "--column", "at=time").stderr
    (tmp_path / "rows").write_text(text + "1,1e30\n1,1e30\n")
    done = run("train", tmp_path / "rows", "--column", "at=time", code=2)
    assert "is not a number of microseconds since 1970; if the column is of another kind, use --column at=number" in done.stderr
