"""CPU seconds until the first screen of the bundled set, beside importing numpy, pandas and textual alone.

Run it as `python benchmarks/startup.py`. The app is started in a pseudo-terminal of 120 × 36 as a user would
start it; its CPU time is read from the kernel when the first rows of the query table have been drawn. Both
sides alternate; medians of five, printed as a ratio. Linux only: it reads /proc.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

ROUNDS = 5
BAR = 1.5
EXAMPLE = Path(__file__).resolve().parent.parent / "datasets" / "travel-policy-zh"
ROW = b"q_0"  # ids of the bundled set begin so: once one is drawn, the table is
TICKS = os.sysconf("SC_CLK_TCK")
BASELINE = "import numpy, pandas, textual.app"


def environment(home: str) -> dict[str, str]:
    """As a user has it: compiled bytecode is kept, state goes to a folder of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {
        "RAGTUI_DATA_DIR": home,
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
    }


def cpu_of_imports(home: str) -> float:
    """CPU seconds of a Python that imports the three libraries and ends."""
    before = os.times()
    subprocess.run([sys.executable, "-c", BASELINE], check=True, env=environment(home))
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def cpu_until_first_screen(home: str) -> float:
    """CPU seconds of the app, all threads, until a row of the table has been written to the terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-m", "ragtui", str(EXAMPLE)], environment(home))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    try:
        seen = b""
        deadline = time.monotonic() + 60
        while ROW not in seen:
            if time.monotonic() > deadline:
                raise TimeoutError("no row was drawn within 60 seconds")
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    raise RuntimeError(f"the app ended: {seen[-400:]!r}") from None
        fields = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    finally:
        os.kill(child, 15)
        os.close(terminal)
        os.waitpid(child, 0)


def main() -> None:
    """Alternate both sides and print ours, the peer's, the ratio and the bar."""
    with tempfile.TemporaryDirectory() as home:
        cpu_of_imports(home), cpu_until_first_screen(home)  # both compile their bytecode first
        rounds = [(cpu_of_imports(home), cpu_until_first_screen(home)) for _ in range(ROUNDS)]
    imports = statistics.median(a for a, _ in rounds)
    screen = statistics.median(b for _, b in rounds)
    ratio = statistics.median(b / a for a, b in rounds)
    print(f"ours {screen:.2f} s CPU, imports alone {imports:.2f} s, ratio {ratio:.2f}, bar < {BAR}")


if __name__ == "__main__":
    main()
