"""Active learning: queries answered by a labelled file or by a person."""

import fcntl
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import termios
import threading
import time

import pytest
import test_docs
from program import ROOT, TIMEOUT, blobs, refused, run, run_json, start, wait_for_handler, wait_until

BOARD = ["gen:checkerboard?n=8000", "--gamma", 8, "--algo", "bmp", "--budget", 300]
TEST = ["--test", "gen:checkerboard?n=2000&seed=2"]


# --- labelled files, whose labels are hidden until they are queried ---


@pytest.mark.parametrize("rule", ["all", "ramp", "greedy"])
def test_the_curve_of_accuracy_against_labels(rule):
    result = run_json("train", *BOARD, *TEST, "--query", rule, "--query-budget", 500, "--quiet")
    curve = result["curve"]
    assert result["labels"] == 500 and result["examples"] == 8000
    assert [point["labels"] for point in curve] == [10, 20, 40, 80, 160, 320, 500]
    examples = [point["examples"] for point in curve]
    assert examples == sorted(examples) and examples[-1] == 8000
    if rule == "all":
        assert examples[:-1] == [11, 21, 41, 81, 161, 321]  # a point is recorded at the next query
    if rule == "greedy":
        assert examples[:-1] == [55, 105, 205, 405, 805, 1605]
    assert curve[-1]["test_accuracy"] == result["test_accuracy"] > curve[0]["test_accuracy"]
    mistakes = sum(p["online_error"] * (p["examples"] - q) for p, q in zip(curve, [0, *examples]))
    assert mistakes / 8000 == pytest.approx(result["online_error"])


def test_labels_that_are_asked_for_are_worth_more():
    accuracy = {}
    for rule in ["all", "ramp", "greedy"]:
        accuracy[rule] = run_json("train", *BOARD, *TEST, "--query", rule, "--query-budget", 500, "--quiet")["test_accuracy"]
    assert accuracy["ramp"] > accuracy["all"] and accuracy["greedy"] > accuracy["all"]


def test_what_is_shown(tmp_path):
    done = run("train", *BOARD, "--query", "greedy", "--query-budget", 700, "-o", tmp_path / "m")
    assert re.search(r"^labels used +700 of 8,000 examples$", done.stdout, re.M)
    assert re.search(r"^ +examples +labels +recent error", done.stderr, re.M)
    assert re.search(r"^ +8,000 +700 +0\.\d+ ", done.stderr, re.M)
    assert re.search(r"^labels used +700 of 8,000 examples$", run("info", tmp_path / "m").stdout, re.M)
    assert run_json("info", tmp_path / "m")["labels_learned"] == 700
    plain = run("train", *BOARD)
    assert "labels" not in plain.stdout + plain.stderr
    assert "curve" not in run_json("train", *BOARD, "--quiet")


def test_the_ramp_and_pegasos_do_not_go_together():
    data = ["gen:waveform?n=3000", "--query", "ramp"]
    assert run_json("train", *data, "--query-budget", 300, "--quiet")["labels"] == 300
    assert "few scores are within the ramp" in run("train", *data, "--algo", "bpegasos").stderr
    assert "ramp" not in run("train", *data).stderr


def test_checkpoints_and_measuring_do_not_change_the_model(tmp_path):
    args = [*BOARD, "--query", "greedy", "--query-window", 7, "--passes", 2]
    run("train", *args, "-o", tmp_path / "plain", "--quiet")
    run("train", *args, *TEST, "-o", tmp_path / "m", "--checkpoint", tmp_path / "state", "--every", 37, "--quiet")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "plain").read_bytes()


def test_killed_and_resumed_gives_the_same_bytes(tmp_path):
    args = ["train", "gen:waveform?n=60000", "--algo", "bmp", "--budget", "200", "--query", "ramp", "--passes", "3", "--quiet"]
    run(*args, "-o", tmp_path / "whole")
    flags = ["-o", tmp_path / "m", "--checkpoint", tmp_path / "state", "--every", "1500", "--resume"]
    for seconds in [0.1, 0.2, 0.15, 0.1]:
        child = start(*args, *flags)
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    run(*args, *flags)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


def test_rows_without_labels(tmp_path):
    rows = ["a 1:1", "b 1:-1"] * 10 + ["1:0.9", "1:-1.1"] * 50
    (tmp_path / "d").write_text("\n".join(rows) + "\n")
    result = run_json("train", tmp_path / "d", "--query", "all", "--query-budget", 20, "--quiet")
    assert result["examples"] == 120 and result["labels"] == 20 and result["online_error"] <= 0.1
    line = refused("train", tmp_path / "d", "--query", "all", "--query-budget", 21, "--quiet")
    assert line == "kinglet: example 21 has no label, but the model asks for it"
    assert "no label" in refused("train", tmp_path / "d")
    (tmp_path / "d").write_text("\n".join(["x,1", "y,-1"] * 10 + [",0.9"] * 50) + "\n")
    assert run_json("train", tmp_path / "d", "--query", "all", "--query-budget", 20, "--quiet")["labels"] == 20


