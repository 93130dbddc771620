"""How many learners one machine serves: python tests/benchmarks/learners.py [N…] [--seconds S]

Each learner has a kernel with the boundary explorer of notebook 07 in it. About twice a second each moves the width σ
anywhere between its ends, which asks for a new fit, and waits for the new picture as a browser does. Messages go
straight to the kernels: the Jupyter server, the network and the browser come on top. The last column says how busy
other programs kept the processors meanwhile; only lines in which it is small are worth keeping.
"""

import argparse
import asyncio
import contextlib
import os
import random
import tempfile
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as in the first cell of every notebook; the kernels inherit it

import numpy as np
import psutil
from jupyter_client import AsyncKernelManager

from kernelkit.course.explorers.support_vector_machine import boundary

CELL = """\
import numpy as np
from kernelkit import datasets
from kernelkit.course import plots
from kernelkit.course.explorers import support_vector_machine as explore
panel = explore.boundary()
panel"""
SIGMA = next(control for control in boundary.controls if control.name == "sigma")
PAUSE = 0.5  # seconds between two moves of one learner
WARM_UP = 3  # moves that are not counted


class Learner:
    """A kernel with one panel, and the page that shows it."""

    def __init__(self, name, folder):
        self.manager = AsyncKernelManager(transport="ipc", connection_file=str(Path(folder, f"{name}.json")))
        self.random = random.Random(name)

    async def start(self):
        """Start the kernel, show the panel, and find its slider among the widgets."""
        await self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        await self.client.wait_for_ready(timeout=120)
        async for message in self.answers(self.client.execute(CELL)):
            if message["msg_type"] == "error":
                raise RuntimeError("\n".join(message["content"]["traceback"]))
            widget = message["content"].get("data", {}).get("state", {}) if message["msg_type"] == "comm_open" else {}
            if widget.get("description") == SIGMA.label:
                self.slider = message["content"]["comm_id"]

    async def answers(self, request):
        """What the kernel sends because of one request, until it is idle again."""
        while True:
            message = await self.client.get_iopub_msg(timeout=120)
            if message["parent_header"].get("msg_id") == request:
                yield message
                if message["content"].get("execution_state") == "idle":
                    return

    async def move(self):
        """Move the slider somewhere else; the seconds until the new picture is here."""
        value = SIGMA.low * (SIGMA.high / SIGMA.low) ** self.random.random()
        data = {"method": "update", "state": {"value": value}, "buffer_paths": []}
        message = self.client.session.msg("comm_msg", {"comm_id": self.slider, "data": data})
        start, seconds = time.perf_counter(), None
        self.client.shell_channel.send(message)
        async for answer in self.answers(message["header"]["msg_id"]):
            if ["png"] in answer["content"].get("data", {}).get("buffer_paths", []):
                seconds = time.perf_counter() - start
        if seconds is None:
            raise RuntimeError("the slider moved and no picture came")
        return seconds

    async def play(self, seconds):
        """Move about twice a second; the waiting times."""
        for _ in range(WARM_UP):
            await self.move()
        await asyncio.sleep(PAUSE * self.random.random())
        waits, end = [], time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            waits.append(await self.move())
            pause = PAUSE * self.random.uniform(0.8, 1.2)
            await asyncio.sleep(max(0.0, now + pause - time.perf_counter()))
        return waits

    def process(self):
        return psutil.Process(self.manager.provisioner.pid)

    def memory(self):
        """Megabytes of the kernel; what processes share is divided among them where the system says how much."""
        info = self.process().memory_full_info()
        return getattr(info, "pss", info.rss) / 1e6

    def spent(self):
        """Seconds of processor time the kernel has used so far."""
        times = self.process().cpu_times()
        return times.user + times.system

    async def stop(self):
        """End the kernel, also one that did not come up."""
        if hasattr(self, "client"):
            self.client.stop_channels()
        if self.manager.has_kernel:
            await self.manager.shutdown_kernel(now=True)


@contextlib.asynccontextmanager
async def room_of(count):
    """That many learners, ready to play."""
    with tempfile.TemporaryDirectory(prefix="learners-") as folder:
        learners = [Learner(f"{i}", folder) for i in range(count)]
        try:
            for learner in learners:
                await learner.start()
            yield learners
        finally:
            await asyncio.gather(*(learner.stop() for learner in learners))


async def measure(count, seconds):
    """One line of the table."""
    async with room_of(count) as learners:
        kernels, client, start = sum(who.spent() for who in learners), time.process_time(), time.perf_counter()
        psutil.cpu_percent()
        waits = 1e3 * np.concatenate(await asyncio.gather(*(who.play(seconds) for who in learners)))
        busy, elapsed = psutil.cpu_percent(), time.perf_counter() - start
        kernels, client = sum(who.spent() for who in learners) - kernels, time.process_time() - client
        memory = [who.memory() for who in learners]
    others = max(0.0, busy - 100 * (kernels + client) / elapsed / psutil.cpu_count())
    rate, spent = len(waits) / count / seconds, 1e3 * kernels / (len(waits) + WARM_UP * count)
    numbers = (count, np.mean(memory), sum(memory) / 1e3, rate, spent, *np.quantile(waits, [0.5, 0.9, 1.0]), others)
    forms = ("8d", "9.0f", "10.1f", "14.2f", "15.1f", "11.0f", "9.0f", "10.0f", "8.0f")
    return " ".join(format(number, form) for number, form in zip(numbers, forms, strict=True)) + " %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", nargs="*", type=int, default=[10, 20, 40], metavar="N", help="how many learners")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long they play (20)")
    options = parser.parse_args()
    print(f"{psutil.cpu_count()} processors, {psutil.virtual_memory().total / 1e9:.0f} GB")
    print("learners   MB each  GB in all   moves/s each   CPU ms a move   median ms   90 % ms   worst ms   others")
    for count in options.counts:
        print(asyncio.run(measure(count, options.seconds)), flush=True)


if __name__ == "__main__":
    main()
