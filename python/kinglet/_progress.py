"""Progress bar: that of tqdm if it is installed, else a line on standard error that is updated in place."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Callable

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    from tqdm.auto import tqdm
except ImportError:
    tqdm = None


class _Line:
    """Print progress at most ten times a second."""

    def __init__(self, total: int, name: str) -> None:
        self._total, self._name, self._done, self._last = total, name, 0, 0.0

    def update(self, rows: int) -> None:
        self._done += rows
        now = time.monotonic()
        if now - self._last < 0.1 and self._done < self._total:
            return
        self._last = now
        sys.stderr.write(f"\r{self._name}: {self._done:,} of {self._total:,} rows")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\n")


@contextmanager
def progress_bar(total: int, name: str, shown: bool) -> Iterator[Callable[[int], object] | None]:
    """Yield a function to call with the number of rows learned since the last call, or None if nothing is shown."""
    if not shown:
        yield None
        return
    bar = tqdm(total=total, desc=name, unit=" rows", unit_scale=True) if tqdm is not None else _Line(total, name)
    try:
        yield bar.update
    finally:
        bar.close()
