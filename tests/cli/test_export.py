"""kinglet export: C that is compiled and run (also for a 32-bit processor), and model files that LIBSVM's tools read."""

import os
import random
import resource
import shutil
import subprocess

import pytest
from program import blobs, refused, run, run_json

STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"]
ARM = "arm-linux-gnueabihf-gcc"
EMULATOR = shutil.which("qemu-arm") or shutil.which("qemu-arm-static")

# A C program that reads rows of numbers and prints the prediction (a label or a number) and the scores of each.
DRIVER = """
#include <stdio.h>
#include "{name}.h"
int main(void) {{
  float x[{upper}_FEATURES], scores[{upper}_SCORES];
  int f, c;
  for (;;) {{
    for (f = 0; f < {upper}_FEATURES; ++f) if (scanf("%f", &x[f]) != 1) return 0;
    {name}_scores(x, scores);
    {show};
    for (c = 0; c < {upper}_SCORES; ++c) printf("\\t%.9g", (double)scores[c]);
    printf("\\n");
  }}
}}
"""


def rows_of(path, dimension):
    """The features of a LIBSVM file as lists."""
    rows = []
    for line in path.read_text().splitlines():
        x = [0.0] * dimension
        for word in line.split()[1:]:
            index, value = word.split(":")
            x[int(index) - 1] = float(value)
        rows.append(x)
    return rows


def write_rows(path, count, dimension, label, seed, zeros=0.0):
    rng = random.Random(seed)
    lines = []
    for _ in range(count):
        x = [0.0 if rng.random() < zeros else rng.gauss(0, 1) * (1 + 3 * (f % 3)) + f % 2 for f in range(dimension)]
        values = " ".join(f"{f + 1}:{value:.5f}" for f, value in enumerate(x) if value != 0)
        lines.append(f"{label(x, rng)} {values}")
    path.write_text("\n".join(lines) + "\n")
    return path


def two(x, _):
    return 1 if x[0] + 0.3 * x[1] * x[2] > 0.2 else -1


def three(x, _):
    return 3 if x[0] > 0.8 else 7 if x[1] > 0.5 else 5


def number(x, rng):
    return f"{x[0] - 0.5 * x[1] + rng.gauss(0, 0.1):.4f}"


def normal(x, _):
    return 1


# name, labels, options of train, share of zeros
MODELS = [
    ("binary", two, ["--budget", 60], 0),
    ("many", three, ["--budget", 80], 0),
    ("words", None, ["--budget", 40], 0),
    ("minmax", two, ["--algo", "bpegasos", "--budget", 40, "--scale", "minmax", "--kernel", "laplacian", "--budget-rule", "smallest"], 0),
    ("unit", three, ["--budget", 40, "--scale", "unit"], 0),
    ("none", two, ["--budget", 40, "--scale", "none", "--kernel", "poly", "--degree", 2, "--algo", "bogd"], 0),
    ("hpoly", two, ["--budget", 40, "--kernel", "hpoly", "--degree", 3, "--budget-rule", "smallest", "--lambda", 1e-2], 0),
    ("sigmoid", two, ["--budget", 40, "--kernel", "sigmoid", "--budget-rule", "oldest"], 0),
    ("linear", three, ["--budget", 40, "--kernel", "linear", "--budget-rule", "project"], 0),
    ("average", two, ["--algo", "oskl"], 0),
    ("svm", three, ["--algo", "svm"], 0),
    ("tvm", three, ["--algo", "tvm", "--budget", 30], 0),
    ("sparse", three, ["--budget", 60, "--storage", "sparse"], 0.6),
    ("metric", three, ["--budget", 60, "--metric", "learned"], 0),
    ("weights", two, ["--budget", 60, "--metric", "learned", "--scale", "none"], 0),
    ("newton", two, ["--algo", "bnewton", "--scout", 500, "--budget", 40, "--metric", "learned"], 0),
    ("regress", number, ["--budget", 60, "--task", "regress"], 0),
    ("novelty", normal, ["--budget", 60, "--task", "novelty"], 0),
]
NAMES = [name for name, *_ in MODELS]
DIMENSION = 6


