"""One line of the benchmark table, and how two actions are timed in turn."""

import time
from dataclasses import dataclass
from statistics import median


@dataclass
class Row:
    """One line of the table; ours and peer in ms unless the task says otherwise."""

    task: str
    ours: float
    peer: float | None
    ratio: float
    goal: float
    at_least: bool = True  # or at most

    @property
    def compares(self):
        """Whether the row is a ratio of two times of one machine, and not milliseconds or megabytes."""
        return self.at_least or self.peer is not None

    @property
    def mark(self):
        short_of = self.goal / self.ratio if self.at_least else self.ratio / self.goal
        return "ok" if short_of <= 1 else "missed" if short_of <= 2 else "FAILED"

    def __str__(self):
        peer, sign = "" if self.peer is None else f"{self.peer:.2f}", "≥" if self.at_least else "≤"
        return f"{self.task:<58}{self.ours:>10.2f}{peer:>10}{self.ratio:>8.2f}   {sign} {self.goal:<5g}{self.mark}"


def milliseconds(action, clock=time.process_time):
    start = clock()
    action()
    return 1e3 * (clock() - start)


def in_turn(ours, peer, seconds, clock=time.process_time, least=5):
    """Median times of two actions that take turns until the seconds are used up, at least so many times each."""
    ours(), peer()
    times, start = [], time.perf_counter()
    while len(times) < least or time.perf_counter() - start < seconds:
        times.append((milliseconds(ours, clock), milliseconds(peer, clock)))
    return [median(column) for column in zip(*times, strict=True)]


def faster(task, ours, peer, goal, seconds, least=5):
    a, b = in_turn(ours, peer, seconds, least=least)
    return Row(task, a, b, b / a, goal)