def test_what_makes_no_sense_is_refused(tmp_path):
    assert "--query greedy takes it" in refused("train", *BOARD, "--query-window", 3)
    assert "all|ramp|greedy" in refused("train", *BOARD, "--query", "some")
    assert "--task classify takes it" in refused("train", "gen:friedman?n=100", "--task", "regress", "--query", "ramp")
    assert "must be given together" in refused("train", *BOARD, "--query-out", tmp_path / "q")
    assert "must be given together" in refused("train", *BOARD, "--labels-in", tmp_path / "q")
    both = ["--query-out", tmp_path / "q", "--labels-in", "-"]
    assert "DATA and --labels-in" in refused("train", "-", *both)
    assert "--test and --labels-in" in refused("train", *BOARD, *both, "--test", "-")
    assert "--json" in refused("train", *BOARD, "--query-out", "-", "--labels-in", "-", "--json")
    assert "--passes" in refused("train", *BOARD, *both, "--passes", 2)
    assert "--task classify" in refused("train", "gen:friedman?n=100", "--task", "regress", *both)
    assert "no such file" in refused("train", *BOARD, "--query-out", tmp_path / "q", "--labels-in", tmp_path / "none")


# --- labels from somebody who answers the queries during training ---


class Labeller(threading.Thread):
    """Answers queries through two named pipes. `answer` returns the line that answers a query, or None to hang up."""

    def __init__(self, folder, answer):
        super().__init__(daemon=True)
        self.queries, self.labels = folder / "queries", folder / "labels"
        for pipe in [self.queries, self.labels]:
            if not pipe.exists():
                os.mkfifo(pipe)
        self.answer = answer
        self.asked = []

    @property
    def flags(self):
        return ["--query-out", self.queries, "--labels-in", self.labels]

    def run(self):
        with open(self.queries) as queries, open(self.labels, "w") as labels:
            for line in queries:
                query = json.loads(line)
                self.asked.append(query)
                answer = self.answer(query)
                if answer is None:
                    return
                print(answer, file=labels, flush=True)


def train_with(labeller, *args, code=0, **options):
    labeller.start()
    done = run("train", *args, *labeller.flags, code=code, **options)
    labeller.join(TIMEOUT)
    assert not labeller.is_alive()
    return done


@pytest.fixture
def birds(tmp_path):
    """Rows of three classes without labels, as LIBSVM and as CSV files, and their true labels."""
    lines = blobs(tmp_path / "birds", rows=1500, labels=("wren", "robin", "finch"), seed=4).read_text().splitlines()
    truth = [line.split()[0] for line in lines]
    rows = [line.split(" ", 1)[1] for line in lines]
    (tmp_path / "rows.libsvm").write_text("\n".join(rows) + "\n")
    (tmp_path / "rows.csv").write_text("\n".join(re.sub(r"\d:", "", row).replace(" ", ",") for row in rows) + "\n")
    return tmp_path, rows, truth


def right(truth):
    return lambda query: f"{query['id']} {truth[query['id'] - 1]}"


@pytest.mark.parametrize("rule", ["ramp", "greedy", "all"])
def test_somebody_labels_along(birds, rule):
    folder, rows, truth = birds
    args = ["--query", rule, "--query-budget", 60, "--algo", "bmp", "--budget", 40, "-o", folder / "m"]
    labeller = Labeller(folder, right(truth))
    done = train_with(labeller, folder / "rows.libsvm", *args, "--test", folder / "birds", "--json")
    result = json.loads(done.stdout)
    assert result["examples"] == 1500 and result["labels"] == len(labeller.asked) <= 60
    if rule != "ramp":
        assert result["labels"] == 60
    assert result["test_accuracy"] > 0.95 and result["curve"][-1]["test_accuracy"] == result["test_accuracy"]
    assert "majority_error" not in result
    assert sorted(run_json("info", folder / "m")["labels"]) == ["finch", "robin", "wren"]
    for query in labeller.asked:
        assert list(query) == ["id", "prediction", "score", "certainty", "row"]
        given = dict(pair.split(":") for pair in query["row"].split())
        assert {k: float(v) for k, v in given.items()} == pytest.approx(
            {k: float(v) for k, v in (pair.split(":") for pair in rows[query["id"] - 1].split())})  # fmt: skip
    assert labeller.asked[0]["prediction"] is None and labeller.asked[0]["certainty"] == 0
    # CSV without a label column, and LIBSVM rows with labels that are not used, give the same model.
    whole = (folder / "m").read_bytes()
    train_with(Labeller(folder, right(truth)), folder / "rows.csv", "--label-column", "none", *args, "--quiet")
    assert learner_of(folder / "m") == learner_of_bytes(whole)
    (folder / "zeros").write_text("".join(f"0 {row}\n" for row in rows))
    train_with(Labeller(folder, right(truth)), folder / "zeros", *args, "--quiet")
    assert learner_of(folder / "m") == learner_of_bytes(whole)