@pytest.fixture(scope="session")
def models(shop):
    """Models of every kind: name → (model file, test data, dimension)."""
    made = {}
    for name, label, options, zeros in MODELS:
        data, test, model = (shop / f"export-{name}{end}" for end in ("", ".t", ".kinglet"))
        if label is None:
            for path, seed in ((data, 1), (test, 2)):
                blobs(path, labels=('wr"en', "ro\\bin", "fi??/nch"), rows=600, seed=seed)
        else:
            write_rows(data, 900, DIMENSION, label, 1, zeros)
            write_rows(test, 1200, DIMENSION, label, 2, zeros)
        run("train", data, "-o", model, "--quiet", *options)
        made[name] = (model, test, 2 if label is None else DIMENSION)
    return made


def expected(model, test, regress):
    """What kinglet predict prints: the labels, and a list of scores for each row."""
    lines = run("predict", test, "-m", model, *([] if regress else ["--scores"])).stdout.splitlines()
    if regress:
        return lines, [[float(line)] for line in lines]
    parts = [line.split("\t") for line in lines]
    return [part[0] for part in parts], [[float(score) for score in part[1:]] for part in parts]


def compiled(folder, name, regress, compiler="cc", flags=()):
    show = f'printf("%.9g", (double){name}_predict(x))' if regress else f'printf("%s", {name}_label(x))'
    main = folder / "main.c"
    main.write_text(DRIVER.format(name=name, upper=name.upper(), show=show))
    program = folder / f"run-{os.path.basename(compiler)}"
    command = [compiler, *STRICT, *flags, main, folder / f"{name}.c", "-o", program, "-lm"]
    subprocess.run(list(map(str, command)), check=True, cwd=folder)
    return program


def answers(command, rows):
    text = "\n".join(" ".join(f"{value:.9g}" for value in row) for row in rows)
    done = subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, check=True, timeout=300)
    parts = [line.split("\t") for line in done.stdout.splitlines()]
    return [part[0] for part in parts], [[float(score) for score in part[1:]] for part in parts]


def share_equal(a, b):
    assert len(a) == len(b)
    return sum(x == y for x, y in zip(a, b)) / len(a)


def largest_difference(a, b):
    size = max(1.0, max(abs(score) for row in a for score in row))
    return max(abs(x - y) for r, s in zip(a, b) for x, y in zip(r, s)) / size


def same_but_for_ties(labels, got, scores, tolerance):
    """Whether labels differ only where the two highest scores are as close as rounding leaves them, and that is rare."""
    size = max(1.0, max(abs(score) for row in scores for score in row))
    differing = [row for row in range(len(labels)) if got[row] != labels[row]]

    def gap(row):
        if len(scores[row]) == 1:  # two classes: the sign decides
            return abs(scores[row][0])
        second, first = sorted(scores[row])[-2:]
        return first - second

    return all(gap(row) < tolerance * size for row in differing) and len(differing) <= len(labels) / 500


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["float", "int8"])
def test_c_predicts_what_the_model_predicts(models, name, kind, tmp_path):
    model, test, dimension = models[name]
    regress = name == "regress"
    facts = run_json("export", model, "-o", tmp_path / "bird.c", "--type", kind)
    source = (tmp_path / "bird.c").read_text()
    assert f"{facts['table_bytes']} bytes of constants" in source
    assert "malloc" not in source
    labels, scores = expected(model, test, regress)
    got, got_scores = answers([compiled(tmp_path, "bird", regress)], rows_of(test, dimension))
    if kind == "float":
        assert largest_difference(scores, got_scores) < 1e-4
        assert regress or same_but_for_ties(labels, got, scores, 2e-4)
    elif regress:
        assert largest_difference(scores, got_scores) < 0.05
    else:
        assert share_equal(got, labels) >= 0.995


@pytest.mark.parametrize("name", ["binary", "many", "sparse", "regress"])
@pytest.mark.parametrize("kind", ["float", "int8"])
def test_c_runs_on_a_32_bit_processor(models, name, kind, tmp_path):
    if shutil.which(ARM) is None or EMULATOR is None:
        pytest.skip(f"no {ARM} or no qemu-arm here: packages.txt names them")
    model, test, dimension = models[name]
    regress = name == "regress"
    run("export", model, "-o", tmp_path / "bird.c", "--type", kind)
    rows = rows_of(test, dimension)
    here, here_scores = answers([compiled(tmp_path, "bird", regress)], rows)
    program = compiled(tmp_path, "bird", regress, ARM, ["-static", "-mfpu=vfpv3-d16"])
    there, there_scores = answers([EMULATOR, program], rows)
    assert largest_difference(here_scores, there_scores) < 1e-5
    assert regress or share_equal(here, there) >= 0.999


