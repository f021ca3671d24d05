"""Runs the program under test, which the environment variable KINGLET names, as a shell would."""

import json
import os
import pathlib
import random
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINGLET = os.path.abspath(os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
DATA = pathlib.Path(os.environ.get("KINGLET_TEST_DATA", ROOT.parent / "shared" / "data"))
TIMEOUT = 120


def start(*args, **options):
    return subprocess.Popen([KINGLET, *map(str, args)], **options)


def run(*args, code=0, **options):
    """Runs a command to its end with text as input and output. Fails unless the exit code is `code`."""
    options.setdefault("timeout", TIMEOUT)
    options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
    if options["stdin"] is None:
        del options["stdin"]
    done = subprocess.run([KINGLET, *map(str, args)], capture_output=True, text=True, **options)
    assert done.returncode == code, f"exit code {done.returncode}, not {code}\n{done.stdout}{done.stderr}"
    return done


def run_json(*args, **options):
    """The one JSON object that a command prints with --json."""
    return json.loads(run(*args, "--json", **options).stdout)


def refused(*args, **options):
    """Runs a command that must fail with exit code 2, one line on standard error and no output. Returns that line."""
    done = run(*args, code=2, **options)
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("kinglet: "), done.stderr
    assert done.stdout == ""
    return lines[0]


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.005)


def wait_for_handler(child, number=signal.SIGINT):
    """Waits until the program has installed its signal handler; before that, the signal would kill it."""

    def caught():
        status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
        mask = int(status.split("SigCgt:")[1].split()[0], 16)
        return mask >> (number - 1) & 1 == 1

    wait_until(caught)


def stopped(*args, text="", number=signal.SIGINT, pause=0.5):
    """Runs a command that reads `text` from a pipe which stays open, and stops it with a signal after a pause. Returns what
    it printed: standard output and standard error."""
    pipe = subprocess.PIPE
    child = start(*args, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    child.stdin.write(text)
    child.stdin.flush()
    wait_for_handler(child, number)
    time.sleep(pause)
    child.send_signal(number)
    assert child.wait(TIMEOUT) == 128 + number
    return child.communicate()


def blobs(path, rows=600, labels=("a", "b", "c"), seed=1, separator=None, header=None):
    """Well-separated clusters on a line of centres, one for each label, as LIBSVM or (with a separator) CSV."""
    rng = random.Random(seed)
    lines = [header] if header else []
    for _ in range(rows):
        k = rng.randrange(len(labels))
        x = [rng.gauss(4 * k, 0.5), rng.gauss(-2 * k, 0.5)]
        if separator is None:
            lines.append(f"{labels[k]} 1:{x[0]:.4f} 2:{x[1]:.4f}")
        else:
            lines.append(separator.join([labels[k], f"{x[0]:.4f}", f"{x[1]:.4f}"]))
    pathlib.Path(path).write_text("\n".join(lines) + "\n")
    return path
