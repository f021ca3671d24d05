#!/usr/bin/env python3
"""Do two versions of kinglet learn the same models, byte for byte?

    bench/same_models.py OLD [NEW]       two commits; each is built in build/same_models/. NEW is HEAD by default.
    bench/same_models.py --programs OLD_KINGLET NEW_KINGLET

Both programs train every algorithm on every task, every pair of an update and a budget rule, and a list of settings that
reach the rest of the code (kernels, storage, averages, probabilities, active learning, scaling, memory limits, passes).
Seeds are fixed and KINGLET_ISA is forced, so that equal code gives equal bytes. Both programs must refuse the same
settings. Prints each difference and one line of counts; the exit code is 1 if anything differs.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = 1500
STREAMS = {
    "two": ["gen:checkerboard?n={n}&noise=0.05&seed=3"],
    "three": ["gen:waveform?n={n}&seed=3"],
    "regress": ["gen:friedman?n={n}&seed=3", "--task", "regress"],
    "novelty": ["gen:ring?n={n}&seed=3", "--task", "novelty"],
}
# Settings that algorithms × tasks and rules × rules do not reach.
SETTINGS = [
    *(f"--kernel {kernel} --maintain {rule}" for kernel in ("laplacian", "poly", "linear", "sigmoid")
      for rule in ("smallest", "project", "projectron", "bpa-nn", "largest-margin")),
    *(f"--algo {algo} --storage mixed" for algo in ("auto", "bpegasos", "bmp", "projectron++", "bnewton", "lasvm", "tvm")),
    *(f"--algo {algo} --storage sparse" for algo in ("bpegasos", "bmp", "forgetron", "projectron++", "bpa-nn", "lasvm",
                                                      "budget-mira", "tightest", "spa", "onlinesvmr")),
    *(f"--algo {algo} --output average" for algo in ("ogd", "pegasos", "perceptron", "pa1", "spa", "oskl", "stoptron")),
    *(f"--algo {algo} --proba" for algo in ("bpegasos", "bogd++", "lasvm", "tvm", "projectron")),
    *(f"--algo {algo} --query {query} --query-budget 300" for algo in ("bpegasos", "bmp", "onlineasvmr")
      for query in ("ramp", "greedy")),
    *(f"--algo bpegasos --scale {scale} --budget 40" for scale in ("minmax", "unit", "none")),
    *(f"--algo bpegasos --memory {memory}" for memory in ("16K", "64K")),
    *(f"--algo {algo} --passes 3" for algo in ("bpegasos", "bmp", "budget-mira", "tvm", "svm")),
    "--algo bpegasos --merge-pairs 4",
    "--algo bpegasos --class-weight 1=3",
    "--algo bmp --radius 5",
    "--update mp --radius 2 --maintain project",
    "--update mp --radius 2 --maintain bpa-s",
    "--update mp --radius 2 --maintain largest-margin",
    "--update norma --loss squared --maintain merge",
]


def cases(program):
    """(name, arguments) of every run."""
    registry = json.loads(subprocess.run([program, "algorithms", "--json"], check=True, capture_output=True).stdout)
    unbounded = {a["name"] for a in registry["algorithms"] if a["maintain"] in ("", "none") and a["dual"] != "tvm"}
    settings = [f"--algo {algorithm['name']}" for algorithm in registry["algorithms"]]
    for update, rule in itertools.product(registry["update_rules"], registry["budget_rules"]):
        settings.append(f"--update {update['name']} --maintain {rule['name']}")
    for setting, stream in itertools.product(settings + SETTINGS, STREAMS):
        options = setting.split()
        if not {"--budget", "--memory", "none", *unbounded} & set(options):
            options += ["--budget", "40"]  # small enough that every budget rule has to act
        yield stream, options


def train(program, stream, options, model, folder):
    source, *task = STREAMS[stream]
    unbounded = "--budget" not in options and "--memory" not in options
    command = [program, "train", source.format(n=ROWS // 3 if unbounded else ROWS), *task, *options, "--seed", "7",
               "-o", model, "--quiet"]  # fmt: skip
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
                          env={**os.environ, "KINGLET_ISA": os.environ.get("KINGLET_ISA", "avx2")})  # fmt: skip
    return done.returncode, pathlib.Path(folder, model).read_bytes() if done.returncode == 0 else done.stderr


def compare(programs, stream, options):
    """What differs: None if both programs refuse, an empty text if the models are the same."""
    with tempfile.TemporaryDirectory() as folder:
        (old_code, old), (new_code, new) = (train(p, stream, options, f"{i}.kinglet", folder) for i, p in enumerate(programs))
    if old_code != new_code:
        return f"exit codes {old_code} and {new_code}: {old if old_code else new}".strip()
    if old_code != 0:
        return None
    return "" if old == new else f"the models differ ({len(old)} and {len(new)} bytes)"


def built(revision):
    """Builds a commit in its own worktree and returns the path of the program."""
    commit = subprocess.run(["git", "rev-parse", "--short=12", f"{revision}^{{commit}}"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.strip()  # fmt: skip
    folder = ROOT / "build" / "same_models" / commit
    if not folder.exists():
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", folder, commit], cwd=ROOT, check=True)
    build = folder / "build"
    print(f"building {commit} in {folder.relative_to(ROOT)}", flush=True)
    subprocess.run(["cmake", "--preset", "release", "-DKINGLET_BUILD_TESTS=OFF"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    subprocess.run(["cmake", "--build", build, "--target", "kinglet-cli"], check=True, stdout=subprocess.DEVNULL)
    return str(build / "kinglet")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="HEAD")
    parser.add_argument("--programs", action="store_true", help="OLD and NEW are programs, not commits")
    arguments = parser.parse_args()
    both = (arguments.old, arguments.new)
    programs = [str(pathlib.Path(p).resolve()) for p in both] if arguments.programs else [built(r) for r in both]
    same = refused = different = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(compare, programs, *case): case for case in cases(programs[0])}
        for run in concurrent.futures.as_completed(runs):
            stream, options = runs[run]
            outcome = run.result()
            same += outcome == ""
            refused += outcome is None
            if outcome:
                different += 1
                print(f"{stream} {' '.join(options)}: {outcome}", flush=True)
    print(f"{same} models are the same, {different} differ, {refused} combinations are refused by both")
    if same == 0:
        sys.exit("no model was compared")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