def learner_of_bytes(model):
    """The model file without its checksum and its header, which contains the fingerprint of the data."""
    return model[28 + int.from_bytes(model[20:28], "little") : -8]


def learner_of(path):
    return learner_of_bytes(pathlib.Path(path).read_bytes())


def test_the_labels_end_early(birds):
    folder, _, truth = birds
    args = [folder / "rows.libsvm", "--query", "greedy", "--algo", "bmp", "--budget", 40]
    train_with(Labeller(folder, right(truth)), *args, "-o", folder / "whole", "--quiet")

    flags = ["-o", folder / "m", "--checkpoint", folder / "state"]
    short = Labeller(folder, lambda query: right(truth)(query) if len(short.asked) <= 25 else None)
    done = train_with(short, *args, *flags)
    assert "note: training ended with the answers: 25 labels for 129 examples" in done.stderr
    assert run_json("info", folder / "m")["labels_learned"] == 25
    run("predict", folder / "birds", "-m", folder / "m")
    # The resumed run begins with the query that was left open and loses nothing.
    more = Labeller(folder, right(truth))
    train_with(more, *args, *flags, "--resume", "--quiet")
    assert more.asked[0]["id"] == short.asked[-1]["id"]
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


@pytest.mark.parametrize("slip, told", [
    (lambda query: f"{query['id'] + 1} wren", "this answers query 46, but the open query is 45"),
    (lambda query: "wren", "'wren' is not an answer"),
    (lambda query: f"{query['id']}", "is not an answer"),
])  # fmt: skip
def test_a_slip_of_the_labeller_loses_nothing(birds, slip, told):
    folder, _, truth = birds
    args = [folder / "rows.libsvm", "--query", "all", "--query-budget", 70, "--algo", "bmp", "--budget", 40]
    train_with(Labeller(folder, right(truth)), *args, "-o", folder / "whole", "--quiet")
    flags = ["-o", folder / "m", "--checkpoint", folder / "state", "--quiet"]
    clumsy = Labeller(folder, lambda query: right(truth)(query) if query["id"] < 45 else slip(query))
    done = train_with(clumsy, *args, *flags, code=2)
    assert re.fullmatch(r"kinglet: \S+/labels:45:1: .* \(what was learned from 45 examples is in \S+/m\.partial\)\n", done.stderr)
    assert told in done.stderr and done.stdout == "" and not (folder / "m").exists()
    assert run_json("info", folder / "m.partial")["labels_learned"] == 44
    train_with(Labeller(folder, right(truth)), *args, *flags, "--resume")
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


def test_ctrl_c_while_waiting_for_a_label(birds):
    folder, _, truth = birds
    args = [folder / "rows.libsvm", "--query", "all", "--query-budget", 50, "--algo", "bmp", "--budget", 40]
    train_with(Labeller(folder, right(truth)), *args, "-o", folder / "whole", "--quiet")
    flags = ["-o", folder / "m", "--checkpoint", folder / "state"]

    def interrupt(query):
        if query["id"] < 20:
            return right(truth)(query)
        wait_for_handler(child)
        child.send_signal(signal.SIGINT)
        child.wait(10)
        return None

    labeller = Labeller(folder, interrupt)
    child = start("train", *args, *flags, *labeller.flags, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    labeller.start()
    _, err = child.communicate(timeout=TIMEOUT)
    labeller.join(TIMEOUT)
    assert child.returncode == 130 and "stopped after 19 examples; the model is saved" in err
    train_with(Labeller(folder, right(truth)), *args, *flags, "--resume", "--quiet")
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


def test_ctrl_c_before_anybody_reads_the_queries(birds):
    folder, _, _ = birds
    labeller = Labeller(folder, lambda query: None)
    child = start("train", folder / "rows.libsvm", *labeller.flags, "-o", folder / "m", stderr=subprocess.PIPE, text=True)
    wait_for_handler(child)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=TIMEOUT)
    assert child.returncode == 130, err


