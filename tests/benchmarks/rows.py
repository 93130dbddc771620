"""One line of the benchmark table, and how two actions are timed in turn."""

import time
from dataclasses import dataclass
from functools import cache
from statistics import median

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


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
    """Median times of two actions that take turns, and the median of how many times as long ours took in a turn.

    They take turns until the seconds are used up, and at least so many times; three are enough where each takes long.
    A processor that changes its speed meanwhile changes both medians, but seldom the ratio of two neighbours.
    """
    ours(), peer()
    times, start, enough = [], time.perf_counter(), False
    while not enough:
        times.append((milliseconds(ours, clock), milliseconds(peer, clock)))
        turns, spent = len(times), time.perf_counter() - start
        enough = (turns >= least and spent >= seconds) or (turns >= 3 and spent > 8 * seconds > 0)
    a, b = (median(column) for column in zip(*times, strict=True))
    return a, b, median(mine / other for mine, other in times)


def faster(task, ours, peer, goal, seconds, least=5):
    a, b, ratio = in_turn(ours, peer, seconds, least=least)
    return Row(task, a, b, 1 / ratio, goal)


@cache
def plain_figure():
    """The peer of what has no peer: one curve of Matplotlib with two ticks on each axis."""
    canvas = FigureCanvasAgg(Figure(figsize=(7, 4.6), dpi=100))
    axes = canvas.figure.subplots()
    axes.set(xticks=[0, 1], yticks=[-1, 1])
    axes.plot(np.linspace(0, 1, 200), np.sin(np.linspace(0, 9, 200)))
    return canvas


def in_figures(task, action, goal, least=3):
    """The time of an action in plain figures, of which a slow machine draws fewer as well."""
    a, b, ratio = in_turn(action, plain_figure().draw, 0, least=least)
    return Row(f"{task} | a figure", a, b, ratio, goal, at_least=False)
