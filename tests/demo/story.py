"""What is said in the sample session: prompt, questions, answers and summaries."""

from __future__ import annotations

from typing import Any


def _tool(name: str, description: str, **parameters: str) -> dict[str, Any]:
    properties = {key.rstrip("_"): {"type": kind} for key, kind in parameters.items()}
    required = [key for key in parameters if not key.endswith("_")]
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "parameters": schema}


TOOLS = [
    _tool("read", "Read a file, or some of its lines.", path="string", offset_="number"),
    _tool("bash", "Run a shell command.", command="string", timeout_="number"),
    _tool("edit", "Replace text that occurs once.", path="string", edits="array"),
    _tool("write", "Write a whole file.", path="string", content="string"),
    _tool("grep", "Find lines that match.", pattern="string", path_="string", glob_="string"),
    _tool("find", "Find files by name.", pattern="string", path_="string"),
    _tool("ls", "List a folder.", path_="string"),
    _tool("tip_simulator", "Pull GPIO 4 like the bucket.", tips="number", seconds="number"),
]
MORE_TOOLS = [
    _tool("serial_monitor", "Read the serial line.", port="string", seconds="number"),
    _tool("weather_station", "Ask the nearest station.", days="object", fields_="array"),
]
SECTIONS = {
    "preamble": "You help to build a rain gauge that logs every tip of its bucket.",
    "tools": "<tools>\n- read, grep, find, ls: look\n- edit, write: change\n- bash: run\n</tools>",
    "rules": "<rules>\n- Small steps; say what changed.\n- Rust and Python, no cloud.\n</rules>",
    "docs": "<docs>\nnotes/wiring.md says what is connected to what.\n</docs>",
    "cwd": "<cwd>\n/home/user/projects/rain-gauge\n</cwd>",
}
LATER_SECTIONS = {
    "rules": "<rules>\n- Small steps; run the tests before you say that it works.\n"
    "- The server runs on a Raspberry Pi Zero: mind the memory.\n</rules>",
    "docs": None,
}

FIRST = """\
Let's build a logger for my rain gauge! 🌧️

- The bucket tips at **0.2 mm** of rain and closes a reed switch.
- One 18650 cell has to last a year.
- I want to see the rain of today on the kitchen tablet.

The picture shows roughly what I have. Please look around and propose a plan."""

FIRST_THOUGHT = """\
A tipping bucket, a reed switch, a cell. Two questions decide everything: how little power can a \
counter use, and who keeps the counts when the radio is off? Let me see the notes before I guess."""

PLAN = """\
## Plan: three small parts

| part         | runs on     | does              | power   |
|--------------|-------------|-------------------|---------|
| **firmware** | ESP32-C3    | counts, sleeps    | 40 µA   |
| **server**   | shed-pi     | keeps all tips    | 1 W     |
| **web page** | kitchen     | today, the week   | –       |

```text
 🪣 bucket ──tip──▶ ESP32-C3 ──15 min──▶ shed-pi ──▶ tablet
                    asleep               SQLite      awake
```

### Order of work

1. Count tips on the desk, by hand.
2. Find out what *bouncing* does to the count.
3. Deep sleep, then the radio. It needs a thousand times more than the rest.
4. Server and page: the easy and pleasant part.

> One decision is yours: MicroPython is quicker to try, Rust sleeps better."""

SHED_PI = """\
It could, for about **10 kWh a year** and 30 m of cable:

| board           | asleep  | a year on 3000 mAh?    |
|-----------------|---------|------------------------|
| Raspberry Pi    | 1.1 W   | no: it lasts 10 hours  |
| ESP32-C3        | 0.13 mW | yes: for years         |

I would leave it in the shed, as the server."""

COUNTS = """\
It counts! Ten pushes by hand gave **13 tips**, though: the switch bounces.

- 7 pushes counted once
- 3 pushes counted twice, 2 to 6 ms apart

So: debounce, in hardware or in software."""

RC_FILTER = """\
An RC filter and the Schmitt trigger that the input already has:

| R      | C      | τ = RC | hides bounces up to |
|--------|--------|--------|---------------------|
| 10 kΩ  | 100 nF | 1 ms   | 0.7 ms ✗            |
| 10 kΩ  | 1 µF   | 10 ms  | **7 ms** ✓          |
| 100 kΩ | 1 µF   | 100 ms | 69 ms, may miss tips |

Take 10 kΩ and 1 µF. It costs 0.04 €, and a hole in the board."""

