#!/usr/bin/env python3
"""How fast are text files read? The same files by kinglet, pandas, LightGBM and scikit-learn.

    bench/reading.py [--rows N] [--repeat N] [--folder DIR]

Files: `waveform`, N generated rows of 21 numbers, and the rows of `covtype` from the folder KINGLET_TEST_DATA, if it is there,
three times; each as CSV and as LIBSVM text. They are written to DIR (build/bench/reading) and are in the page cache when they
are measured. They are large because a system may take a tenth of a second to move a new thread to a processor of its own.

Every reading is a process of its own, and readers take turns. The clock runs while the file is read, not while the program
starts. MB/s of wall time and of processor time (all threads together) come from the reading with the least of each.

    kinglet         open_source() and next() until the end: 32-bit floats in batches, every number rounded correctly
    pandas          read_csv() with the C engine and 32-bit floats; its default parser may be wrong in the last digits. It has
                    no option for the number of threads
    LightGBM        Dataset(file).construct(), which reads the file and also bins the values
    LightGBM, 2 bins    the same with as little binning as its options allow: 2 bins for each feature, found from 1000 rows
    scikit-learn    load_svmlight_file() with 32-bit floats
"""

import argparse
import json
import lzma
import os
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


# --- readers ----------------------------------------------------------------------------------------------------------


def pandas_reader(path, _threads):
    import numpy
    import pandas

    return lambda: len(pandas.read_csv(path, engine="c", dtype=numpy.float32))


def lightgbm_reader(path, threads, **options):
    import lightgbm

    options = {"num_threads": threads, "verbose": -1, "header": path.endswith(".csv"), **options}
    return lambda: lightgbm.Dataset(path, params=options).construct().num_data()


def lightgbm_2_bins_reader(path, threads):
    return lightgbm_reader(
        path, threads, max_bin=2, bin_construct_sample_cnt=1000, enable_bundle=False, feature_pre_filter=False
    )


def sklearn_reader(path, _threads):
    import numpy
    import sklearn.datasets

    return lambda: sklearn.datasets.load_svmlight_file(path, dtype=numpy.float32)[0].shape[0]


READERS = {
    "pandas": pandas_reader,
    "LightGBM": lightgbm_reader,
    "LightGBM, 2 bins": lightgbm_2_bins_reader,
    "scikit-learn": sklearn_reader,
}

# Which reader reads which format, with how many threads; 0: it has no such option.
CONTESTANTS = [
    ("kinglet", 1, ("csv", "libsvm")),
    ("kinglet", 2, ("csv", "libsvm")),
    ("pandas", 0, ("csv",)),
    ("LightGBM", 1, ("csv", "libsvm")),
    ("LightGBM", 2, ("csv", "libsvm")),
    ("LightGBM, 2 bins", 1, ("csv", "libsvm")),
    ("LightGBM, 2 bins", 2, ("csv", "libsvm")),
    ("scikit-learn", 0, ("libsvm",)),
]


def read_here(reader, path, threads):
    """Reads the file in this process and prints rows, wall seconds and processor seconds, as parse_bench does."""

    def processor_seconds():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    read = READERS[reader](path, threads)
    wall, processor = time.monotonic(), processor_seconds()
    rows = read()
    print(rows, time.monotonic() - wall, processor_seconds() - processor)


def measure(reader, path, threads):
    if reader == "kinglet":
        command = [ROOT / "build/bench/parse_bench", path, str(threads)]
    else:
        command = [sys.executable, "-B", __file__, "--read", json.dumps([reader, str(path), threads])]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads or 1)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    rows, wall, processor = done.stdout.split()[-3:]
    return int(rows), float(wall), float(processor)


# --- files ------------------------------------------------------------------------------------------------------------


def write_waveform(folder, rows):
    kinglet = os.environ.get("KINGLET", ROOT / "build/kinglet")
    for form in ("csv", "libsvm"):
        with open(folder / f"waveform.{form}", "w") as file:
            subprocess.run([kinglet, "gen", "waveform", "-n", str(rows), "--format", form], stdout=file, check=True)


def write_covtype(folder, packed):
    with lzma.open(packed, "rt") as file:
        libsvm = file.read()
    lines = []
    for row in libsvm.splitlines():
        label, *entries = row.split()
        fields = [label] + 54 * ["0"]
        for entry in entries:
            index, value = entry.split(":")
            fields[int(index)] = value
        lines.append(",".join(fields) + "\n")
    header = ",".join(["label"] + [f"x{i + 1}" for i in range(54)]) + "\n"
    (folder / "covtype.libsvm").write_text(3 * libsvm)
    (folder / "covtype.csv").write_text(header + 3 * "".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/bench/reading")
    parser.add_argument("--read", help=argparse.SUPPRESS)
    flags = parser.parse_args()
    if flags.read:
        read_here(*json.loads(flags.read))
        return

    flags.folder.mkdir(parents=True, exist_ok=True)
    write_waveform(flags.folder, flags.rows)
    names = ["waveform"]
    covtype = pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT / "../shared/data")) / "covtype.xz"
    if covtype.exists():
        write_covtype(flags.folder, covtype)
        names.append("covtype")

    print("| file | MB | reader | threads | MB/s, wall | MB/s, processor |")
    print("|---|---|---|---|---|---|")
    for form in ("csv", "libsvm"):
        for name in names:
            path = flags.folder / f"{name}.{form}"
            contestants = [(reader, threads) for reader, threads, forms in CONTESTANTS if form in forms]
            results = {contestant: [] for contestant in contestants}
            for _ in range(flags.repeat):
                for reader, threads in contestants:
                    results[reader, threads].append(measure(reader, path, threads))
            rows = {row for readings in results.values() for row, _, _ in readings}
            assert len(rows) == 1, f"{path}: readers found different numbers of rows: {rows}"
            megabytes = path.stat().st_size / 1e6
            for (reader, threads), readings in results.items():
                wall = megabytes / min(reading[1] for reading in readings)
                processor = megabytes / min(reading[2] for reading in readings)
                shown = threads or "–"
                print(f"| {path.name} | {megabytes:.0f} | {reader} | {shown} | {wall:.0f} | {processor:.0f} |", flush=True)


if __name__ == "__main__":
    main()