def test_queries_on_standard_output_and_labels_on_standard_input(birds):
    folder, _, truth = birds
    child = start("train", folder / "rows.libsvm", "--query", "ramp", "--query-budget", 30, "--query-out", "-", "--labels-in",
                  "-", "-o", folder / "m", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    for line in child.stdout:
        print(right(truth)(json.loads(line)), file=child.stdin, flush=True)
    child.stdin.close()
    err = child.stderr.read()
    child.stderr.close()
    child.stdout.close()
    assert child.wait(10) == 0 and "labels used" in err


def test_the_reader_of_the_queries_goes_away(birds):
    folder, _, truth = birds
    child = start("train", folder / "rows.libsvm", "--query", "all", "--query-out", "-", "--labels-in", "-", "-o",
                  folder / "m", "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    for _ in range(5):
        last = right(truth)(json.loads(child.stdout.readline()))
        if last.startswith("5 "):
            child.stdout.close()
        print(last, file=child.stdin, flush=True)
    err = child.stderr.read()
    assert child.wait(10) == 2 and "standard output" in err and "m.partial)" in err
    child.stdin.close()
    child.stderr.close()
    assert run_json("info", folder / "m.partial")["labels_learned"] == 5


def test_answers_from_a_file(birds):
    """Answers that were prepared in a file. The last one counts even if its line has no end."""
    folder, _, truth = birds
    (folder / "answers").write_text("\n".join(f"{i + 1}  {label} " for i, label in enumerate(truth[:40])))
    flags = ["--query-out", folder / "asked", "--labels-in", folder / "answers", "-o", folder / "m"]
    run("train", folder / "rows.libsvm", "--query", "all", *flags)
    assert run_json("info", folder / "m")["labels_learned"] == 40
    assert len((folder / "asked").read_text().splitlines()) == 41
    (folder / "answers").write_text("")
    run("train", folder / "rows.libsvm", "--query", "all", *flags)
    assert "learned nothing" in refused("predict", folder / "birds", "-m", folder / "m")


def test_data_come_in_on_a_pipe(birds):
    folder, _, truth = birds
    labeller = Labeller(folder, right(truth))
    train_with(labeller, "-", "--query", "ramp", "--algo", "bmp", "-o", folder / "m", "--quiet",
               input=(folder / "rows.libsvm").read_text())  # fmt: skip
    train_with(Labeller(folder, right(truth)), folder / "rows.libsvm", "--query", "ramp", "--algo", "bmp", "-o", folder / "n", "--quiet")
    assert (folder / "m").read_bytes() == (folder / "n").read_bytes()
    assert labeller.asked


def as_json(truth):
    return lambda query: json.dumps({"id": query["id"], "label": truth[query["id"] - 1], "by": "somebody"})


def test_answers_in_json_are_the_same_as_in_words(birds):
    folder, _, truth = birds
    args = [folder / "rows.libsvm", "--query-budget", 50, "--algo", "bmp", "--budget", 40, "--quiet"]
    train_with(Labeller(folder, right(truth)), *args, "-o", folder / "words")
    train_with(Labeller(folder, as_json(truth)), *args, "-o", folder / "json")
    assert (folder / "json").read_bytes() == (folder / "words").read_bytes()


def test_a_label_that_nobody_knows_is_not_learned(birds):
    folder, _, truth = birds
    args = [folder / "rows.libsvm", "--algo", "bmp", "--budget", 40, "--json"]
    unsure = Labeller(folder, lambda query: as_json([None] * 1500 if query["id"] % 3 else truth)(query))
    result = json.loads(train_with(unsure, *args, "-o", folder / "m").stdout)
    assert result["examples"] == 1500 and result["labels"] == 500


@pytest.mark.parametrize("answer", ['{"id":1}', '{"label":"wren"}', '{"id":-1,"label":"wren"}', '{"id":"1","label":"wren"}',
                                    '{"id":1,"label":["wren"]}', '{"id":1,"label":""}', '{"id":1,"label":"a b"}', '{"id":1,"label":"wren"',
                                    "[1]", "99999999999999999999999 wren", "-1 wren", '{"id":1e400,"label":"wren"}'])  # fmt: skip
def test_lines_that_are_no_answers(birds, answer):
    folder, _, _ = birds
    (folder / "answers").write_text(answer + "\n")
    line = refused("train", folder / "rows.libsvm", "--query-out", folder / "asked", "--labels-in", folder / "answers", "--quiet")
    assert "answers:1:1: " in line and "is not an answer" in line and """as in '1 yes' or '{"id":1,"label":"yes"}'""" in line


@pytest.mark.parametrize("rule", ["all", "ramp", "greedy"])
def test_metrics_judge_every_answer(birds, rule):
    folder, _, truth = birds
    labeller = Labeller(folder, lambda query: as_json([None] * 1500 if query["id"] % 3 == 0 else truth)(query))
    args = [folder / "rows.libsvm", "--algo", "bmp", "--budget", 40, "--query", rule, "--metrics", "--json"]
    result = json.loads(train_with(labeller, *args, "-o", folder / "m").stdout)
    known = [query for query in labeller.asked if query["id"] % 3 > 0]
    stream = result["stream"]
    assert stream["examples"] == result["labels"] == len(known) > 5
    hits = sum(query["prediction"] == truth[query["id"] - 1] for query in known)
    assert stream["accuracy"] == pytest.approx(hits / len(known))
    assert sum(each["examples"] for each in stream["classes"]) == len(known)


# --- labels that come later, by id: --delay with --query-out ---

LATE = ["--algo", "bmp", "--budget", 40]


def answers_for(truth, order):
    return "".join(json.dumps({"id": i + 1, "label": truth[i]}) + "\n" for i in order)


def test_labels_by_id_in_any_order_give_the_model_of_the_labelled_rows(birds):
    folder, rows, truth = birds
    asked, answers = folder / "asked", folder / "answers"
    flags = [*LATE, "--delay", 300, "--query-out", asked, "--labels-in", answers]
    shuffled = [j for i in range(0, 1500, 4) for j in reversed(range(i, i + 4))]
    answers.write_text(answers_for(truth, shuffled))
    late = run_json("train", folder / "rows.libsvm", *flags, "-o", folder / "late")
    answers.write_text("".join(f"{i + 1} {label}\n" for i, label in enumerate(truth)))
    run("train", folder / "rows.libsvm", *LATE, "--query-out", folder / "q", "--labels-in", answers, "-o", folder / "prompt")
    assert learner_of(folder / "late") == learner_of(folder / "prompt")
    # Predictions are judged as they were when the rows arrived, like those of a labelled file with --delay.
    known = run_json("train", folder / "birds", *LATE, "--delay", 300)
    assert late["stream"]["examples"] == known["stream"]["examples"] == 1500 - 1024 - 300
    queries = [json.loads(line) for line in asked.read_text().splitlines()]
    assert [query["id"] for query in queries] == list(range(1, 1501))
    assert all(query["prediction"] is None for query in queries[: 1024 + 300])
    assert all(query["prediction"] in {"wren", "robin", "finch"} for query in queries[1024 + 300 :])
    right_ones = sum(query["prediction"] == truth[query["id"] - 1] for query in queries[1024 + 300 :])
    assert late["stream"]["accuracy"] == pytest.approx(right_ones / 176)


@pytest.mark.parametrize("answers, told", [
    ("1 wren\n1 wren\n", "query 1 was answered before"),
    ("1 wren\n2 wren\n1 wren\n", "query 1 was answered before"),
    ("1501 wren\n", "this answers query 1501, but the open queries are 1 to 1124"),
    ("0 wren\n", "this answers query 0, but the open queries are 1 to 1124"),
])  # fmt: skip
def test_answers_to_no_open_query(birds, answers, told):
    folder, _, _ = birds
    (folder / "answers").write_text(answers)
    flags = ["--delay", 100, "--query-out", folder / "asked", "--labels-in", folder / "answers"]
    line = refused("train", folder / "rows.libsvm", *LATE, *flags, "--quiet")
    assert "answers:" in line and told in line


def test_labels_by_the_ids_of_the_rows(birds):
    folder, rows, truth = birds
    ids = [f"B-{i * 7 % 1500}" for i in range(1500)]
    values = [dict(pair.split(":") for pair in row.split()) for row in rows]
    records = [{"bird": ids[i], "x": float(value["1"]), "y": float(value["2"])} for i, value in enumerate(values)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    answers, asked = folder / "answers", folder / "asked"
    order = [j for i in range(0, 1500, 4) for j in reversed(range(i, i + 4))]
    answers.write_text("".join(json.dumps({"row_id": ids[i], "label": truth[i]}) + "\n" for i in order))
    base = ["train", folder / "rows.jsonl", *LATE, "--label-column", "none", "--delay", 300]
    flags = ["--id-column", "bird", "--query-out", asked, "--labels-in", answers]
    run(*base, *flags, "-o", folder / "by_row_id")
    assert [json.loads(line)["row_id"] for line in asked.read_text().splitlines()] == ids
    answers.write_text(answers_for(truth, order))
    run(*base, *flags, "-o", folder / "by_id")
    assert learner_of(folder / "by_row_id") == learner_of(folder / "by_id")
    answers.write_text(json.dumps({"row_id": "B-9999", "label": "wren"}) + "\n")
    assert "answers:1:1: no open query has the row_id 'B-9999'" in refused(*base, *flags, "--quiet")
    (folder / "rows.jsonl").write_text("".join(json.dumps({**record, "bird": "twin"}) + "\n" for record in records))
    answers.write_text(answers_for(truth, order))
    assert "two rows that wait for their labels have the id 'twin': examples 1 and 2" in refused(*base, *flags, "--quiet")


class Lagging(Labeller):
    """Reads `group` queries before it answers the first of them, and then answers all at once; at the end, the rest."""

    def __init__(self, folder, answer, group):
        super().__init__(folder, answer)
        self.group = group

    def run(self):
        with open(self.queries) as queries, open(self.labels, "w") as labels:
            while lines := list(itertools.islice(queries, self.group)):
                self.asked += map(json.loads, lines)
                print(*map(self.answer, map(json.loads, lines)), sep="\n", file=labels, flush=True)


@pytest.mark.parametrize("rows, delay, group", [(1500, 1200, 1000), (20_000, 10_000, 5000), (1500, 2000, 10_000)])
def test_a_labeller_that_lags_behind_does_not_block(tmp_path, rows, delay, group):
    """Queries and answers of a group are many times larger than a pipe, and the last group is smaller than the others."""
    lines = blobs(tmp_path / "labelled", rows=rows, seed=4).read_text().splitlines()
    truth = [line.split()[0] for line in lines]
    lagging = Lagging(tmp_path, as_json(truth), group)
    train_with(lagging, tmp_path / "labelled", *LATE, "--delay", delay, "-o", tmp_path / "m", "--quiet")
    assert [query["id"] for query in lagging.asked] == list(range(1, rows + 1))
    (tmp_path / "answers").write_text(answers_for(truth, range(rows)))
    flags = ["--query-out", tmp_path / "asked", "--labels-in", tmp_path / "answers"]
    run("train", tmp_path / "labelled", *LATE, *flags, "-o", tmp_path / "n", "--quiet")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


GUIDE = (ROOT / "docs" / "guide.md").read_text()
TEACHER, TOGETHER = [command for _, block in test_docs.BLOCK.findall(GUIDE) for command, _ in test_docs.steps(block) if "teacher.py" in command]


@pytest.mark.parametrize("rows", [1, 9, 1000, 1023, 1024, 1025, 2023, 2024, 2025, 2039, 3007])
def test_the_two_processes_of_the_guide_do_with_any_number_of_rows(tmp_path, rows):
    lines = blobs(tmp_path / "test.libsvm", rows=rows, labels=("1", "-1"), seed=4).read_text().splitlines()
    (tmp_path / "truth.txt").write_text("".join(line.split()[0] + "\n" for line in lines))
    (tmp_path / "rows.libsvm").write_text("".join(line.split(" ", 1)[1] + "\n" for line in lines))
    for command in [TEACHER, "mkfifo queries labels", TOGETHER]:
        code, printed = test_docs.execute(command, tmp_path)
        assert code == 0, printed
    assert run_json("info", tmp_path / "late.kinglet")["examples"] == rows


def test_two_processes_on_the_pipes_of_a_shell(birds):
    folder, _, truth = birds
    (folder / "truth.txt").write_text("\n".join(truth))
    shown = "kinglet train rows.libsvm --algo bmp --budget 40 --delay 100 --quiet"
    for command in [
        TEACHER,
        f"mkfifo labels; {shown} -o named --query-out >(python3 teacher.py > labels) --labels-in labels",
        f"mkfifo back; {shown} -o standard --query-out - --labels-in - < back | python3 teacher.py > back",
    ]:
        code, printed = test_docs.execute(command, folder)
        assert code == 0 and printed == []
    assert (folder / "named").read_bytes() == (folder / "standard").read_bytes()
    assert run_json("info", folder / "named")["examples"] == 1500


def test_a_reader_that_opens_the_queries_late_finds_them_all(birds):
    folder, rows, truth = birds
    (folder / "rows.libsvm").write_text("\n".join(rows[:20]) + "\n")
    lagging = Lagging(folder, right(truth), 100)
    child = start("train", folder / "rows.libsvm", *LATE, "--delay", 100, *lagging.flags, "-o", folder / "m", "--quiet")
    wait_until(lambda: str(lagging.queries) in [os.path.realpath(link) for link in pathlib.Path(f"/proc/{child.pid}/fd").iterdir()])
    time.sleep(0.3)  # all queries are written by now, probably
    lagging.start()
    assert child.wait(TIMEOUT) == 0
    assert len(lagging.asked) == 20


def small_pipe(path):
    """The descriptor of a named pipe with two pages of room, to be read."""
    os.mkfifo(path)
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 2 * os.sysconf("SC_PAGESIZE"))
    os.set_blocking(pipe, True)
    return pipe


def wait_until_full(pipe):
    """Waits until the bytes in the pipe do not become more."""
    seen = [0]

    def is_full():
        time.sleep(0.1)
        seen.append(int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), "little"))
        return seen[-1] == seen[-2] > os.sysconf("SC_PAGESIZE") - 200

    wait_until(is_full)