SOFTWARE = """\
15 ms of patience are enough, and cost nothing:

```python
def on_tip(pin):
    global last
    now = time.ticks_ms()
    if time.ticks_diff(now, last) > DEBOUNCE_MS:
        last = now
        tips.append(now)
```

Ten pushes, ten tips. 🎉"""

BURST_ABORTED = "The log shows 200 pulses on the pin, and only"

BURST = """\
197 of 200: three tips are lost, always while it publishes.

| tip | counted | at       | meanwhile                      |
|-----|---------|----------|--------------------------------|
| 050 | no      | 15.0 s   | `publish`, interrupts off      |
| 100 | no      | 30.0 s   | `publish`, interrupts off      |
| 150 | no      | 45.0 s   | `publish`, interrupts off      |

No bounce was counted, so the debouncing is right. A cloudburst of 40 mm would read 39.4 mm."""

WHY_THREE = """\
`publish()` writes to flash, and turns interrupts off while it does:

```python
state = machine.disable_irq()           # firmware/main.py:26
with open("tips.bin", "wb") as file:    # 340 ms: a tip is shorter
    file.write(struct.pack("<I", len(tips)))
```

It could write less often. But sleeping is the larger trouble: MicroPython starts anew after each
deep sleep, **640 ms** at 18 mA, every 15 s. That makes 18 mAh a day, five months from one cell."""

OLD_COMPACTION = """\
## Goal
Count the tips of a rain gauge with MicroPython on an ESP32-C3.

## Progress
### Done
- [x] `firmware/main.py` counts, debounced at 15 ms

### Blocked
- 3 of 200 tips are lost while `publish()` holds the interrupts (340 ms)

## Next Steps
1. Look at light sleep, or leave MicroPython"""

LIGHT_SLEEP = """\
A little: no restart, so no tip is lost. But light sleep needs **350 µA**:

    3000 mAh / 0.35 mA ≈ 8 570 h ≈ 1 year

One year on paper is eight months in winter. I'd use Rust and deep sleep."""

GAPS = "Three gaps, each as wide as one `publish`, and nothing else is missing."

MICROPYTHON_SUMMARY = """\
The user explored a different conversation branch before returning here.
Summary of that exploration:

## Goal
Try MicroPython on the ESP32-C3 for counting tips.

## Progress
### Done
- [x] `firmware/main.py`: counts tips, 15 ms debounce in software
- [x] Burst test with `tip_simulator`: 197 of 200 counted

### Blocked
- `publish()` turns interrupts off for 340 ms; tips in that time are lost

## Key Decisions
- **Debounce in software**: 15 ms, bounces last 2 to 6 ms
- **Not MicroPython**: waking costs 640 ms at 18 mA, a cell lasts five months

## Next Steps
1. Rust with deep sleep; keep the queue in RTC memory

<read-files>
README.md
notes/wiring.md
</read-files>

<modified-files>
firmware/main.py
</modified-files>"""

RUST_THOUGHT = """\
What has to survive deep sleep is small: a queue of tips. RTC fast memory keeps 8 KB, so 512 \
tips of 8 bytes fit. Waking on GPIO level low has a trap: if the bucket hangs half way, the pin \
stays low and the chip wakes again at once. So wait for high before sleeping.

Sending: only on the timer, never on a tip. Then a burst costs short wake-ups, and no radio."""

FIRMWARE = """\
The firmware counts in its sleep: **6 tests pass**, `cargo check` is clean.

A `Vec<String>` would need an allocator, and a slice borrows the queue, which `rustc` minds. So a
batch is a copy now, on the stack:

```rust
pub fn oldest(&self, most: usize) -> heapless::Vec<Tip, 96> {
    self.tips.iter().take(most).copied().collect()
}
```

What each wake-up costs:

| wakes for       | awake  | charge  | a year        |
|-----------------|--------|---------|---------------|
| a tip           | 12 ms  | 0.06 mAs | 4 000 × ≈ 0.1 mAh |
| sending, 15 min | 310 ms | 22 mAs  | 35 000 × ≈ 214 mAh |
| sleeping        | –      | 43 µA   | ≈ 377 mAh     |

That is **five years** on paper, so one winter is safe. ❄️"""

STORE_THOUGHT = """\
A batch can arrive twice: the gauge did not hear the answer and sends again. The time of a tip in \
milliseconds is a natural key, two tips of one bucket cannot be closer than the debounce time. So \
the database can refuse duplicates, no bookkeeping needed."""