def test_c_names_and_labels(models, tmp_path):
    model, _, _ = models["words"]
    text = run("export", model, "-o", tmp_path / "2 birds.c", "--name", "birds").stdout
    assert "tables" in text and "stack" in text and "2 birds.h" in text
    header = (tmp_path / "2 birds.h").read_text()
    assert "int birds_predict(const float x[BIRDS_FEATURES]);" in header
    run("export", model, "-o", tmp_path / "2 birds.c")
    assert "model2_birds_predict" in (tmp_path / "2 birds.h").read_text()
    # C++ can include the header too.
    (tmp_path / "use.cpp").write_text('#include "2 birds.h"\nint main() { return MODEL2_BIRDS_CLASSES == 3 ? 0 : 1; }\n')
    subprocess.run(["c++", "-Wall", "-Werror", "-fsyntax-only", "use.cpp"], check=True, cwd=tmp_path)


def test_int8_tables_are_a_quarter_of_the_size(models, tmp_path):
    model, _, _ = models["many"]
    sizes = [run_json("export", model, "-o", tmp_path / "a.c", "--type", kind)["table_bytes"] for kind in ("float", "int8")]
    vectors = run_json("info", model)["support_vectors"]
    assert sizes[0] - sizes[1] == vectors * DIMENSION * 3 - 3 * 4 * DIMENSION


# --- LIBSVM ----------------------------------------------------------------------------------------------------------


def svm_tool(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} here: it is in the package libsvm-tools (packages.txt)")
    return found


def svm_predict(model, data, folder):
    out = folder / "svm.out"
    subprocess.run([svm_tool("svm-predict"), "-q", str(data), str(model), str(out)], check=True, stdout=subprocess.DEVNULL)
    return out.read_text().split()


# svm-scale prints only six digits, so a row close to the decision boundary may change sides.
@pytest.mark.parametrize("name", ["binary", "many", "none", "hpoly", "sigmoid", "linear", "average", "svm", "tvm", "sparse", "metric", "weights", "newton", "regress", "novelty"])
def test_svm_predict_says_what_the_model_says(models, name, tmp_path):
    model, test, dimension = models[name]
    out = tmp_path / "svm.model"
    files = run_json("export", model, "-o", out)["files"]
    data = test
    if len(files) > 1:
        assert files[1]["path"] == f"{out}.range"
        scaled = subprocess.run([svm_tool("svm-scale"), "-r", f"{out}.range", str(test)], check=True, capture_output=True, text=True)
        data = tmp_path / "scaled"
        data.write_text(scaled.stdout)
    labels, scores = expected(model, test, name == "regress")
    got = svm_predict(out, data, tmp_path)
    if name == "regress":
        assert max(abs(float(a) - s[0]) for a, s in zip(got, scores)) < 1e-3
    elif len(files) > 1:
        assert share_equal(got, labels) >= 0.999
    else:
        assert got == labels


@pytest.mark.parametrize("name", ["binary", "many", "svm", "sparse", "metric", "novelty"])
def test_svm_predict_says_exactly_the_same_on_rows_scaled_in_full(models, name, tmp_path):
    model, test, dimension = models[name]
    out = tmp_path / "svm.model"
    run("export", model, "--to", "libsvm", "-o", out)
    limits = [line.split() for line in (tmp_path / "svm.model.range").read_text().splitlines()[2:]]
    lines = []
    for row in rows_of(test, dimension):
        values = []
        for f, (index, low, high) in enumerate(limits):
            if float(high) != float(low):
                values.append(f"{index}:{(row[f] - float(low)) / (float(high) - float(low)):.17g}")
        lines.append("0 " + " ".join(values))
    (tmp_path / "rows").write_text("\n".join(lines) + "\n")
    labels, _ = expected(model, test, False)
    assert svm_predict(out, tmp_path / "rows", tmp_path) == labels


def svm_train(data, folder, *options):
    model = folder / "svm.model"
    subprocess.run([svm_tool("svm-train"), "-q", *map(str, options), str(data), str(model)], check=True)
    return model