def read_until(queries, last):
    """Reads queries up to the one with this id, or to their end."""
    for line in queries:
        if json.loads(line)["id"] >= last:
            return


def test_ctrl_c_while_there_is_no_room_for_a_query(birds):
    folder, _, truth = birds
    args = ["train", folder / "rows.libsvm", *LATE, "--delay", 100, "--labels-in", folder / "answers"]
    (folder / "answers").write_text(answers_for(truth, range(1500)))
    run(*args, "--query-out", folder / "asked", "-o", folder / "whole", "--quiet")
    flags = ["-o", folder / "m", "--checkpoint", folder / "state"]
    pipe = small_pipe(folder / "queries")
    child = start(*args, *flags, "--query-out", folder / "queries", stderr=subprocess.PIPE, text=True)
    wait_until_full(pipe)
    with open(pipe) as queries:
        read_until(queries, 1200)  # by now some rows were learned
        wait_until_full(pipe)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=TIMEOUT)
    assert child.returncode == 130, err
    assert re.search(r"stopped after 1,\d+ examples; the model is saved", err)
    learned = run_json("info", folder / "m")
    # The resumed run needs the answers that were not learned.
    (folder / "answers").write_text(answers_for(truth, range(learned.get("labels_learned", learned["examples"]), 1500)))
    run(*args, *flags, "--query-out", folder / "asked", "--resume", "--quiet")
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


