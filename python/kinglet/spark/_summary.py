"""What happened during a fit: the rounds, and the parts that their tasks learned."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Part:
    """What a task has learned. Times are processor time in seconds."""

    partition: int
    rows: int
    isa: str  # instruction set
    learn_seconds: float
    task_seconds: float  # learning, and reading the batches in Python
    memory_bytes: int  # of the learner
    process_bytes: tuple[int, int]  # of the Python process: when the task began, and at most since the process began
    model_bytes: int  # that went to the driver


@dataclass(frozen=True)
class Round:
    """One pass over the rows."""

    parts: list[Part]
    mix_seconds: float  # processor time of the driver
    validation_error: float | None = None  # share of wrong classes or root mean squared error; None: no validation rows


@dataclass
class Summary:
    """What happened during a fit."""

    sample_rows: int = 0
    start_bytes: int = 0
    start_seconds: float = 0.0  # processor time of the driver
    rounds: list[Round] = field(default_factory=list)
    best_round: int = 0  # whose model was kept; counted from 0

    @property
    def rows(self) -> int:
        """The number of rows of a round."""
        return sum(part.rows for part in self.rounds[0].parts)
