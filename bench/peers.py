#!/usr/bin/env python3
"""Compare kinglet with what people would pick instead: the same rows, the same machine, one core, one table.

    bench/peers.py [--sets NAME...] [--budgets B...] [--learners NAME...] [--limit S] [--json FILE]

Needs the Python packages kinglet, scikit-learn, lightgbm and river, and build/bench/dlib_peer (./dev bench peers has them all).

All learners get the same float32 arrays in memory, standardised (a9a and w8a as they are, in CSR form), in a process of its own
for each run. Times are processor seconds of one thread, without reading: learning all training rows, and predicting the test
rows. A run is stopped after LIMIT seconds, a dash in the table.

  kinglet            KernelClassifier(budget=B), nothing else set
  kinglet bpegasos   one pass of BPegasos with merging
  RBFSampler + SGD   B random features, one pass of SGDClassifier; "to the end" is its own rule to stop
  Nystroem + SGD     B landmarks, likewise
  LIBSVM             SVC, the exact solution
  dlib               svm_pegasos with at most B vectors
  River              RBFSampler with B features and LogisticRegression, one row at a time
  LightGBM           its defaults

gamma and the strength of regularisation are chosen at B = 500 by the accuracy on 5,000 training rows after learning 10,000 others;
every grid has the same shape. LIBSVM has the settings of Nystroem, dlib those of bpegasos, River the gamma of RBFSampler. Test
rows are looked at once, by the model that learned all training rows.
"""

import argparse
import functools
import itertools
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import time

import first_try

ROOT = first_try.ROOT
DLIB = ROOT / "build" / "bench" / "dlib_peer"
SETS = ["checkerboard", "ijcnn1", "a9a", "w8a", "cod-rna", "covtype-2"]
SPARSE = {"a9a", "w8a"}
BUDGETS = [100, 500, 2000]
CHOSEN_AT = 500
GAMMAS = [1 / 4, 1, 4, 16]  # times 1/d, or for sparse rows 1/(mean number of nonzeros)
STRENGTHS = [1e-6, 1e-5, 1e-4]
LEARNED, HELD_BACK = 10_000, 5_000  # training rows to choose settings by
CHUNK = 4096  # rows that are mapped to features at a time

# --- learners ----------------------------------------------------------------------------------------------------------
# Each is a class with fit(x, y) and predict(x); `settings` says what is chosen for it.


class Kinglet:
    settings = ()

    def __init__(self, budget, **options):
        from kinglet import KernelClassifier

        self.model = KernelClassifier(budget=budget, passes=1, n_jobs=1, random_state=1, **options)

    def fit(self, x, y):
        self.model.fit(x, y)

    def predict(self, x):
        return self.model.predict(x)


class BPegasos(Kinglet):
    settings = ("gamma", "strength")

    def __init__(self, budget, gamma, strength):
        super().__init__(budget, algo="bpegasos", gamma=gamma, reg_lambda=strength, scale="none")


class Features:
    """A map to B features, then a linear model. Rows are mapped in chunks, so that the features of all rows need no memory."""

    settings = ("gamma", "strength")
    one_pass = True

    def __init__(self, budget, gamma, strength):
        from sklearn.linear_model import SGDClassifier

        self.map = self.make_map(n_components=budget, gamma=gamma, random_state=1)
        end = {"max_iter": 1, "tol": None} if self.one_pass else {}
        self.linear = SGDClassifier(alpha=strength, random_state=1, **end)

    def fit(self, x, y):
        import numpy

        self.map.fit(x[:50_000])  # landmarks, or only the number of columns
        if self.one_pass:
            classes = numpy.unique(y)
            for at in range(0, x.shape[0], CHUNK):
                self.linear.partial_fit(self.map.transform(x[at : at + CHUNK]), y[at : at + CHUNK], classes)
        else:
            self.linear.fit(self.map.transform(x), y)

    def predict(self, x):
        import numpy

        parts = [self.linear.predict(self.map.transform(x[at : at + CHUNK])) for at in range(0, x.shape[0], CHUNK)]
        return numpy.concatenate(parts)


