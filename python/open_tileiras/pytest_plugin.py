# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytest --cuda=emulated: tests that use CUDA run on the emulator, and every report is a failure at the line of the kernel."""

from __future__ import annotations

from typing import Any, Iterator, Optional

import pytest

_device: Optional[Any] = None


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("open-tileiras", "CUDA programs without a GPU")
    group.addoption("--cuda", choices=["emulated", "real"], default="real",
                    help="emulated: our compiler and our driver are in front, and every report is a failure")
    group.addoption("--cuda-device", metavar="SM", default="sm_90", help="the emulated device: sm_80 ... sm_121")
    group.addoption("--cuda-check", metavar="LIST", default="race", help="memory (always on), race, init, all")


def pytest_configure(config: pytest.Config) -> None:
    global _device
    config.addinivalue_line("markers", "cuda_reports(kind, ...): with --cuda=emulated, these kinds of reports are expected")
    if config.getoption("--cuda") != "emulated":
        return
    from .device import emulated
    # Before any test imports CUDA; for the whole session, because a process has one device.
    context = emulated(config.getoption("--cuda-device"), config.getoption("--cuda-check"))
    _device = context.__enter__()

    def leave() -> None:
        context.__exit__(None, None, None)
    config.add_cleanup(leave)


class _Reported(Exception):
    def __init__(self, reports: list[Any]):
        super().__init__("\n".join(map(str, reports)))
        self.reports = reports


def _source_line(file: Optional[str], line: Optional[int]) -> list[str]:
    """The kernel's source around a line, as pytest shows code."""
    if not file or not line:
        return []
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            text = source.read().splitlines()
    except OSError:
        return []
    first = max(1, line - 3)
    return [f"{'>' if n == line else ' '} {n:5} {text[n - 1]}" for n in range(first, min(len(text), line + 1) + 1)]


def _fail(outcome: Any, exception: BaseException) -> None:
    """Has the hook raise `exception`."""
    if hasattr(outcome, "force_exception"):
        outcome.force_exception(exception)
    else:  # pluggy before 1.1, which Debian 12 has
        outcome._result, outcome._excinfo = None, (type(exception), exception, exception.__traceback__)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    if _device is None:
        yield
        return
    before = len(_device.reports)
    outcome = yield
    reports = _device.reports[before:]
    marker = item.get_closest_marker("cuda_reports")
    expected = set(marker.args) if marker else set()
    missing = expected - {r.kind for r in reports}
    reports = [r for r in reports if r.kind not in expected]
    if reports:
        _fail(outcome, _Reported(reports))
    elif missing and outcome.excinfo is None:  # type: ignore[attr-defined]
        _fail(outcome, AssertionError("no report of " + ", ".join(sorted(missing))))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Iterator[None]:
    outcome = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, _Reported):
        lines = []
        for report in call.excinfo.value.reports:
            place = f"{report.file}:{report.line}" if report.file else f"PTX line {report.ptx_line}"
            lines += [f"[{report.kind}] {place}: {report.message}", *_source_line(report.file, report.line),
                      f"E     in {report.kernel}, block {report.block}, thread {report.thread}, {report.count} times", ""]
        outcome.get_result().longrepr = "\n".join(lines)  # type: ignore[attr-defined]
