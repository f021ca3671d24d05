#!/usr/bin/env python3
"""How good is the first try? One pass, a budget of 500, raw files, no other option.

    bench/first_try.py [--sets NAME...] [--shuffles N] [--validate] [--peers] [--args "OPTIONS"] [--json FILE]

For each data set the training rows are shuffled N times; the table has the median of the test accuracy (R² for regression)
in %, its spread (largest - smallest), and the accuracy when the file is learned in its own order. `today` and `asked` are the
figures that this table had before the second-order learner and the committee, and the bar that was set for them.

Sets without a test file hold back a fifth of their rows, drawn with a fixed seed. --validate never opens test rows: it holds
back a fifth of the training rows instead. Mechanisms and defaults are chosen by that table only.

--peers measures others on the first shuffle: scikit-learn's Nystroem with 500 components + LinearSVC, fitted to the end;
RBFSampler with 500 components + SGD; LightGBM with its defaults; and LIBSVM (SVC with its defaults). All but LightGBM get
standardised features. Each runs on one thread, in a process of its own, and is stopped after its limit. Times are processor
seconds of training; for kinglet, both training and prediction include starting the program and reading the text.
"""

import argparse
import concurrent.futures
import dataclasses
import itertools
import json
import lzma
import os
import pathlib
import pickle
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUDGET = 500
PREDICTED_ROWS = 50_000  # a rate of predictions is measured with at least as many rows


@dataclasses.dataclass
class Set:
    """Where the rows come from: a file with a test file; a file of which some rows are held back; or a generator."""

    name: str
    today: float
    asked: float
    file: str = ""
    held_back: float = 0  # the fraction of the file, or the number of its rows, to test on; 0: there is a test file
    generator: str = ""
    rows: int = 0  # of a generator
    positive: str = ""  # this class against the rest
    regress: bool = False


SETS = [
    Set("checkerboard", 65.3, 98.9, generator="checkerboard", rows=200_000),
    Set("letter.scale", 78.8, 94.5, file="letter.scale"),
    Set("covtype-2", 77.9, 84.0, file="covtype", held_back=81_012, positive="2"),
    Set("covtype-7", 74.6, 78.0, file="covtype", held_back=0.2),
    Set("usps", 89.6, 93.8, file="usps"),
    Set("ijcnn1", 96.1, 98.4, file="ijcnn1"),
    Set("a9a", 84.0, 85.0, file="a9a"),
    Set("cod-rna", 93.8, 95.4, file="cod-rna", held_back=0.2),
    Set("w8a", 98.7, 98.8, file="w8a"),
    Set("magic04", 85.6, 87.0, file="magic04", held_back=0.2),
    Set("satimage", 85.5, 90.3, file="satimage"),
    Set("pendigits", 95.8, 97.9, file="pendigits"),
    Set("waveform", 86.5, 86.8, generator="waveform", rows=200_000),
    Set("gauss", 81.4, 81.4, generator="gauss", rows=50_000),
    Set("friedman1", 92.0, 94.5, generator="friedman", rows=20_000, regress=True),
]


# --- rows -------------------------------------------------------------------------------------------------------------


def lines_of(folder, name, positive):
    with lzma.open(folder / f"{name}.xz", "rt") as file:
        lines = file.readlines()
    if not positive:
        return lines
    split = (line.split(" ", 1) for line in lines)
    return [f"{'1' if label == positive else '-1'} {rest}" for label, rest in split]