class RandomFeatures(Features):
    def make_map(self, **settings):
        from sklearn.kernel_approximation import RBFSampler

        return RBFSampler(**settings)


class Landmarks(Features):
    def make_map(self, **settings):
        from sklearn.kernel_approximation import Nystroem

        return Nystroem(**settings)


class RandomFeaturesToTheEnd(RandomFeatures):
    one_pass = False


class LandmarksToTheEnd(Landmarks):
    one_pass = False


class Libsvm:
    settings = ("gamma", "strength")
    sizes = False

    def __init__(self, budget, gamma, strength):
        from sklearn.svm import SVC

        self.gamma, self.strength, self.make = gamma, strength, SVC

    def fit(self, x, y):
        cost = min(1000.0, 1 / (self.strength * x.shape[0]))  # what the other form of regularisation amounts to
        self.model = self.make(C=cost, gamma=self.gamma, cache_size=2000).fit(x, y)

    def predict(self, x):
        return self.model.predict(x)


class LightGbm:
    settings = ()
    sizes = False

    def __init__(self, budget):
        from lightgbm import LGBMClassifier

        self.model = LGBMClassifier(n_jobs=1, random_state=1, verbose=-1)

    def fit(self, x, y):
        self.model.fit(x, y)

    def predict(self, x):
        return self.model.predict(x)


class River:
    settings = ("gamma",)

    def __init__(self, budget, gamma):
        from river import feature_extraction, linear_model

        self.model = feature_extraction.RBFSampler(gamma=gamma, n_components=budget, seed=1) | linear_model.LogisticRegression()

    def rows(self, x):
        for row in x:
            if hasattr(row, "indices"):
                yield {int(k): float(v) for k, v in zip(row.indices, row.data)}
            else:
                yield dict(enumerate(row.tolist()))

    def fit(self, x, y):
        for row, label in zip(self.rows(x), y):
            self.model.learn_one(row, bool(label > 0))

    def predict(self, x):
        return [1 if self.model.predict_one(row) else -1 for row in self.rows(x)]


class Dlib:
    """A program of its own, which reads text; its times are without reading."""

    settings = ("gamma", "strength")

    def __init__(self, budget, gamma, strength):
        self.arguments = [str(gamma), str(strength), str(budget)]

    def measure(self, place):
        done = subprocess.run([DLIB, place / "train.txt", place / "test.txt", *self.arguments], check=True, capture_output=True)
        return json.loads(done.stdout)


LEARNERS = {
    "kinglet": Kinglet,
    "kinglet bpegasos": BPegasos,
    "RBFSampler + SGD": RandomFeatures,
    "RBFSampler + SGD to the end": RandomFeaturesToTheEnd,
    "Nystroem + SGD": Landmarks,
    "Nystroem + SGD to the end": LandmarksToTheEnd,
    "LIBSVM": Libsvm,
    "dlib": Dlib,
    "River": River,
    "LightGBM": LightGbm,
}
# Learners that are chosen for alike: settings of the first are those of all.
SAME_SETTINGS = {"RBFSampler + SGD to the end": "RBFSampler + SGD", "Nystroem + SGD to the end": "Nystroem + SGD",
                 "LIBSVM": "Nystroem + SGD", "dlib": "kinglet bpegasos", "River": "RBFSampler + SGD"}  # fmt: skip


# --- one run, in a process of its own -------------------------------------------------------------------------------------


def load(place, part):
    import numpy
    import scipy.sparse

    dense = place / f"{part}.npy"
    x = numpy.load(dense) if dense.exists() else scipy.sparse.load_npz(place / f"{part}.npz")
    return x, numpy.load(place / f"{part}-y.npy")


def accuracy(predicted, y):
    import numpy

    return 100 * float(numpy.mean(numpy.asarray(predicted) == y))


