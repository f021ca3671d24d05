#!/usr/bin/env python3
"""Cost of the online ramp-loss machine compared with similar algorithms, on the same data with the same settings.

    bench/ramp.py [EXAMPLES]

On the checkerboard with noisy labels, the machine is compared with LIBSVM (svm) and the exact online SVM (idsvm); on
gauss, with its offline version (svmr). Programs run one after the other. Times are processor time of the whole program,
including reading and testing. For accuracy on the paper's nine data sets, see kinglet paper ramp-table1.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINGLET = os.environ.get("KINGLET", ROOT / "build" / "kinglet")

# training data, test data, C, gamma, algorithms to compare with
TABLES = (("ncheckerboard", "checkerboard", 100, 3, ("svm", "idsvm")), ("gauss", "gauss", 10, 0.2, ("svmr",)))


def train(name, test, count, algorithm, box, gamma):
    command = [KINGLET, "train", f"gen:{name}?n={count}&seed=3", "--test", f"gen:{test}?n=10000&seed=4", "--json", "--quiet",
               "--scale", "none", "--algo", algorithm, "--C", str(box), "--gamma", str(gamma)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        said = program.stdout.read()
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode:
        raise subprocess.CalledProcessError(program.returncode, command)
    return {**json.loads(said), "processor_seconds": used.ru_utime + used.ru_stime}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    for name, test, box, gamma, others in TABLES:
        print(f"\n{name}, {count} examples, C = {box}, gamma = {gamma}\n\n| algorithm | test accuracy % | support vectors "
              "| processor s | M kernel values | times onlinesvmr: time, kernel values |\n|---|---|---|---|---|---|")
        ours = None
        for algorithm in ("onlinesvmr", *others):
            result = train(name, test, count, algorithm, box, gamma)
            spent, kernel_values = result["processor_seconds"], (result["kernel_evaluations"] or 0) / 1e6
            ours = ours or (spent, kernel_values)
            shown = f"{kernel_values:.1f}" if kernel_values else "–"
            ratio = f"{spent / ours[0]:.1f}, " + (f"{kernel_values / ours[1]:.1f}" if kernel_values else "–")
            print(f"| {algorithm} | {100 * result['test_accuracy']:.2f} | {result['support_vectors']} | {spent:.2f} | {shown} "
                  f"| {ratio} |", flush=True)


if __name__ == "__main__":
    main()