STORE = """\
No tip is counted twice now; all 4 tests pass.

```sql
INSERT OR IGNORE INTO tip VALUES (?, ?, ?);
```

`Store.add` says how many were *new*, so the gauge can forget what the server knows:

1. gauge → `POST /tips` with up to 96 times
2. server → `{"new": 12, "known": 3}`
3. gauge forgets all 15

Memory on the Pi Zero: 11 MB."""

AFTER_HOSTILE = """\
Noise on the line, or a prankster: treat it as text.

- The gauge itself says nothing between `⚠` and the last `←`; that came in from **outside**.
- A terminal that obeyed it would be cleared, and its clipboard overwritten.
- The page must never put such bytes into HTML.

I'd seal the serial port, and log only lines that match `^tip [0-9]+$`."""

LOOSE_ENDS = """\
Three loose ends, all small:

1. `server/app.py:41` – close the database on SIGTERM
2. `firmware/src/link.rs:17` – Wi-Fi channel from the last connection saves 180 ms
3. `notes/wiring.md` – say that the serial port is closed now

None of them loses a tip."""

COMPACTION = """\
## Goal
Build a rain gauge that logs every tip: firmware, server, then a page for the kitchen tablet.

## Constraints & Preferences
- One 18650 cell must last a year; Rust and Python, no cloud
- The server runs on a Raspberry Pi Zero: mind the memory

## Progress
### Done
- [x] `firmware/src/main.rs`: deep sleep, queue in RTC memory, 15 ms debounce, 6 tests
- [x] `server/schema.sql`, `server/store.py`: one row a tip, duplicates ignored, 4 tests
- [x] Serial port: hostile bytes seen, only `^tip [0-9]+$` is logged

### In Progress
- [ ] Close the database on SIGTERM (`server/app.py:41`)

### Blocked
- (none)

## Key Decisions
- **Rust, not MicroPython**: 12 ms awake for a tip instead of 640 ms, and no tip lost
- **Time of the tip is the key**: a batch sent twice does not rain twice
- **Send every 15 minutes**: the radio needs a thousand times more than the rest

## Next Steps
1. Compare with the weather service
2. Chart of the week
3. Web page

## Critical Context
- 0.2 mm a tip, funnel Ø 160 mm; batches of at most 96 tips
- `error[E0502]` came from a batch that borrowed the queue: copy it

<read-files>
README.md
notes/wiring.md
</read-files>

<modified-files>
firmware/Cargo.toml
firmware/src/main.rs
firmware/src/queue.rs
server/schema.sql
server/store.py
</modified-files>"""

TIED_UP = """\
All three are closed:

- [x] `server/app.py`: SIGTERM closes the database
- [x] `firmware/src/link.rs`: remembers its channel, **130 ms** on air instead of 310
- [x] `notes/wiring.md`: says that the serial port is sealed

The shorter time on air makes five years of a cell eight, on paper. 🔋"""

MILLIMETRES = """\
Because it needs no area: 1 mm of rain is 1 litre on each square metre.

- your roof, 60 m²: 60 l for each millimetre
- your funnel, 201 cm²: 20 ml, so five tips

雨量も「ミリ」で測ります。 Pluie en millimètres, Niederschlag in Millimetern: all the same."""

COMPARE = """\
Your gauge reads about 5 % low, and lower the harder it rains:

| day       | gauge   | station | ratio    | intensity |
|-----------|--------:|--------:|---------:|----------:|
| Mon 2 Mar |  0.0 mm |  0.0 mm | –        | –         |
| Tue 3 Mar |  5.6 mm |  6.0 mm | **0.93** | 2.2 mm/h  |
| Wed 4 Mar | 15.4 mm | 16.2 mm | 0.95     | 1.6 mm/h  |
| Thu 5 Mar |  2.4 mm |  2.5 mm | 0.96     | 1.2 mm/h  |
| Fri 6 Mar |  8.6 mm |  9.0 mm | 0.96     | 1.6 mm/h  |

That is known of tipping buckets: water that falls *while* the bucket tips is not weighed.
The usual correction grows with the intensity:

```python
def corrected(mm: float, hours: float) -> float:
    intensity = mm / hours
    return mm * (1 + 0.03 * intensity)   # fits within 1 %
```

The cell lost 40 mV in five days, as planned. 🔋"""

CHART_THOUGHT = """\
The picture is 144 × 72, four colours. Wednesday's bar should be the highest and below its tick. \
It is. Nothing is cut off at the top, since the scale is taken from both rows."""

CHART = """\
Here is the week: bars are your gauge, ticks the weather station.

- **Wednesday** stands out: 15.4 mm, from 02:00 until half past noon
- Monday was dry, so its tick lies on the ground
- the PNG has 3 KB and is drawn again every hour

```bash
0 * * * *  cd ~/rain-gauge && python -m server.chart 2026-W10
```"""

