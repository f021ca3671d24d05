#!/usr/bin/env python3
"""Kills training runs with SIGKILL at random moments, resumes each, and compares the final models with those of uninterrupted runs.

    bench/kills.py [--kills 1000] [--seconds 3600] [--program build/kinglet] [--seed 1]

Each round takes one of several settings and restarts it with --resume until it finishes, and kills it up to ten times on the way. The model
must have the same bytes as that of a run that was never killed, and no file but the checkpoint and its lock may be left in the folder.
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
KILLS_PER_ROUND = 10


def settings(program, folder):
    """The arguments of train, by name. Each run takes some tenths of a second."""
    rows = folder / "board.libsvm"
    rows.write_bytes(subprocess.run([program, "gen", "checkerboard", "-n", "60000"], check=True, capture_output=True).stdout)
    return {
        "passes": ["gen:waveform?n=40000&classes=2", "--budget", "300", "--passes", "2", "--every", "5000"],
        "file": [rows, "--budget", "300", "--every", "3000", "--algo", "bnorma", "--gamma", "8"],
        "shuffled": [rows, "--budget", "300", "--every", "3000", "--gamma", "8", "--shuffle", "5000"],
        "regression": ["gen:friedman?n=30000", "--budget", "200", "--every", "2000", "--task", "regress", "--update", "pa2", "--C", "0.1"],
        "dual": ["gen:gauss?n=4000", "--algo", "lasvm", "--every", "300"],
    }  # fmt: skip


class Round:
    """One setting, killed and resumed until it finishes."""

    def __init__(self, program, arguments, folder):
        self.model, self.state = folder / "model", folder / "state"
        self.command = [program, "train", *map(str, arguments), "-o", self.model, "--checkpoint", self.state, "--resume", "--quiet"]
        self.kills = self.resumed = 0

    def run(self, rng, seconds, most):
        """`seconds` is the time of a whole run. Returns the bytes of the model; None if it was lost."""
        while True:
            self.resumed += (self.state / "checkpoint.kinglet").exists()
            child = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                patience = rng.uniform(0, 0.6) * seconds if self.kills < most else 600
                _, errors = child.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                child.kill()
                _, errors = child.communicate()
                self.kills += child.returncode == -signal.SIGKILL
                continue
            if child.returncode != 0:
                print(errors.decode(errors="replace"), file=sys.stderr)
                return None
            return self.model.read_bytes()

    def leftovers(self):
        return {path.name for path in self.state.iterdir()} - {"checkpoint.kinglet", "lock"}


def reference(program, arguments, folder):
    """The bytes of an uninterrupted run without checkpoints, and its time with them."""
    subprocess.run([program, "train", *map(str, arguments_without_every(arguments)), "-o", folder / "model", "--quiet"], check=True)
    begin = time.monotonic()
    state = ["--checkpoint", folder / "timed", "--quiet"]
    subprocess.run([program, "train", *map(str, arguments), *state], check=True)
    return (folder / "model").read_bytes(), time.monotonic() - begin


def arguments_without_every(arguments):
    at = arguments.index("--every")
    return arguments[:at] + arguments[at + 2 :]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3600, help="ends with the round in which this time has passed")
    parser.add_argument("--program", default=os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    begin = time.monotonic()
    kills = rounds = resumed = lost = different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runs = settings(args.program, folder)
        whole = {}
        for key, arguments in runs.items():
            (folder / key).mkdir()
            whole[key] = reference(args.program, arguments, folder / key)
        while kills < args.kills and time.monotonic() - begin < args.seconds:
            key = list(runs)[rounds % len(runs)]
            place = folder / "round"
            place.mkdir()
            expected, seconds = whole[key]
            this = Round(args.program, runs[key], place)
            model = this.run(rng, seconds, min(KILLS_PER_ROUND, args.kills - kills))
            lost += model is None
            different += model is not None and model != expected
            if this.leftovers():
                sys.exit(f"{key}: left behind {this.leftovers()}")
            kills, rounds, resumed = kills + this.kills, rounds + 1, resumed + this.resumed
            shutil.rmtree(place)
            print(f"\r{kills} kills", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        f"{kills} kills in {rounds} runs ({resumed} resumed from a checkpoint), {time.monotonic() - begin:.0f} s: "
        f"{lost} models lost, {different} different"
    )
    sys.exit(1 if lost or different else 0)


if __name__ == "__main__":
    main()
