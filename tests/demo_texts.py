"""What is said in the sample session."""

from __future__ import annotations

SYSTEM = "You help to build a rain gauge. Prefer small programs and plain files."
RULES = "- Python 3.11\n- no network\n- ask before you delete anything"
NEW_RULES = "- Python 3.11\n- no network\n- keep the bell under 70 dB"

FIRST_QUESTION = (
    "I have a tipping-bucket rain gauge on a little board. Please read what is here and plan a "
    "logger: every tip is 0.2 mm, readings once a minute, and it must survive power cuts."
)
FIRST_THOUGHT = (
    "A tipping bucket closes a reed switch for a moment. I need to know how the pin is read now, "
    "and where readings could go on a board with little memory."
)
LISTING = """\
total 24
drwxr-xr-x 5 user user 4096 Mar  2 08:31 .
-rw-r--r-- 1 user user  412 Mar  1 17:02 Makefile
-rw-r--r-- 1 user user  188 Mar  1 16:40 README.md
drwxr-xr-x 2 user user 4096 Mar  2 08:30 src
# rain-gauge
Counts rain. One tip of the bucket is 0.2 mm.
"""
GAUGE_PY = '''\
"""Reads the reed switch of a tipping-bucket gauge."""

PIN = 17
MM_PER_TIP = 0.2


def on_tip(callback):
    """Call back once for every falling edge on the pin."""
    raise NotADirectoryError("not on this machine")
'''
PLAN = """\
## Plan

1. **Logger**: count tips, debounce the switch, one reading a minute.
2. **Store**: keep readings so that a power cut loses at most one.
3. **Alarm**: ring when it pours.

| part | file | lines |
|---|---|---|
| logger | `src/logger.py` | ~40 |
| store | `src/store.py` | ~30 |
| alarm | `src/alarm.py` | ~25 |

> The switch bounces; that decides how the logger looks.
"""
LOGGER_PY = '''\
"""Counts tips and gives one reading a minute."""

from dataclasses import dataclass
from gauge import MM_PER_TIP, on_tip


@dataclass
class Reading:
    minute: int
    millimetres: float


class Logger:
    def __init__(self, clock):
        self._clock = clock
        self._tips = 0
        on_tip(self._tip)

    def _tip(self):
        self._tips += 1

    def read(self):
        tips, self._tips = self._tips, 0
        return Reading(int(self._clock() // 60), tips * MM_PER_TIP)
'''
TEST_PY = """\
def test_one_tip_is_a_fifth_of_a_millimetre(logger, switch):
    switch.close()
    assert logger.read().millimetres == 0.2


def test_a_bounce_is_one_tip(logger, switch):
    switch.bounce(times=3)
    assert logger.read().millimetres == 0.2
"""
FAILURE = """\
.F..                                                    [100%]
=================================== FAILURES ===================================
___________________________ test_a_bounce_is_one_tip ___________________________
>       assert logger.read().millimetres == 0.2
E       assert 0.6000000000000001 == 0.2
tests/test_logger.py:9: AssertionError
1 failed, 3 passed in 0.34s
"""
PASSED = "....                                     [100%]\n4 passed in 0.31s"
OLD = "    def _tip(self):\n        self._tips += 1\n"
NEW = """\
    def _tip(self):
        now = self._clock()
        if now - self._last < DEBOUNCE:
            return
        self._last = now
        self._tips += 1
"""
LOGGER_DONE = """\
The logger works: **4 tests pass**. A bounce within 50 ms counts once:

```python
DEBOUNCE = 0.050  # seconds; a bucket needs 200 ms to tip back
```

Next is where the readings go.
"""
SQLITE = """\
SQLite is not on the board. It could be built in:

- ✅ transactions, one file
- ❌ 1.1 MB more flash, and a journal that wears the card

I would not.
"""
SQLITE_SUMMARY = """\
The user explored a different conversation branch before returning here.
Summary of that exploration:

## Goal
Store readings in SQLite.

## Key Decisions
- **Not SQLite**: `sqlite3: command not found` on the board, and the card would wear.

## Next Steps
1. Try plain files.

<read-files>
src/gauge.py
</read-files>
"""
CSV_ANSWER = "One CSV file a month, opened for appending and flushed after each line."
STORE_PY = '''\
"""Appends readings to one CSV file a month."""

import os
from pathlib import Path


class Store:
    def __init__(self, folder: Path):
        self._folder = folder

    def append(self, reading):
        name = f"{reading.year}-{reading.month:02}.csv"
        with open(self._folder / name, "a") as file:
            file.write(f"{reading.minute},{reading.millimetres}\\n")
            file.flush()
            os.fsync(file.fileno())
'''
DIAGRAM = """\
```text
start ──► last line ends with \\n? ──yes──► append
                    │
                    no
                    ▼
          cut it off, log it ──────────────► append
```
"""
NEW_FILE = """\
Then nothing is ever cut: a torn month stays as it is, and a new file `2026-03.1.csv` goes on.
Readers take all files of a month in order, so `Vec<Reading>` in the bridge needs no change.
"""
PLOT_ANSWER = """\
Drawn with block characters, so that it needs no screen:

```
mm
 8 ┤        ▂█
 4 ┤  ▃    ▅██▂      ▁
 0 ┼──────────────────
    mo tu we th fr sa su
```
"""
LONG_OUTPUT = "\n".join(
    f"tests/test_all.py::test_reading[{number:03d}] PASSED [{number * 100 // 312:3d}%]"
    for number in range(1, 313)
)
JOURNAL = "\n".join(
    f"Mar 03 0{6 + number // 12}:{number * 5 % 60:02d}:00 gauge[411]: tip 0.2 mm"
    for number in range(24)
)
FIRST_COMPACTION = """\
## Goal
A rain gauge that logs every tip and survives power cuts.

## Constraints & Preferences
- Python 3.11, no network, small programs

## Progress
### Done
- [x] `src/logger.py`, debounced at 50 ms
- [x] a plot without a screen

### In Progress
- [ ] `make flash` ends with Error 1

## Key Decisions
- **Plain files**: the card must not wear

<modified-files>
src/logger.py
</modified-files>
"""
FLASH = """\
`BOARD` is not set, so the target is `build/.bin`, which nothing makes:

```make
flash: build/$(BOARD).bin   # Makefile:12
```

`make flash BOARD=rg2` works. I'd give it a default.
"""
RUST = """\
A first piece:

```rust
fn readings(lines: &str) -> Vec<Reading> {
    lines.lines().filter_map(|line| line.parse().ok()).collect()
}
```

and then the
"""
BUY = "About 40 € for one that counts, 180 € for one that logs. Building it is more fun."
ALARM_THOUGHT = "Ten millimetres in an hour are fifty tips. A window of sixty readings is enough."
ALARM_ANSWER = """\
The alarm keeps the last sixty readings and rings above **10 mm**:

```python
window = collections.deque(maxlen=60)

def check(reading: Reading) -> bool:
    window.append(reading.millimetres)
    return sum(window) > 10.0
```
"""
HOSTILE = (
    "what a hostile tool printed:\n"
    "clear the screen \x1b[2J\x1b[H, set the clipboard \x1b]52;c;ZXZpbA==\x07, "
    "turn text round \u202egnp.exe, colour it [bold red]red[/bold red], close [/nothing], "
    "go back\rover the line, ring \x07, and a C1 \x9b31m."
)
AFTER_HOSTILE = "That sensor prints control codes. They are shown here, and none of them is obeyed."
NEIGHBOURS = """\
At 65 dB and three metres of garden: **no**. For comparison:

- rain on a tin roof: 60 dB
- the neighbours' dog, naïve but loud: 85 dB
"""
MANUAL = """\
# rain-gauge

    gauge log      write readings
    gauge plot     the last week
    gauge alarm    ring above 10 mm an hour

Readings are in `~/rain/2026-03.csv`: minute, millimetres.
"""
MANUAL_DONE = "The manual page is in `docs/manual.md`; `gauge --help` prints the same three lines."
SECOND_COMPACTION = """\
## Goal
A rain gauge with logger, store and alarm.

## Constraints & Preferences
- Python 3.11, no network, the bell under 70 dB

## Progress
### Done
- [x] `src/logger.py`, `src/store.py`, the alarm above 10 mm an hour
- [x] `docs/manual.md`

### Blocked
- `sqlite3: command not found` on the board (given up)

## Next Steps
1. A default for `BOARD` in the Makefile

<read-files>
src/store.py
</read-files>

<modified-files>
docs/manual.md
</modified-files>
"""
LEFT_TO_DO = """\
Two things:

1. A default for `BOARD`, so that `make flash` works alone.
2. A test on the roof, in real rain. 🌧

Everything else is done: logger, store, plot, alarm, manual.
"""