@pytest.mark.parametrize("group, delay", [(50, 100), (100, 100), (1000, 1000)])
def test_a_complete_file_of_answers_in_any_order(birds, group, delay):
    """The run reads no further than to the answers that it needs, however slowly its queries are read."""
    folder, _, truth = birds
    order = [i for begin in range(0, 1500, group) for i in reversed(range(begin, min(begin + group, 1500)))]
    (folder / "answers").write_text(answers_for(truth, order))
    args = ["train", folder / "rows.libsvm", *LATE, "--delay", delay, "--labels-in", folder / "answers", "--quiet"]
    run(*args, "--query-out", folder / "asked", "-o", folder / "m")
    pipe = small_pipe(folder / "queries")
    child = start(*args, "--query-out", folder / "queries", "-o", folder / "slow")
    wait_until_full(pipe)
    with open(pipe) as queries:
        assert queries.read() == (folder / "asked").read_text()
    assert child.wait(TIMEOUT) == 0
    assert (folder / "m").read_bytes() == (folder / "slow").read_bytes()
    (folder / "answers").write_text(answers_for(truth, range(1500)))
    run(*args, "--query-out", folder / "asked", "-o", folder / "n")
    assert (folder / "m").read_bytes() == (folder / "n").read_bytes()


def test_answers_that_end_while_there_is_no_room_for_a_query(birds):
    """Queries that nobody will answer need no reader: they are written only while there is room, and none after one that was dropped."""
    folder, _, truth = birds
    (folder / "answers").write_text(answers_for(truth, range(1100)))
    pipe = small_pipe(folder / "queries")
    child = start("train", folder / "rows.libsvm", *LATE, "--delay", 100, "--labels-in", folder / "answers",
                  "--query-out", folder / "queries", "-o", folder / "m", stderr=subprocess.PIPE, text=True)  # fmt: skip
    wait_until_full(pipe)
    with open(pipe) as queries:
        asked = [json.loads(line)["id"] for line in queries]  # those after 1,100 only while there is room
    _, err = child.communicate(timeout=TIMEOUT)
    assert asked == list(range(1, len(asked) + 1)) and len(asked) >= 1100
    assert child.returncode == 0 and "note: training ended with the answers: 1,100 labels" in err


