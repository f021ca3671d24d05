#!/usr/bin/env python3
"""Learn streams in the order in which they come: kinglet with nothing set against the stream learners of River.

    bench/streams.py [--streams NAME...] [--learners NAME...] [--again] [--limit S] [--write]

Every learner predicts each of the first 50,000 rows before it learns it. It has LIMIT seconds of processor time (600), in a
process of its own, and is stopped before when the whole stream would take three times that at the speed so far. kinglet also
learns the full streams. Results are kept in docs/benchmarks/streams.jsonl, one line for each learner and stream, and what is kept
is not measured again while learner, data and limit are the same. So the work can be divided between days and machines: stop it
at any time, commit that file, go on elsewhere. It prints tables of all that is kept, also of what was not asked for; --write
puts them into docs/benchmarks.md. Commit code first: kinglet's results note the last commit that changed the code.

Needs the Python package river, unless only kinglet is measured (./dev bench streams has it).
"""

import argparse
import dataclasses
import functools
import hashlib
import importlib.metadata
import itertools
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "benchmarks" / "streams.jsonl"
DATA = ROOT / "build" / "bench" / "streams"
ROWS = 50_000
CHUNK = 100  # rows that are read at a time, outside of what is timed
WINDOW = 1000  # rows of an entry of right_along


@dataclasses.dataclass
class Stream:
    """A stream of the folder of data, or one of kinglet's generators."""

    name: str
    file: str = ""
    generator: str = ""
    features: int = 0
    longer: bool = False  # has more rows than all learners see
    sparse: bool = False  # River gets the nonzero values only
    asked: float = 0  # accuracy that was asked of kinglet on the full stream before the work began


# The shortest first.
STREAMS = [
    Stream("usenet1", file="usenet1", features=99),
    Stream("usenet2", file="usenet2", features=99),
    Stream("outdoor", file="outdoor", features=21, asked=91.5),
    Stream("spam", file="spam-stream", features=39_916, sparse=True),
    Stream("weather", file="weather", features=8, asked=79),
    Stream("powersupply", file="powersupply", features=2),
    Stream("electricity", file="electricity", features=8, asked=89.5),
    Stream("SEA", file="sea", features=3, asked=87.8),
    Stream("moving squares", file="moving-squares", features=2, longer=True, asked=91),
    Stream("transient chessboard", file="transient-chessboard", features=2, longer=True, asked=96.5),
    Stream("rotating checkerboard", generator="rotating-checkerboard", features=2),
    Stream("recurring", generator="recurring", features=2),
    Stream("kddcup", file="kddcup99.10pct", features=41, longer=True),
    Stream("covtype", file="covtype", features=54, longer=True),
    Stream("airlines sample", file="airlines.sample", features=284),
]

# --- learners -------------------------------------------------------------------------------------------------------------
# Those of River have its defaults. It has none for the model inside leveraging bagging: the plain Hoeffding tree, as usual.


class LastLabel:
    """Says the last label again."""

    def __init__(self):
        self.label = None

    def predict_one(self, row):
        return self.label

    def learn_one(self, row, label):
        self.label = label


def adaptive_tree(stream):
    from river import tree

    return tree.HoeffdingAdaptiveTreeClassifier(seed=1)


def neighbours(stream):
    """Distances need features of one size. Nonzero values alone have no mean to subtract: words stay as they are."""
    from river import neighbors, preprocessing

    model = neighbors.KNNClassifier()
    return model if stream.sparse else preprocessing.StandardScaler() | model


def adaptive_forest(stream):
    from river import forest

    return forest.ARFClassifier(seed=1)


def leveraging_bagging(stream):
    from river import ensemble, tree

    return ensemble.LeveragingBaggingClassifier(tree.HoeffdingTreeClassifier(), seed=1)


def random_patches(stream):
    from river import ensemble

    return ensemble.SRPClassifier(seed=1)


