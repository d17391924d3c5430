"""Files of the sample session, and what its tools say of them."""

from __future__ import annotations

README = """\
# rain-gauge

A tipping bucket at the bottom of the garden, and a Raspberry Pi ("shed-pi") in the shed.
Nothing works yet, but the bucket tips beautifully. 🪣
"""

WIRING = """\
# Wiring

| from            | to            | note                          |
|-----------------|---------------|-------------------------------|
| reed switch     | GPIO 4, GND   | closes for ~80 ms at each tip |
| 18650 cell +    | 5V (via LDO)  | 3000 mAh, on the north side   |
| 10 kΩ pull-up   | GPIO 4, 3V3   | the inner one is too weak     |

Funnel: Ø 160 mm, so 201 cm². The bucket tips at 4.0 ml: **0.2 mm of rain a tip**.
"""

MAIN_PY = '''\
"""Counts the tips of the bucket. MicroPython, ESP32-C3."""

import machine
import struct
import time

MM_PER_TIP = 0.2
reed = machine.Pin(4, machine.Pin.IN, machine.Pin.PULL_UP)
tips = []


def on_tip(pin):
    tips.append(time.ticks_ms())


def publish():
    """Keep the count where a flat battery cannot reach it."""
    state = machine.disable_irq()
    try:
        with open("tips.bin", "wb") as file:
            file.write(struct.pack("<I", len(tips)))
    finally:
        machine.enable_irq(state)


reed.irq(on_tip, machine.Pin.IRQ_FALLING)

while True:
    time.sleep(15)
    publish()
    print("{:.1f} mm".format(len(tips) * MM_PER_TIP))
'''

MPREMOTE_ERROR = """\
mpremote: failed to access /dev/ttyACM0 (it may be in use by another program)

$ lsof /dev/ttyACM0
COMMAND    PID USER   FD   TYPE DEVICE NAME
picocom   4127 user    3u   CHR  166,0 /dev/ttyACM0

Command exited with code 1"""

MAIN_RS = """\
//! Counts the tips of the bucket through deep sleep; hands them over every quarter of an hour.
#![no_std]
#![no_main]

mod link;
mod queue;

use esp_hal::gpio::{Input, InputConfig, Pull};
use esp_hal::rtc_cntl::sleep::{RtcioWakeupSource, TimerWakeupSource, WakeupLevel};
use esp_hal::rtc_cntl::{wakeup_cause, Rtc, WakeupCause};
use queue::{Queue, Tip};

/// A tip within this time of the last one is the switch bouncing.
const DEBOUNCE_MS: u64 = 15;
const SEND_EVERY_S: u64 = 15 * 60;

/// Survives deep sleep, but not a flat battery.
#[esp_hal::ram(rtc_fast, persistent)]
static mut QUEUE: Queue = Queue::new();

#[esp_hal::main]
fn main() -> ! {
    let board = esp_hal::init(Default::default());
    let mut rtc = Rtc::new(board.LPWR);
    let reed = Input::new(board.GPIO4, InputConfig::default().with_pull(Pull::Up));
    let queue = unsafe { &mut *core::ptr::addr_of_mut!(QUEUE) };

    match wakeup_cause() {
        WakeupCause::Gpio => {
            let at = rtc.time_since_power_up().as_millis();
            if queue.last().map_or(true, |tip| at - tip.at_ms > DEBOUNCE_MS) {
                queue.push(Tip { at_ms: at });
            }
            while reed.is_low() {} // a bucket that hangs half way must not wake us for ever
        }
        WakeupCause::Timer => {
            if let Ok(sent) = link::send(queue.oldest(96)) {
                queue.forget(sent);
            }
        }
        _ => queue.clear(),
    }
    let timer = TimerWakeupSource::new(core::time::Duration::from_secs(SEND_EVERY_S));
    let gpio = RtcioWakeupSource::new(&mut [(&reed, WakeupLevel::Low)]);
    rtc.sleep_deep(&[&timer, &gpio])
}
"""

QUEUE_RS = """\
//! The tips that the server has not confirmed yet.

#[derive(Clone, Copy)]
pub struct Tip {
    pub at_ms: u64,
}

pub struct Queue {
    tips: heapless::Deque<Tip, 512>,
}

impl Queue {
    pub const fn new() -> Self {
        Self { tips: heapless::Deque::new() }
    }

    pub fn last(&self) -> Option<&Tip> {
        self.tips.back()
    }

    /// The newest tip matters more than the oldest.
    pub fn push(&mut self, tip: Tip) {
        if self.tips.is_full() {
            self.tips.pop_front();
        }
        let _ = self.tips.push_back(tip);
    }

    pub fn oldest(&self, most: usize) -> &[Tip] {
        let front = self.tips.as_slices().0;
        &front[..most.min(front.len())]
    }

    pub fn forget(&mut self, sent: usize) {
        for _ in 0..sent {
            self.tips.pop_front();
        }
    }

    pub fn clear(&mut self) {
        self.tips.clear();
    }
}
"""