@pytest.mark.parametrize(
    "name, options",
    [
        ("binary", ["-s", 0]),
        ("many", ["-s", 0, "-c", 3]),
        ("many", ["-s", 1, "-n", 0.2, "-t", 1, "-r", 1, "-g", 0.1, "-d", 2]),
        ("many", ["-s", 0, "-t", 0]),
        ("binary", ["-s", 0, "-b", 1]),
        ("novelty", ["-s", 2, "-n", 0.1]),
        ("regress", ["-s", 3]),
        ("regress", ["-s", 4]),
    ],
)
def test_a_libsvm_model_can_be_read_and_exported(models, name, options, tmp_path):
    _, test, dimension = models[name]
    model = svm_train(test, tmp_path, *options)
    truth = svm_predict(model, test, tmp_path)
    regress = name == "regress"
    run("export", model, "-o", tmp_path / "bird.c")
    got, scores = answers([compiled(tmp_path, "bird", regress)], rows_of(test, dimension))
    run("export", model, "-o", tmp_path / "again.model")
    again = svm_predict(tmp_path / "again.model", test, tmp_path)
    run("compress", model, "--budget", 100000, "-o", tmp_path / "same.kinglet")
    same, same_scores = expected(tmp_path / "same.kinglet", test, regress)
    if regress:
        for values in (got, again, same):
            assert max(abs(float(a) - float(b)) for a, b in zip(values, truth)) < 1e-3
        return
    assert share_equal(got, truth) >= 0.999 and share_equal(same, truth) >= 0.999
    assert again == truth
    assert largest_difference(scores, same_scores) < 1e-4 or share_equal(got, same) >= 0.999


# --- what is refused -------------------------------------------------------------------------------------------------


def test_what_libsvm_has_not_is_refused_with_the_reason(models, tmp_path):
    out = tmp_path / "svm.model"
    assert "laplacian" in refused("export", models["minmax"][0], "-o", out)
    assert "length 1" in refused("export", models["unit"][0], "-o", out)
    assert "whole numbers" in refused("export", models["words"][0], "-o", out)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "text, reason",
    [
        ("svm_type c_svc\nkernel_type precomputed\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\nnr_sv 1 0\nSV\n1 0:1\n", "precomputed"),
        ("svm_type c_svc\nkernel_type rbf\n", "truncated"),
        ("svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1\n", "truncated"),
        ("svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\nnr_sv 1 0\nSV\n1 1:x\n", ":10: 'x' is not a number"),
        ("svm_type c_svc\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 -1\nnr_sv 1 0\nSV\n1 2:1 1:1\n", "increase"),
        ("svm_type bird\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1\n", "svm_type 'bird'"),
        ("svm_type c_svc\nkernel_type rbf\nwings 2\n", "wings"),
        ("bird", "not a kinglet model"),
    ],
)
def test_a_model_file_that_is_wrong_is_refused(text, reason, tmp_path):
    model = tmp_path / "svm.model"
    model.write_text(text)
    assert reason in refused("export", model, "-o", tmp_path / "a.c")
    assert os.listdir(tmp_path) == ["svm.model"]


def test_wrong_arguments_are_refused(models, tmp_path):
    model = models["binary"][0]
    assert "--to c, libsvm or onnx" in refused("export", model, "-o", tmp_path / "model.bin")
    assert "--to c" in refused("export", model, "--to", "onnx", "-o", tmp_path / "model.c")
    assert "must end in .c" in refused("export", model, "--to", "c", "-o", tmp_path / "model")
    assert "pmml" in refused("export", model, "--to", "pmml", "-o", tmp_path / "model")
    assert "--type" in refused("export", model, "--type", "int8", "-o", tmp_path / "model.onnx")
    assert "--name" in refused("export", model, "--name", "2x", "-o", tmp_path / "model.c")
    assert "MODEL is missing" in refused("export")
    assert "-o FILE is missing" in refused("export", model)
    assert "-o -" in refused("export", model, "--to", "onnx", "-o", "-")
    assert "no such file" in refused("export", tmp_path / "nothing", "-o", tmp_path / "model.c")
    assert "does not exist" in refused("export", model, "-o", tmp_path / "nowhere" / "model.c")
    assert os.listdir(tmp_path) == []


def test_a_full_disk_leaves_nothing_half_written(models, tmp_path):
    model = models["many"][0]
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))}
    for name in ("model.c", "svm.model", "model.onnx"):
        assert "cannot write" in refused("export", model, "-o", tmp_path / name, **limit)
    assert "cannot write" in refused("compress", model, "--budget", 5, "-o", tmp_path / "a.kinglet", **limit)
    assert os.listdir(tmp_path) == []


def test_a_model_that_has_learned_nothing_is_refused(tmp_path):
    data = tmp_path / "one"
    data.write_text("1 1:2\n1 1:3\n")
    run("train", data, "-o", tmp_path / "one.kinglet", "--quiet")
    assert "fewer than two classes" in refused("export", tmp_path / "one.kinglet", "-o", tmp_path / "one.c")