def test_answers_that_end_early_are_gone_on_with(birds):
    folder, _, truth = birds
    (folder / "answers").write_text(answers_for(truth, range(1500)))
    base = ["train", folder / "rows.libsvm", *LATE, "--delay", 200, "--query-out", folder / "asked", "--labels-in", folder / "answers"]
    run(*base, "-o", folder / "whole", "--quiet")
    (folder / "answers").write_text(answers_for(truth, range(1200)))
    flags = ["-o", folder / "m", "--checkpoint", folder / "state"]
    done = run(*base, *flags)
    assert "note: training ended with the answers: 1,200 labels" in done.stderr
    (folder / "answers").write_text(answers_for(truth, range(1200, 1500)))
    run(*base, *flags, "--resume", "--quiet")
    asked = [json.loads(line)["id"] for line in (folder / "asked").read_text().splitlines()]
    assert sorted(asked) == list(range(1201, 1501))  # what was not learned, and nothing else
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


# --- teachers that know only the ids of the rows ---


def by_row_id(truth):
    return lambda query: json.dumps({"row_id": query["row_id"], "label": truth[int(query["row_id"][1:])]})


@pytest.fixture
def records(birds):
    """The rows as CSV with a column of ids, B0 to B1499."""
    folder, _, truth = birds
    lines = (folder / "rows.csv").read_text().splitlines()
    (folder / "records.csv").write_text("bird,x,y\n" + "".join(f"B{i},{line}\n" for i, line in enumerate(lines)))
    return folder, truth


def answers_by_row_id(truth, rows):
    return "".join(by_row_id(truth)({"row_id": f"B{i}"}) + "\n" for i in rows)


@pytest.mark.parametrize("rows", [1, 300, 1200])
def test_the_query_that_was_left_open_is_asked_first_with_its_row_id(records, rows):
    folder, truth = records
    base = ["train", folder / "records.csv", *LATE, "--label-column", "none", "--id-column", "bird", "--delay", 200, "--labels-in", folder / "answers", "--quiet"]
    (folder / "answers").write_text(answers_by_row_id(truth, range(1500)))
    run(*base, "--query-out", folder / "asked", "-o", folder / "whole")
    (folder / "answers").write_text(answers_by_row_id(truth, range(rows)))
    flags = ["-o", folder / "m", "--checkpoint", folder / "state"]
    run(*base, *flags, "--query-out", folder / "first")
    (folder / "answers").write_text(answers_by_row_id(truth, range(rows, 1500)))
    run(*base, *flags, "--query-out", folder / "second", "--resume")
    asked = [json.loads(line) for line in (folder / "second").read_text().splitlines()]
    assert [(query["id"], query["row_id"]) for query in asked] == [(i + 1, f"B{i}") for i in range(rows, 1500)]
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