WEB_THOUGHT = """\
A tablet of 2014 in the kitchen: no framework, one request a minute, legible from the door. The \
square root keeps a drizzle visible beside a cloudburst. If the shed is away, keep the old bars \
and make them pale; an empty page would look like a dry day."""

WEB_FIX = """\
The tests import the code where there is no page. It shall look its elements up when it needs \
them, not before."""

WEB = """\
The page is up: <http://shed-pi.local/> – **309 tests pass**, 3.4 KB in all.

```html
<output id="now">8.6</output> <span>mm today</span>
```

```ts
const share = Math.sqrt(Math.min(mm, 10) / 10); // drizzle shows
```

```css
.stale #bars { opacity: 0.4; }  /* the shed is away */
```

| what            | size   | gzipped |
|-----------------|-------:|--------:|
| `index.html`    | 1.0 KB |  0.5 KB |
| `app.js`        | 1.6 KB |  0.8 KB |
| `style.css`     | 0.8 KB |  0.4 KB |

It asks once a minute, works without JavaScript, and follows the tablet's dark mode. 🌒"""

NIGHT = """\
Hardly: at 23:15 and 02:45 a batch came twice, so the gauge had not heard the answer.

    23:15:03 store: 6 new, 6 known

Known tips are not counted again; **no tip was lost**."""

TRANSLATE_CUT = """\
Four languages, one table each. German first:

| key | Deutsch |
|---|---|
| title | Regen im Garten |
| today | mm heute |
| caption | Die letzten 24 Stunden, ein Balken je Viertel"""

TRANSLATE = """\
All four in one table, so that nothing gets out of step:

| key   | Deutsch         | Français        | 日本語   | 中文       |
|-------|-----------------|-----------------|----------|------------|
| title | Regen im Garten | Pluie au jardin | 庭の雨   | 花园的雨   |
| today | mm heute        | mm aujourd'hui  | 今日の雨 | 今天的毫米 |
| span  | 24 Stunden      | 24 heures       | 24 時間  | 24 小时    |
| none  | Noch kein Regen | Toujours sec    | 雨なし   | 还没下雨   |

`naïve` sorting is fine here; ö, é and ç are NFC throughout."""

ALERT = """\
A rule of four lines; your phone needs the ntfy app:

```yaml
- name: it pours
  when: rain(15min) > 0.8 mm
  then: notify("🌧️ {mm} mm in a quarter of an hour")
  quiet: 2h
```

With your data it would have rung **once**, on Tuesday morning."""

BY_DAY = """\
Between 07:00 and 22:00, by the clock of the shed:

```diff
   quiet: 2h
+  hours: 07:00-22:00
```

A cloudburst at night waits for the morning, as rain does."""

LOW_CELL = """\
Yes: below **3.4 V** it rings once, about three weeks before the gauge falls silent.

```yaml
- name: cell is low
  when: battery < 3.4 V
  then: notify("🔋 {volts} V: time for a charged cell")
  quiet: 7d
```"""

ALERT_SUMMARY = """\
Alerts were tried and work: `server/alerts.yaml` rings above 0.8 mm in 15 minutes, by day only, \
and once below 3.4 V. Nothing else was changed there.

<modified-files>
server/alerts.yaml
</modified-files>"""

README_THOUGHT = """\
For neighbours, not for programmers: what it is, where to look, what the numbers mean. One table, \
one picture in words, no architecture."""

README_DONE = """\
The README is for neighbours now: 18 lines, one table, no jargon.

- where to look, with three links
- how far to trust it: **within 2 %**, and blind to snow ❄️

What only builders need went to `notes/wiring.md`."""

FINAL = """\
## Done, and what is left

| part            | state | tests | remark                    |
|-----------------|:-----:|------:|---------------------------|
| `firmware/`     |  ✅   |     6 | Rust; no tip lost in days |
| `server/`       |  ✅   |     6 | Python; 11 MB of memory   |
| `web/`          |  ✅   |   309 | TypeScript; 3.4 KB, dark  |
| alerts          |  🌱   |     – | on a branch of their own  |

### Left for a rainy day

1. **Snow.** A 2 W heater would need mains at the gauge.
2. **Translations.** The table is in another branch: 日本語, 中文, français, Deutsch.
3. **A second gauge** under the lime tree, to see what leaves keep back.

```bash
git tag v1.0 && make flash   # then put the lid on
```

It rained 0.4 mm while we talked. ☔"""