def generated(program, generator, rows, seed):
    command = [program, "gen", generator, "-n", str(rows), "--seed", str(seed)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines(keepends=True)


def hold_back(lines, count, seed):
    """Two lists, both in the order of the file: the rows that are left, and `count` rows drawn at random."""
    drawn = set(random.Random(seed).sample(range(len(lines)), count))
    return [line for i, line in enumerate(lines) if i not in drawn], [lines[i] for i in sorted(drawn)]


def learned_and_tested(data, flags):
    """The rows to learn, in their own order, and the rows to test on."""
    if data.generator:
        learned, tested = generated(flags.program, data.generator, data.rows, 1), None
    else:
        learned, tested = lines_of(flags.data, data.file, data.positive), None
        if data.held_back:
            count = int(data.held_back * len(learned)) if data.held_back < 1 else data.held_back
            learned, tested = hold_back(learned, count, seed=1)
    if flags.validate:
        return hold_back(learned, len(learned) // 5, seed=2)
    if tested is None and data.generator:
        tested = generated(flags.program, data.generator, data.rows, 2)
    return learned, tested if tested is not None else lines_of(flags.data, f"{data.file}.t", data.positive)


# --- kinglet ----------------------------------------------------------------------------------------------------------


CORES = itertools.cycle(sorted(os.sched_getaffinity(0)))


def run(command):
    """The JSON that a command prints, and the processor seconds that it took on one core."""
    core = next(CORES)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as notes:
        child = subprocess.Popen([str(part) for part in command], stdout=out, stderr=notes,
                                 preexec_fn=lambda: os.sched_setaffinity(0, {core}))  # fmt: skip
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            notes.seek(0)
            sys.exit(f"{shlex.join(map(str, command))}\n{notes.read()}")
        out.seek(0)
        return json.load(out), usage.ru_utime + usage.ru_stime


def score(result, regress):
    return 100 * (result["r2"] if regress else result["accuracy"])


def learn(data, flags, train, test, model):
    """Learns a file; the score in %, the processor seconds and the bytes of the model."""
    task = ["--task", "regress"] if data.regress else []
    options = [*task, "--budget", BUDGET, *flags.args, "--quiet", "--json"]
    result, seconds = run([flags.program, "train", train, "-o", model, *options])
    tested, _ = run([flags.program, "eval", test, "-m", model, "--json"])
    return {"score": score(tested, data.regress), "seconds": seconds, "bytes": model.stat().st_size,
            "memory": result.get("peak_memory_bytes", result["memory_bytes"]), "algorithm": result["algorithm"]}  # fmt: skip


def shuffled(lines, seed, path):
    lines = list(lines)
    random.Random(seed).shuffle(lines)
    path.write_text("".join(lines))
    return path


def predictions_per_second(flags, tested, model, place):
    path = place / "many"
    repeated = itertools.islice(itertools.cycle(tested), max(PREDICTED_ROWS, len(tested)))
    path.write_text("".join(repeated))
    result, seconds = run([flags.program, "eval", path, "-m", model, "--json"])
    return result["examples"] / seconds


def measure_kinglet(data, flags, learned, tested, place):
    test, own = place / "test", place / "own"
    test.write_text("".join(tested))
    own.write_text("".join(learned))

    def one(seed):
        path = shuffled(learned, seed, place / f"shuffle-{seed}") if seed else own
        return learn(data, flags, path, test, place / f"model-{seed}")

    with concurrent.futures.ThreadPoolExecutor(flags.jobs) as pool:
        in_order, *runs = pool.map(one, range(flags.shuffles + 1))
    scores = [r["score"] for r in runs]
    return {"scores": scores, "median": statistics.median(scores), "spread": max(scores) - min(scores),
            "own_order": in_order["score"], "algorithm": runs[0]["algorithm"],
            **{key: statistics.median(r[key] for r in runs) for key in ("seconds", "bytes", "memory")},
            "predictions_per_second": predictions_per_second(flags, tested, place / "model-1", place)}  # fmt: skip


# --- others -----------------------------------------------------------------------------------------------------------


def peers(regress):
    """By name: a function that makes the learner, and whether its features are standardised."""
    from lightgbm import LGBMClassifier, LGBMRegressor
    from sklearn.kernel_approximation import Nystroem, RBFSampler
    from sklearn.linear_model import Ridge, SGDClassifier, SGDRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC, SVR, LinearSVC

    size = {"n_components": BUDGET, "random_state": 1}
    linear = Ridge(1e-3) if regress else LinearSVC(dual=False, max_iter=100_000)
    sgd = SGDRegressor(random_state=1) if regress else SGDClassifier(random_state=1)
    trees = LGBMRegressor if regress else LGBMClassifier
    return {
        "Nystroem": (lambda: make_pipeline(Nystroem(**size), linear), True),
        "RBFSampler": (lambda: make_pipeline(RBFSampler(gamma="scale", **size), sgd), True),
        "LightGBM": (lambda: trees(n_jobs=1, random_state=1, verbose=-1), False),
        "LIBSVM": (lambda: (SVR if regress else SVC)(cache_size=1000), True),
    }


PEERS = ["Nystroem", "RBFSampler", "LightGBM", "LIBSVM"]


def be_peer(name, regress, train, test):
    """Runs in a process of its own: prints the result of one learner."""
    import numpy
    from sklearn.preprocessing import StandardScaler

    x, y = dense_rows(train)
    t, u = dense_rows(test, width=x.shape[1])
    make, standardised = peers(regress)[name]
    model = make()
    begin = time.process_time()
    if standardised:
        scaler = StandardScaler(copy=False).fit(x)
        x = scaler.transform(x)
    model.fit(x, y)
    seconds = time.process_time() - begin
    begin = time.process_time()
    count = min(len(t), 20_000) if name == "LIBSVM" else len(t)  # LIBSVM has many vectors
    t, u = t[:count], u[:count]
    predicted = model.predict(scaler.transform(t) if standardised else t)
    rate = len(t) / (time.process_time() - begin)
    right = 1 - numpy.mean((u - predicted) ** 2) / numpy.var(u) if regress else numpy.mean(predicted == u)
    print(json.dumps({"score": 100 * float(right), "seconds": seconds, "bytes": len(pickle.dumps(model)),
                      "predictions_per_second": rate}))  # fmt: skip


def dense_rows(path, width=None):
    """Features and labels of a file; features beyond `width` are left out, absent ones are 0."""
    import numpy
    from sklearn.datasets import load_svmlight_file

    sparse, y = load_svmlight_file(path, dtype="float32")
    x = numpy.zeros((sparse.shape[0], width or sparse.shape[1]), "float32")
    known = sparse[:, : x.shape[1]].toarray()
    x[:, : known.shape[1]] = known
    return x, y


def measure_peer(name, data, flags, train, test):
    limit = flags.libsvm_limit if name == "LIBSVM" else flags.limit
    command = [sys.executable, "-B", __file__, "--be-peer", name, *(["--regress"] if data.regress else []), train, test]
    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env={**os.environ, **one_thread})
    except subprocess.TimeoutExpired:
        return {"stopped_after": limit}
    if done.returncode != 0:
        return {"error": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


# --- the table --------------------------------------------------------------------------------------------------------


def verdict(data, flags, median):
    if flags.validate:
        return ""
    return "yes" if round(median, 1) >= data.asked else f"{median - data.asked:.1f}"


def accuracy_table(results, flags):
    others = PEERS if flags.peers else []
    split = "a fifth of the training rows" if flags.validate else "test rows"
    head = ["set", "shuffled", "spread", "own order", "today", "asked", "holds", *others]
    print(f"\nAccuracy in % (friedman1: 100 R²) on {split}; kinglet: median of {flags.shuffles} shuffles\n")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for data, result in results:
        ours = result["kinglet"]
        cells = [f"{result[name]['score']:.1f}" if "score" in result[name] else "–" for name in others]
        print(f"| {data.name} | {ours['median']:.2f} | {ours['spread']:.2f} | {ours['own_order']:.2f} | {data.today} | "
              f"{data.asked} | {' | '.join([verdict(data, flags, ours['median']), *cells])} |")  # fmt: skip


def cost_table(results):
    print("\nCost\n\n| set | learner | training s | model KB | predictions/s |\n|---|---|---|---|---|")
    for data, result in results:
        for name, r in result.items():
            if "score" not in r and "median" not in r:
                print(f"| {data.name} | {name} | {r.get('error') or 'stopped after ' + str(r['stopped_after'])} | | |")
                continue
            name = f"kinglet, {r['algorithm']}" if name == "kinglet" else name
            print(f"| {data.name} | {name} | {r['seconds']:.2f} | {r['bytes'] / 1024:.1f} | {r['predictions_per_second']:,.0f} |")


def measure(data, flags):
    learned, tested = learned_and_tested(data, flags)
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        result = {"kinglet": measure_kinglet(data, flags, learned, tested, place)}
        if flags.peers:
            for name in PEERS:
                result[name] = measure_peer(name, data, flags, place / "shuffle-1", place / "test")
    ours = result["kinglet"]
    print(f"{data.name}: {ours['median']:.2f} ± {ours['spread'] / 2:.2f}, own order {ours['own_order']:.2f}, "
          f"{ours['seconds']:.2f} s", file=sys.stderr, flush=True)  # fmt: skip
    return result


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [data.name for data in SETS]
    parser.add_argument("--sets", nargs="+", choices=names, default=names, metavar="NAME", help=" ".join(names))
    parser.add_argument("--shuffles", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1, help="runs of kinglet at the same time")
    parser.add_argument("--program", default=os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
    parser.add_argument("--args", type=shlex.split, default=[], help='more options for kinglet train, as in --args="--gamma 1"')
    parser.add_argument("--validate", action="store_true", help="hold back training rows, leave test rows alone")
    parser.add_argument("--peers", action="store_true", help="needs scikit-learn and lightgbm")
    parser.add_argument("--limit", type=int, default=1800, help="seconds after which a peer is stopped")
    parser.add_argument("--libsvm-limit", type=int, default=300)
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))  # fmt: skip
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all results to this file")
    parser.add_argument("--be-peer", help=argparse.SUPPRESS)
    parser.add_argument("--regress", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("files", nargs="*", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main():
    flags = parse(None)
    if flags.be_peer:
        be_peer(flags.be_peer, flags.regress, *flags.files)
        return
    if flags.shuffles < 1:
        sys.exit("--shuffles: at least 1")
    results = []
    for data in SETS:
        if data.name not in flags.sets:
            continue
        if data.file and not (flags.data / f"{data.file}.xz").exists():
            print(f"{data.name}: {data.file}.xz not found in {flags.data}; set the folder with --data", file=sys.stderr)
            continue
        results.append((data, measure(data, flags)))
    accuracy_table(results, flags)
    cost_table(results)
    if flags.json:
        flags.json.write_text(json.dumps({data.name: result for data, result in results}, indent=1))


if __name__ == "__main__":
    main()
