#!/usr/bin/env python3
"""Show that peak memory does not grow with the stream: train on 1 M and on 20 M examples from a pipe.

    bench/memory.py [--examples 1000000 20000000]
"""
import argparse
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")


def peak(examples):
    maker = subprocess.Popen([KINGLET, "gen", f"gen:checkerboard?n={examples}&seed=1"], stdout=subprocess.PIPE)
    done = subprocess.run([KINGLET, "train", "-", "--algo", "bpegasos", "--budget", "100", "--json"], stdin=maker.stdout,
                          check=True, capture_output=True, text=True)
    maker.wait()
    return json.loads(done.stdout)


def main():
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--examples", type=int, nargs=2, default=[1_000_000, 20_000_000])
    results = [peak(n) for n in flags.parse_args().examples]
    for result in results:
        print(f"{result['examples']:>12,} examples: peak {result['peak_rss_bytes'] / 1e6:.2f} MB, "
              f"learner {result['memory_bytes'] / 1e3:.1f} kB, {result['examples_per_second'] / 1e6:.2f} M/s")
    print(f"difference: {(results[1]['peak_rss_bytes'] - results[0]['peak_rss_bytes']) / 1e6:+.3f} MB (target: at most 1 MB)")


if __name__ == "__main__":
    main()