def choose(name, place):
    """The settings with the highest accuracy on held-back training rows."""
    import numpy

    kind = LEARNERS[name]
    x, y = load(place, "train")
    mean_nonzeros = x.nnz / x.shape[0] if hasattr(x, "nnz") else x.shape[1]
    grids = {"gamma": [multiple / mean_nonzeros for multiple in GAMMAS], "strength": STRENGTHS}
    learned, held_back = slice(0, LEARNED), slice(LEARNED, LEARNED + HELD_BACK)

    def score(values):
        model = kind(CHOSEN_AT, **dict(zip(kind.settings, values)))
        model.fit(x[learned], y[learned])
        return accuracy(model.predict(x[held_back]), y[held_back])

    tried = list(itertools.product(*(grids[setting] for setting in kind.settings)))
    best = tried[int(numpy.argmax([score(values) for values in tried]))]
    return dict(zip(kind.settings, best))


def measure(name, budget, settings, place):
    model = LEARNERS[name](budget, **settings)
    if name == "dlib":
        return model.measure(place)
    x, y = load(place, "train")
    t, u = load(place, "test")
    begin = time.process_time()
    model.fit(x, y)
    learning = time.process_time() - begin
    begin = time.process_time()
    predicted = model.predict(t)
    predicting = time.process_time() - begin
    return {"accuracy": accuracy(predicted, u), "training_seconds": learning,
            "microseconds_per_prediction": 1e6 * predicting / len(u), "bytes": len(pickle.dumps(model))}  # fmt: skip


