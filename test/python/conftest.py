"""Each test is told as a claim, in the words of the other test programs; and what several tests use."""

import ctypes
import gc
import os
import signal
import subprocess
from pathlib import Path

import pytest

os.environ["RESIDA_COMMAND"] = os.environ["RESIDA_BIN"]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts processes in the background without it


def pytest_report_teststatus(report):
    if report.when == "call" or report.failed:
        word = "      OK" if report.passed else " FAILED "
        return report.outcome, "", f"[ {word} ] {report.nodeid.split('::')[-1]}"
    return "", "", ""


@pytest.fixture(scope="session")
def modules() -> Path:
    """The folder of the shared objects that are made for these tests."""
    return Path(os.environ["RESIDA_PYTHON_MODULES"])


@pytest.fixture(scope="session")
def functions(modules) -> ctypes.CDLL:
    """functions.c"""
    return ctypes.CDLL(modules / "functions.so")


@pytest.fixture
def bead() -> str:
    """examples/plugin_bead.c"""
    return os.environ["RESIDA_PLUGIN"]


@pytest.fixture
def interrupt_after():
    """A function that has SIGINT sent after so many seconds, by another process: Python ignores a KeyboardInterrupt
    that is raised in a finalizer or while an object is removed from a WeakSet, which threads are in. For the same
    reason no garbage is collected in the meantime."""
    senders = []
    gc.collect()
    gc.disable()
    yield lambda seconds: senders.append(
        subprocess.Popen(["sh", "-c", f"sleep {seconds}; kill -INT {os.getpid()}"], start_new_session=True))
    gc.enable()
    for sender in senders:
        sender.wait()