CARGO_TOML = """\
[package]
name = "rain-gauge-firmware"
version = "0.1.0"
edition = "2024"

[dependencies]
esp-hal = { version = "1.0", features = ["esp32c3", "unstable"] }
esp-radio = { version = "0.16", features = ["esp32c3", "wifi"] }
heapless = "0.9"

[profile.release]
opt-level = "s"
lto = "fat"
"""

BORROW_ERROR = """\
    Checking rain-gauge-firmware v0.1.0 (/home/user/projects/rain-gauge/firmware)
error[E0502]: cannot borrow `*queue` as mutable because it is also borrowed as immutable
  --> src/main.rs:38:17
   |
37 |             if let Ok(sent) = link::send(queue.oldest(96)) {
   |                                          ----- immutable borrow occurs here
38 |                 queue.forget(sent);
   |                 ^^^^^^------^^^^^^
   |                 |     |
   |                 |     immutable borrow later used by call
   |                 mutable borrow occurs here

For more information about this error, try `rustc --explain E0502`.
error: could not compile `rain-gauge-firmware` (bin) due to 1 previous error

Command exited with code 101"""

SCHEMA_SQL = """\
-- One row a tip. Sending a batch twice must not make it rain twice.
CREATE TABLE IF NOT EXISTS tip (
    at     INTEGER PRIMARY KEY,          -- Unix time in milliseconds
    gauge  TEXT    NOT NULL DEFAULT 'garden',
    sent   INTEGER NOT NULL              -- when the batch came in
) STRICT, WITHOUT ROWID;

CREATE VIEW IF NOT EXISTS rain AS
SELECT at / 900000 * 900000 AS quarter,
       count(*) * 0.2       AS mm
FROM tip
GROUP BY quarter;
"""

STORE_PY = '''\
"""Keeps the tips in SQLite and gives them back as millimetres of rain."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

MM_PER_TIP = 0.2
SCHEMA = Path(__file__).with_name("schema.sql").read_text("utf-8")


class Store:
    """The tips of all gauges; one file, safe to copy while it is in use."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, autocommit=False)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.executescript(SCHEMA)

    def add(self, tips: Iterable[int], gauge: str = "garden") -> int:
        """Add tips; those that are already there are left alone. Gives how many were new."""
        before = self._db.total_changes
        now = int(time.time() * 1000)
        rows = ((at, gauge, now) for at in tips)
        self._db.executemany("INSERT INTO tip VALUES (?, ?, ?)", rows)
        self._db.commit()
        return self._db.total_changes - before

    def rain(self, start: int, end: int) -> list[tuple[int, float]]:
        """Millimetres in each quarter of an hour in which it rained."""
        query = "SELECT quarter, mm FROM rain WHERE quarter >= ? AND quarter < ? ORDER BY quarter"
        return self._db.execute(query, (start, end)).fetchall()

    def close(self) -> None:
        """Close the database."""
        self._db.close()
'''

APP_PY = '''\
"""The server in the shed: takes batches of tips, answers questions, serves the page."""

from __future__ import annotations

import json
import signal
import sys
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import parse_qs, urlsplit

from server.store import Store

HOUR = 3_600_000
MOST_TIPS = 96

store = Store(Path("data/tips.db"))
lock = Lock()


class Handler(SimpleHTTPRequestHandler):
    """`POST /tips` from the gauge, `GET /api/rain?hours=24` from the page."""

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers["Content-Length"]), 4096))
        try:
            tips = [int(at) for at in json.loads(body)["tips"]][:MOST_TIPS]
        except (KeyError, TypeError, ValueError):
            return self.send_error(400, "not a batch of tips")
        with lock:
            new = store.add(tips)
        self._answer({"new": new, "known": len(tips) - new})

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path != "/api/rain":
            return super().do_GET()
        hours = min(int(parse_qs(url.query).get("hours", ["24"])[0]), 24 * 7)
        now = int(time.time() * 1000)
        with lock:
            rain = store.rain(now - hours * HOUR, now)
        self._answer([{"start": start, "mm": round(mm, 1)} for start, mm in rain])

    def _answer(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def stop(number: int, frame: object) -> None:
    """systemd asks politely; the database wants to be closed."""
    with lock:
        store.close()
    sys.exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    ThreadingHTTPServer(("", 80), Handler).serve_forever()
'''

