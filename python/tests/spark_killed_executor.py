"""Fits on two executors of their own processes, and once more while one of them is killed; prints whether the bytes are the same.

Run by test_spark_cluster.py, since a process has one Spark session.
"""

import os
import pathlib
import signal
import sys
import threading
import time

import spark_sessions

from kinglet.spark import KernelClassifier

FOLDER = pathlib.Path(sys.argv[1])
PATIENCE = 120  # seconds


def parent_of(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("PPid:")[1].split()[0])


def executor():
    """The process id of the executor of this task: the parent of Python's daemon, the parent of this process."""
    pid = os.getppid()
    return pid if "java" in pathlib.Path(f"/proc/{pid}/comm").read_text() else parent_of(pid)


class WaitForDeath:
    """Passes batches on. Partition 1 waits half read to be killed, after it was read as often as the file `passes` says."""

    def __init__(self, folder):
        self._folder = folder

    def __call__(self, batches):
        from pyspark import TaskContext

        for number, batch in enumerate(batches):
            passes = self._folder / "passes"
            if number == 2 and TaskContext.get().partitionId() == 1 and passes.exists():
                left = int(passes.read_text())
                if left > 0:
                    passes.write_text(str(left - 1))
                    yield batch
                    continue
                passes.unlink()
                (self._folder / "told").write_text(str(executor()))
                (self._folder / "told").rename(self._folder / "pid")
                time.sleep(PATIENCE)
                raise RuntimeError("nobody killed the executor")
            yield batch


def kill_when_told(killed):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (FOLDER / "pid").exists():
            pid = int((FOLDER / "pid").read_text())
            ancestor = pid
            while ancestor not in (0, 1, os.getpid()):
                ancestor = parent_of(ancestor)
            assert ancestor == os.getpid(), "not an executor of this test"
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
            return
        time.sleep(0.05)


def main():
    session = spark_sessions.new_session(
        "local-cluster[2,1,512]",
        **{
            "spark.executor.memory": "512m",
            "spark.sql.execution.arrow.maxRecordsPerBatch": "200",
        },
    )
    data = session.range(0, 4000, 1, 4).selectExpr(
        "float(pmod(xxhash64(id, 1), 1000) / 500) as x", "float(pmod(xxhash64(id, 2), 1000) / 500) as y"
    )
    data = data.selectExpr("x", "y", "double((floor(x) + floor(y)) % 2 = 0) as label")
    slow = data.mapInArrow(WaitForDeath(FOLDER), data.schema)
    classifier = KernelClassifier(features_col=["x", "y"], budget=40, gamma=1.0, scout=500)
    quiet = classifier.fit(slow)

    executors = {row.pid for row in slow.mapInArrow(pids, "pid int").collect()}
    assert len(executors) == 2, executors
    killed = []
    thread = threading.Thread(target=kill_when_told, args=[killed])
    thread.start()
    (FOLDER / "passes").write_text("2")  # counting the rows, and the sample; then they are learned
    disturbed = classifier.fit(slow)
    thread.join()
    assert len(killed) == 1 and killed[0] in executors
    print("the same bytes" if disturbed._data == quiet._data else "other bytes", len(disturbed.summary.rounds[0].parts))
    session.stop()


def pids(batches):
    import pyarrow as pa

    for _ in batches:
        pass
    yield pa.RecordBatch.from_pydict({"pid": pa.array([executor()], pa.int32())})


if __name__ == "__main__":
    main()