def in_a_process(limit, *arguments):
    """The JSON that this script prints when it is started with these arguments; None after `limit` seconds."""
    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    command = [sys.executable, "-B", __file__, "--part", *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env={**os.environ, **one_thread})
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return {"error": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


# --- data -----------------------------------------------------------------------------------------------------------------


def write_text(place, part, x, y):
    from sklearn.datasets import dump_svmlight_file

    dump_svmlight_file(x, y, str(place / f"{part}.txt"), zero_based=False)


def prepare(name, flags, place):
    """Writes the arrays of one data set into a folder: the training rows in random order, standardised by themselves."""
    import numpy
    import scipy.sparse
    from sklearn.datasets import load_svmlight_file

    data = next(each for each in first_try.SETS if each.name == name)
    flags.validate = False
    parts = first_try.learned_and_tested(data, flags)
    first_try.shuffled(parts[0], 1, place / "a")
    (place / "b").write_text("".join(parts[1]))
    x, y = load_svmlight_file(str(place / "a"), dtype="float32")
    t, u = load_svmlight_file(str(place / "b"), dtype="float32", n_features=x.shape[1])
    positive = y.max()
    y, u = numpy.where(y == positive, 1, -1), numpy.where(u == positive, 1, -1)
    if name not in SPARSE:
        x, t = x.toarray(), t.toarray()
        mean, deviation = x.mean(0), x.std(0)
        deviation[deviation == 0] = 1
        x, t = (x - mean) / deviation, (t - mean) / deviation
    for part, rows, labels in (("train", x, y), ("test", t, u)):
        if name in SPARSE:
            scipy.sparse.save_npz(place / f"{part}.npz", rows)
        else:
            numpy.save(place / f"{part}.npy", rows)
        numpy.save(place / f"{part}-y.npy", labels)
        write_text(place, part, rows, labels)


# --- the table ------------------------------------------------------------------------------------------------------------


COLUMNS = {"accuracy": "accuracy %", "training_seconds": "training s", "microseconds_per_prediction": "µs per prediction",
           "bytes": "model KB"}  # fmt: skip


def cell(result, key):
    if result is None or key not in result:
        return "–"
    return f"{result[key] / 1024:,.0f}" if key == "bytes" else f"{result[key]:.2f}"


def table(results, budgets):
    """One line for each data set and learner; a cell has the figures of all budgets, or the one that holds for any."""
    sizes = " / ".join(f"{budget:,}" for budget in budgets)
    print(f"\n| set | learner | {' | '.join(COLUMNS.values())} |\n|{'---|' * (2 + len(COLUMNS))}")
    for name, learner in dict.fromkeys((result["set"], result["learner"]) for result in results):
        found = {r["B"]: r for r in results if (r["set"], r["learner"]) == (name, learner)}
        shown = ["any"] if "any" in found else [budget for budget in budgets if budget in found]
        cells = [" / ".join(cell(found[budget], key) for budget in shown) for key in COLUMNS]
        only = f", B = {shown[0]}" if len(shown) == 1 < len(budgets) and shown != ["any"] else ""
        print(f"| {name} | {learner}{only} | {' | '.join(cells)} |")
    print(f"\nFigures for B = {sizes}; a dash: stopped, or not run.")


def compare(name, flags):
    results = []
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        prepare(name, flags, place)

        @functools.cache
        def settings_of(learner):
            learner = SAME_SETTINGS.get(learner, learner)
            if not LEARNERS[learner].settings:
                return {}
            chosen = in_a_process(None, "choose", learner, place)
            if "error" in chosen:
                sys.exit(f"{learner}: {chosen['error']}")
            return chosen

        for budget, learner in itertools.product(flags.budgets, flags.learners):
            kind = LEARNERS[learner]
            if not getattr(kind, "sizes", True) and budget != flags.budgets[0]:
                continue  # it does not depend on B
            chosen = {key: value for key, value in settings_of(learner).items() if key in kind.settings}
            result = in_a_process(flags.limit, "measure", learner, budget, json.dumps(chosen), place)
            shown = budget if getattr(kind, "sizes", True) else "any"
            results.append({"set": name, "B": shown, "learner": learner, "settings": chosen, **(result or {"stopped": flags.limit})})
            print(json.dumps(results[-1]), file=sys.stderr, flush=True)
    return results


RIVALS = ("RBFSampler", "Nystroem")


def judge(results):
    """Where a rival is as accurate, within 0.2 points: are we faster?"""
    print("\n| set | B | ours | rivals as accurate (−0.2) | faster in training | faster in predicting |\n|---|---|---|---|---|---|")
    for ours in results:
        if not ours["learner"].startswith("kinglet") or "accuracy" not in ours:
            continue
        rivals = [r for r in results if r["learner"].startswith(RIVALS) and "accuracy" in r
                  and (r["set"], r["B"]) == (ours["set"], ours["B"]) and r["accuracy"] >= ours["accuracy"] - 0.2]  # fmt: skip

        def faster(key):
            if not rivals:
                return "–"
            least = min(r[key] for r in rivals) / ours[key]
            return f"{'yes' if least > 1 else 'no'}, {least:.1f} ×"

        names = ", ".join(r["learner"] for r in rivals) or "none"
        print(f"| {ours['set']} | {ours['B']} | {ours['learner']} | {names} | {faster('training_seconds')} | "
              f"{faster('microseconds_per_prediction')} |")  # fmt: skip


def main():
    if sys.argv[1:2] == ["--part"]:
        what, name, *rest = sys.argv[2:]
        if what == "choose":
            print(json.dumps(choose(name, pathlib.Path(rest[0]))))
        else:
            print(json.dumps(measure(name, int(rest[0]), json.loads(rest[1]), pathlib.Path(rest[2]))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS, metavar="NAME")
    parser.add_argument("--budgets", nargs="+", type=int, default=BUDGETS, metavar="B")
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=list(LEARNERS), metavar="NAME")
    parser.add_argument("--limit", type=int, default=600, help="seconds after which a run is stopped")
    parser.add_argument("--program", default=os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / ".." / "shared" / "data")))  # fmt: skip
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all results to this file")
    flags = parser.parse_args()
    results = []
    for name in flags.sets:
        results += compare(name, flags)
        if flags.json:
            flags.json.write_text(json.dumps(results, indent=1))
    table(results, flags.budgets)
    judge(results)


if __name__ == "__main__":
    main()