PEERS = {
    "last label again": lambda stream: LastLabel(),
    "Hoeffding adaptive tree": adaptive_tree,
    "kNN": neighbours,
    "adaptive random forest": adaptive_forest,
    "leveraging bagging": leveraging_bagging,
    "streaming random patches": random_patches,
}


KINGLET = "kinglet"
LEARNERS = [*PEERS, KINGLET]
FEWEST = ["last label again", "Hoeffding adaptive tree"]
FORESTS = ["adaptive random forest", "leveraging bagging", "streaming random patches"]


# --- rows -----------------------------------------------------------------------------------------------------------------


def write_rows(stream, path, rows, flags):
    """The first rows of a stream (None: all), as text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if stream.generator:
        subprocess.run([flags.program, "gen", stream.generator, "-n", str(rows), "--seed", "1", "-o", path], check=True)
        return
    with lzma.open(flags.data / f"{stream.file}.xz", "rt") as source, path.open("w") as file:
        file.writelines(itertools.islice(source, rows))


def prepared(stream, full, flags):
    """A file with the rows, and a short name for its content."""
    path = DATA / f"{stream.name.lower().replace(' ', '-')}{'-full' if full else ''}.libsvm"
    if stream.generator or not path.exists():
        write_rows(stream, path, None if full else ROWS, flags)
    return path, fingerprint(path)


def fingerprint(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def row_of(line, stream):
    """The features of a line as River wants them, and its label."""
    label, *pairs = line.split()
    row = {} if stream.sparse else dict.fromkeys(range(1, stream.features + 1), 0.0)
    for pair in pairs:
        index, value = pair.split(":")
        row[int(index)] = float(value)
    return row, int(label)


# --- one run of a peer, in a process of its own ---------------------------------------------------------------------------


def peak_memory():
    """Of this process; what getrusage says would include the process that started it."""
    said = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", said)[1]) * 1024


def learn_chunk(model, rows):
    """Predicts each row, then learns it. Returns the predictions."""
    predict, learn = model.predict_one, model.learn_one
    predicted = []
    for row, label in rows:
        predicted.append(predict(row))
        learn(row, label)
    return predicted


def measure(name, stream, path, limit):
    total = sum(1 for _ in path.open())
    model = PEERS[name](stream)
    before = peak_memory()
    seconds, rows, right, repeated, last = 0.0, 0, 0, 0, None
    stopped, right_along = None, [0] * (total // WINDOW)  # without the rest
    with path.open() as file:
        while chunk := [row_of(line, stream) for line in itertools.islice(file, CHUNK)]:
            begin = time.process_time()
            predicted = learn_chunk(model, chunk)
            seconds += time.process_time() - begin
            for _, label in chunk:
                repeated += label == last
                last = label
            of_chunk = sum(said == label for (_, label), said in zip(chunk, predicted))
            right += of_chunk
            if rows // WINDOW < len(right_along):
                right_along[rows // WINDOW] += of_chunk
            rows += len(chunk)
            if rows < total and (seconds > limit or (seconds > limit / 10 and seconds * total / rows > 3 * limit)):
                stopped = "limit" if seconds > limit else "hopeless"
                break
    return {"rows": rows, "right": right, "repeated": repeated, "seconds": round(seconds, 4), "stopped": stopped,
            "memory": peak_memory() - before, "process": peak_memory(),
            "right_along": right_along[: rows // WINDOW]}  # fmt: skip


def in_a_process(name, stream, path, limit):
    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    command = [sys.executable, "-B", __file__, "--part", name, stream.name, str(path), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **one_thread})
    if done.returncode != 0:
        return {"error": (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]}
    return json.loads(done.stdout)


# --- one run of kinglet ---------------------------------------------------------------------------------------------------


UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20}


def memory_at_the_start(said):
    """What kinglet says at the start that its learner takes; members that leave the committee make it smaller later."""
    amount, unit = re.search(r"learner memory ([\d.,]+) (\w+)", said).groups()
    return float(amount.replace(",", "")) * UNITS[unit]


def measure_kinglet(path, flags):
    """Nothing is set; --threads only keeps to one core. The time includes starting the program and reading the text."""
    command = [flags.program, "train", path, "--metrics", "--json", "--threads", "1"]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=out, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), said.seek(0)
        if process.returncode != 0:
            return {"error": said.read().strip()}
        result, first = json.load(out), memory_at_the_start(said.read())
    rows = result["stream"]["examples"]
    return {"rows": rows, "right": round(rows * result["stream"]["accuracy"]),
            "repeated": round(rows * result["stream"]["repetition_accuracy"]), "seconds": usage.ru_utime + usage.ru_stime,
            "stopped": None, "memory": max(first, result["memory_bytes"]), "process": result["peak_rss_bytes"]}  # fmt: skip


# --- results that are kept ------------------------------------------------------------------------------------------------


@functools.cache
def version_of(learner):
    """What a new result is of: for kinglet the revision of the code."""
    if learner == KINGLET:
        return pages.revision()
    if learner == "last label again":
        return "1"
    try:
        return f"river {importlib.metadata.version('river')}"
    except importlib.metadata.PackageNotFoundError:
        sys.exit("streams: the Python package river is missing; ./dev bench streams installs it")


def key_of(result):
    return result["stream"], result["learner"], result["full"]


def kept_results():
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    return {key_of(result): result for result in map(json.loads, lines)}


def keep(result):
    """One line for each stream and learner, in the order of the tables."""
    results = kept_results() | {key_of(result): result}
    keys = itertools.product((stream.name for stream in STREAMS), LEARNERS, (False, True))
    text = "".join(json.dumps(results[key]) + "\n" for key in keys if key in results)
    part = KEPT.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(KEPT)


def measure_once(learner, stream, full, flags):
    path, content = prepared(stream, full, flags)
    identity = {"stream": stream.name, "learner": learner, "full": full, "version": version_of(learner), "data": content,
                "limit": flags.limit}  # fmt: skip
    before = kept_results().get(key_of(identity), {})
    if not flags.again and all(before.get(key) == value for key, value in identity.items()):
        return
    found = measure_kinglet(path, flags) if learner == KINGLET else in_a_process(learner, stream, path, flags.limit)
    print(json.dumps({**identity, **found}), file=sys.stderr, flush=True)
    keep({**identity, **found})


# --- tables ---------------------------------------------------------------------------------------------------------------


def finished(result):
    return bool(result) and not result.get("stopped") and "error" not in result


def accuracy(result):
    return 100 * result["right"] / result["rows"]


def rate(result):
    return result["rows"] / result["seconds"]


def cells(result):
    """Accuracy, Kappa-T, examples/s, memory of the learner and of the process; a dash: stopped; a question mark: not run."""
    if not finished(result):
        return ["–" if result else "?"] * 5
    left = result["rows"] - result["repeated"]  # what "the last label again" gets wrong
    kappa = f"{(result['right'] - result['repeated']) / left:.3f}" if left else "–"
    if result["learner"] == "last label again":
        return [f"{accuracy(result):.2f}", kappa, "", "", ""]
    return [f"{accuracy(result):.2f}", kappa, f"{rate(result):,.0f}", f"{result['memory'] / 1e6:.1f}",
            f"{result['process'] / 1e6:.0f}"]  # fmt: skip


def accuracies(results):
    """One line for each stream, the best accuracy in bold."""
    lines = []
    for stream in STREAMS:
        shown = {learner: cells(results[stream.name, learner])[0] for learner in LEARNERS}
        best = max((value for value in shown.values() if value not in "–?"), key=float, default=None)
        lines.append([stream.name, *(f"**{value}**" if value == best else value for value in shown.values())])
    return pages.table(["stream", *LEARNERS], lines)


def everything(results):
    lines = [[stream.name, learner, *cells(results[stream.name, learner])] for stream in STREAMS for learner in LEARNERS]
    return pages.table(["stream", "learner", "accuracy %", "Kappa-T", "examples/s", "learner MB", "process MB"], lines)


def full_streams(results):
    lines = []
    for stream in STREAMS:
        if stream.file:
            result = results[stream.name, "full" if stream.longer else KINGLET]
            rows = f"{result['rows']:,}" if finished(result) else ""
            lines.append([stream.name, rows, *cells(result), f"{stream.asked:.1f}" if stream.asked else ""])
    return pages.table(["stream", "rows", "accuracy %", "Kappa-T", "examples/s", "learner MB", "process MB", "asked %"], lines)


def verdict(results):
    """How often kinglet is the best, how much faster than River's ensembles, how large."""
    near, alone, compared, ratios, sizes = [], [], 0, [], []
    for stream in STREAMS:
        ours = results[stream.name, KINGLET]
        if not finished(ours):
            continue
        compared += 1
        sizes.append(ours["memory"] / 1e6)
        peers = {name: results[stream.name, name] for name in PEERS if finished(results[stream.name, name])}
        if accuracy(ours) >= max(map(accuracy, peers.values()), default=0) - 0.5:
            near.append(stream.name)
            if set(peers) <= set(FEWEST):
                alone.append(stream.name)
        ratios += [(rate(ours) / rate(peers[name]), f"{name} on {stream.name}") for name in FORESTS if name in peers]
    if not compared:
        return "kinglet has not been run."
    faster = ""
    if ratios:
        least, most = min(ratios), max(ratios)
        few_times = sum(ratio < 100 for ratio, _ in ratios)
        faster = (f" It is {least[0]:,.1f} ({least[1]}) to {most[0]:,.0f} times ({most[1]}) as fast as River's ensembles that finished, "
                  f"less than 100 times in {few_times} of {len(ratios)} cases.")  # fmt: skip
    fewest = " and ".join(f'"{name}"' for name in FEWEST)
    few = f" On {len(alone)} of these, the only others with results are {fewest}: {', '.join(alone)}." if alone else ""
    return (f"kinglet is the best, or within half a point of the best that finished, on {len(near)} of {compared} streams: "
            f"{', '.join(near) or 'none'}.{few}{faster} Its learner has at most {max(sizes):.1f} MB.")  # fmt: skip