PYTEST_FAILURE = """\
..F.                                                                     [100%]
=================================== FAILURES ===================================
________________________ test_a_batch_sent_twice_is_kept_once ________________________

store = <server.store.Store object at 0x7f2b9c3d1e50>

    def test_a_batch_sent_twice_is_kept_once(store: Store) -> None:
        assert store.add([1_000, 2_000]) == 2
>       assert store.add([1_000, 2_000, 3_000]) == 1

tests/test_store.py:19:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
>       self._db.executemany("INSERT INTO tip VALUES (?, ?, ?)", rows)
E       sqlite3.IntegrityError: UNIQUE constraint failed: tip.at

server/store.py:27: IntegrityError
=========================== short test summary info ============================
FAILED tests/test_store.py::test_a_batch_sent_twice_is_kept_once
1 failed, 3 passed in 0.14s

Command exited with code 1"""

HOSTILE = (
    "⚠ What a hostile tool printed, byte for byte. It must stay text:\n"
    "\n"
    "1. clear the screen      → \x1b[2J\x1b[H ←\n"
    "2. write the clipboard   → \x1b]52;c;aGVsbG8gZnJvbSB0aGUgZ2F1Z2U=\x07 ←\n"
    "3. turn the text around  → 0.2 mm \u202emm 0002\u202c ←\n"
    "4. speak in markup       → [bold red]FLOOD[/bold red] [/x] [link='x']click[/link] ←\n"
    "5. go back over the line → all is well\rALARM!!!! ←\n"
    "6. ring, and paint       → \x07 \x1b[41;5mred\x1b[0m \x9b31mred too ←\n"
    "7. break the width       → e\u0301\u0301\u0301 \u200bzero\u200b ＷＩＤＥ 👩‍👩‍👧‍👦 ←\n"
)

STATION_JSON = """\
{
  "station": "Botanical garden (1.8 km)",
  "unit": "mm",
  "days": {
    "2026-03-02": 0.0,
    "2026-03-03": 6.0,
    "2026-03-04": 16.2,
    "2026-03-05": 2.5,
    "2026-03-06": 9.0
  },
  "remarks": ["2026-03-04: gusts up to 17 m/s"]
}"""

CHART_PY = '''\
"""Draws the rain of a week as a PNG, one bar a day."""

import sys
from pathlib import Path

from PIL import Image, ImageDraw

from server.store import Store

PAPER, PENCIL, WATER, SUN = "#f7f9fc", "#607d9f", "#2166ac", "#e69500"


def chart(days: list[float], station: list[float], width: int = 144, height: int = 72) -> Image:
    """Bars for the gauge, ticks for the weather station."""
    image = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(image)
    step, top = width // len(days), max(*days, *station)
    for at, (ours, theirs) in enumerate(zip(days, station, strict=True)):
        left = at * step + 4
        draw.rectangle((left, height - 6 - ours / top * 58, left + step - 9, height - 6), WATER)
        line = height - 6 - theirs / top * 58
        draw.line((left - 2, line, left + step - 7, line), SUN, 2)
    draw.line((0, height - 5, width, height - 5), PENCIL)
    return image


if __name__ == "__main__":
    gauge, station = Store(Path("data/tips.db")).week(sys.argv[1])
    chart(gauge, station).save("chart.png")
'''

NEW_README = """\
# Rain in the garden 🌧️

A bucket the size of an espresso cup fills with rain and tips at **0.2 mm**.
A small computer counts the tips, sleeps in between, and tells the shed every quarter of an hour.

| you want to know     | look at                               |
|----------------------|---------------------------------------|
| rain of today        | <http://shed-pi.local/>               |
| the week             | <http://shed-pi.local/chart.png>      |
| all numbers, as text | `curl http://shed-pi.local/rain.csv`  |

## How far to trust it

- within 2 % of the weather service, after correction for heavy rain
- blind to snow ❄️, which has to melt first
- it has lost no tip since 3 March

Grüße, 你好, bonjour — please don't water the gauge. 😉
"""

QUEUE_OLD = """\
    pub fn oldest(&self, most: usize) -> &[Tip] {
        let front = self.tips.as_slices().0;
        &front[..most.min(front.len())]
"""
QUEUE_NEW = """\
    pub fn oldest(&self, most: usize) -> heapless::Vec<Tip, 96> {
        self.tips.iter().take(most).copied().collect()
"""