def test_a_live_teacher_that_knows_only_row_ids_goes_on_after_a_restart(records):
    folder, truth = records
    base = [folder / "records.csv", *LATE, "--label-column", "none", "--id-column", "bird", "--delay", 100, "--quiet"]
    train_with(Labeller(folder, by_row_id(truth)), *base, "-o", folder / "whole")
    flags = ["-o", folder / "m", "--checkpoint", folder / "state"]
    short = Labeller(folder, lambda query: by_row_id(truth)(query) if query["id"] <= 1150 else None)
    train_with(short, *base, *flags)
    train_with(Labeller(folder, by_row_id(truth)), *base, *flags, "--resume")
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


@pytest.mark.parametrize("rule", ["all", "greedy"])
def test_without_delay_queries_have_row_ids_too(records, rule):
    folder, truth = records
    args = [folder / "records.csv", *LATE, "--label-column", "none", "--query", rule, "--query-budget", 60, "--quiet"]
    train_with(Labeller(folder, lambda query: right(truth)(query)), *args, "--ignore", "bird", "-o", folder / "plain")
    args += ["--id-column", "bird"]
    teacher = Labeller(folder, by_row_id(truth))
    train_with(teacher, *args, "-o", folder / "whole")
    assert all(query["row_id"] == f"B{query['id'] - 1}" for query in teacher.asked) and len(teacher.asked) == 60
    assert (folder / "whole").read_bytes() == (folder / "plain").read_bytes()
    flags = ["-o", folder / "m", "--checkpoint", folder / "state"]
    short = Labeller(folder, lambda query: by_row_id(truth)(query) if len(short.asked) <= 25 else None)
    train_with(short, *args, *flags)
    more = Labeller(folder, by_row_id(truth))
    train_with(more, *args, *flags, "--resume")
    assert more.asked[0]["row_id"] == short.asked[-1]["row_id"]
    assert (folder / "m").read_bytes() == (folder / "whole").read_bytes()


def test_a_row_id_without_an_id_column(records):
    folder, truth = records
    (folder / "answers").write_text(answers_by_row_id(truth, [0]))
    args = ["train", folder / "records.csv", *LATE, "--ignore", "bird", "--label-column", "none", "--quiet"]
    line = refused(*args, "--query-out", folder / "asked", "--labels-in", folder / "answers")
    assert "answers:1:1: the answer names the row_id 'B0', but queries have no row_id: --id-column was not given" in line


def test_a_finished_model_predicts_late_rows_from_the_first_on(records):
    folder, truth = records
    (folder / "answers").write_text(answers_for(truth, range(1500)))
    base = ["train", folder / "records.csv", *LATE, "--label-column", "none", "--id-column", "bird", "--delay", 50, "--query-out", folder / "asked"]
    run(*base, "--labels-in", folder / "answers", "-o", folder / "monday", "--quiet")
    (folder / "answers").write_text(answers_by_row_id(truth, range(1500)))
    from_monday = ["--from", folder / "monday", "--labels-in", folder / "answers"]
    result = run_json(*base, *from_monday, "-o", folder / "tuesday", "--quiet")
    queries = [json.loads(line) for line in (folder / "asked").read_text().splitlines()]
    assert [query["id"] for query in queries] == list(range(1501, 3001))
    assert all(query["prediction"] in {"wren", "robin", "finch"} for query in queries)
    assert result["stream"]["examples"] == 1500 and result["stream"]["accuracy"] > 0.99
    # Only as many rows are open as --delay says.
    lagging = Lagging(folder, by_row_id(truth), 51)
    train_with(lagging, *base[1:-2], "--from", folder / "monday", "-o", folder / "again", "--quiet")
    assert (folder / "again").read_bytes() == (folder / "tuesday").read_bytes()
    (folder / "answers").write_text("1 wren\n")
    assert "the open queries are 1501 to 1551" in refused(*base, *from_monday, "-o", folder / "n", "--quiet")


def test_answers_that_end_are_told_in_the_json(birds):
    folder, _, truth = birds
    args = ["train", folder / "rows.libsvm", *LATE, "--query-out", folder / "asked", "--labels-in", folder / "answers", "--quiet"]
    for delay in [[], ["--delay", 100]]:
        (folder / "answers").write_text(answers_for(truth, range(700)))
        result = run_json(*args, *delay)
        assert result["answers_ended"] and not result["stopped"] and result["examples"] == 700
        (folder / "answers").write_text(answers_for(truth, range(1500)))
        result = run_json(*args, *delay)
        assert result["answers_ended"] is False and result["examples"] == 1500
    assert "answers_ended" not in run_json("train", folder / "birds", *LATE, "--quiet")