def tables():
    kept = kept_results()
    results = {(s.name, learner): kept.get((s.name, learner, False)) for s in STREAMS for learner in LEARNERS}
    results |= {(s.name, "full"): kept.get((s.name, KINGLET, True)) for s in STREAMS if s.longer}
    return {"streams accuracy": accuracies(results) + "\n\n" + verdict(results), "streams": everything(results),
            "streams full": full_streams(results)}  # fmt: skip


def main():
    if sys.argv[1:2] == ["--part"]:
        name, of, path, limit = sys.argv[2:]
        stream = next(each for each in STREAMS if each.name == of)
        print(json.dumps(measure(name, stream, pathlib.Path(path), float(limit))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [stream.name for stream in STREAMS]
    parser.add_argument("--streams", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=LEARNERS, metavar="NAME")
    parser.add_argument("--again", action="store_true", help="measure again what is kept")
    parser.add_argument("--limit", type=int, default=600, help="seconds of processor time after which a run is stopped")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/benchmarks.md")
    parser.add_argument("--program", default=os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))  # fmt: skip
    flags = parser.parse_args()
    for learner, stream in itertools.product(flags.learners, STREAMS):
        if stream.name in flags.streams:
            measure_once(learner, stream, False, flags)
            if learner == KINGLET and stream.longer:
                measure_once(learner, stream, True, flags)
    for name, text in tables().items():
        print(f"\n{text}")
        if flags.write:
            pages.put(f"bench {name}", text)


if __name__ == "__main__":
    main()
