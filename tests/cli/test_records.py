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
    def note(rows, *flags, header="id,x,y"):
        lines = [header, *(f"r{i},{i % 9},{'ab'[i % 2]}" for i in range(rows))]
        (tmp_path / "rows.csv").write_text("\n".join(lines[not header :]) + "\n")
        return run("train", tmp_path / "rows.csv", "--algo", "perceptron", "--only", "2", *flags).stderr

    advice = "rows; --label-column names another column\n"
    assert f"note: the label 'id' has 1,024 classes in 1,024 {advice}" in note(1100)
    assert f"note: the label has 128 classes in 128 {advice}" in note(128, header="")
    assert advice not in note(127) + note(128, "--label-column", "1") + note(128, "--quiet")
    assert advice not in note(128, "--label-column", "last")


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
