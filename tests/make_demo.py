"""Writes the sample session: a small invented project that holds every kind of entry.

Run as `python -m tests.make_demo`; it writes the same bytes every time. Here is who does what
when; what they say, see and print is in `tests.demo`.
"""

from __future__ import annotations

from pathlib import Path

from tests.demo import files, outputs, web
from tests.demo import story as said
from tests.demo.calls import edit, old_edit, read, run, write
from tests.demo.recorder import MINI, SONNET, Call, Json, Recorder, png

TARGET = Path(__file__).parents[1] / "pitree" / "demo" / "session.jsonl"
GAUGE_DAYS = [0.0, 5.6, 15.4, 2.4, 8.6]
STATION_DAYS = [0.0, 6.0, 16.2, 2.5, 9.0]


def _opening(pi: Recorder) -> str:
    """What there is, and a plan. Gives the plan."""
    pi.use(SONNET)
    pi.entry("thinking_level_change", thinkingLevel="medium")
    pi.system(sections=said.SECTIONS, toolsAdded=said.TOOLS)
    pi.user(said.FIRST, image=png(outputs.photo()))
    pi.turn(
        "What a fine gauge! First a look around.",
        Call("ls", {"path": "."}, "README.md\nnotes/"),
        Call("find", {"pattern": "*.md", "path": "."}, "README.md\nnotes/wiring.md"),
        think=said.FIRST_THOUGHT,
    )
    pi.turn("", read("README.md", files.README), read("notes/wiring.md", files.WIRING))
    title: Json = {"kind": "title", "provider": "anthropic", "model": SONNET.id}
    pi.entry("usage", **title, usage=pi.price(412, 9), note="named the session")
    pi.entry("session_info", name="Rain gauge")
    plan = pi.answer(said.PLAN)
    pi.label(plan, "plan")
    pi.user("Could the shed-pi do it all, without a second board?")
    pi.answer(said.SHED_PI)
    return plan


def _micropython(pi: Recorder, plan: str) -> str:
    """A first try, with forks in forks. Gives a label's entry that is cleared later."""
    pi.leaf = plan
    pi.user("MicroPython first: it is quick to try.")
    pi.turn(
        "Thirty lines will tell whether the switch is clean.",
        write("firmware/main.py", files.MAIN_PY),
    )
    command = "mpremote run firmware/main.py"
    pi.turn("", run(command, files.MPREMOTE_ERROR, error=True))
    pi.bash("kill 4127", "", excludeFromContext=True)
    pi.turn("The port is free. Again:", run(command, "0.0 mm\n0.2 mm\n0.2 mm\n0.6 mm\n2.6 mm"))
    counts = pi.answer(said.COUNTS)
    pi.label(counts, "it counts")

    pi.user("Debounce in hardware: which R and C?")
    filtered = pi.answer(said.RC_FILTER)
    pi.label(filtered, "RC filter?")

    pi.leaf = counts
    pi.user("Debounce in software instead.")
    old = "def on_tip(pin):\n    tips.append(time.ticks_ms())\n"
    new = (
        "DEBOUNCE_MS = 15\nlast = 0\n\n\ndef on_tip(pin):\n    global last\n"
        "    now = time.ticks_ms()\n    if time.ticks_diff(now, last) > DEBOUNCE_MS:\n"
        "        last = now\n        tips.append(now)\n"
    )
    pi.turn("", old_edit("firmware/main.py", old, new))
    software = pi.answer(said.SOFTWARE)

    pi.at("2026-03-02T19:31")
    pi.user("Now a burst: 200 tips in one minute, please.")
    burst = pi.turn(
        "",
        Call(
            "tip_simulator",
            {"tips": 200, "seconds": 60, "jitter_ms": 8, "bounce": {"max_ms": 6, "share": 0.6}},
            outputs.simulated_burst(),
        ),
    )
    pi.answer(said.BURST_ABORTED, stop="aborted", error="Request was aborted.")
    pi.leaf = burst
    lost = pi.answer(said.BURST, think="200 sent, 197 counted. Which ones are missing, and when?")
    pi.label(lost, "3 tips lost")
    kept = pi.user("Why those three?")
    pi.turn(
        "",
        Call(
            "grep",
            {"pattern": "disable_irq|enable_irq", "path": "firmware"},
            "firmware/main.py:26:    state = machine.disable_irq()\n"
            "firmware/main.py:31:        machine.enable_irq(state)",
        ),
    )
    end = pi.answer(said.WHY_THREE)

    pi.leaf = lost
    pi.user("Show me the gaps as a picture.")
    picture = png(outputs.gaps())
    pi.turn("", Call("read", {"path": "/tmp/gaps.png"}, "A picture, image/png.", image=picture))
    pi.answer(said.GAPS)

    pi.leaf = software
    pi.user("Could I read it over Bluetooth?")
    pi.answer("", stop="error", error="529 overloaded_error: Overloaded. Try again later.")

    pi.leaf = end
    pi.compaction(said.OLD_COMPACTION, kept, system=False, fromHook=True)
    pi.user("Would light sleep help?")
    pi.answer(said.LIGHT_SLEEP)
    return filtered


def _firmware(pi: Recorder, plan: str, filtered: str) -> None:
    """The way that was taken: Rust."""
    pi.at("2026-03-03T18:12")
    pi.branch_summary(
        plan,
        said.MICROPYTHON_SUMMARY,
        details={
            "readFiles": ["README.md", "notes/wiring.md"],
            "modifiedFiles": ["firmware/main.py"],
        },
        usage=pi.price(9_214, 322),
        fromHook=False,
    )
    pi.entry("thinking_level_change", thinkingLevel="high")
    pi.user("Rust on the ESP32-C3, then. Deep sleep from the start.")
    pi.turn(
        "The queue lives in RTC memory; everything else may forget.",
        write("firmware/Cargo.toml", files.CARGO_TOML),
        write("firmware/src/main.rs", files.MAIN_RS),
        write("firmware/src/queue.rs", files.QUEUE_RS),
        think=said.RUST_THOUGHT,
    )
    pi.turn("", run("cargo check", files.BORROW_ERROR, error=True))
    pi.turn(
        "The batch borrows the queue, and then I change it. It shall be a copy.",
        edit("firmware/src/queue.rs", (29, files.QUEUE_OLD, files.QUEUE_NEW)),
    )
    pi.turn("", run("cargo check && cargo test", outputs.cargo_check()))
    done = pi.answer(said.FIRMWARE)
    pi.label(done, "firmware")
    pi.label(filtered, None)
    pi.bash(
        "git add -A && git commit -qm 'Firmware: count tips through deep sleep' && git log -2",
        "4be1f02 Firmware: count tips through deep sleep\n91c07d5 Notes on the wiring",
    )
    pi.custom("checkpoint", {"commit": "4be1f02", "files": 7, "clean": True})
    pi.custom_message(
        "field-notes",
        "Bucket cleaned and levelled. The funnel has a leaf guard now. 🍂",
        display=True,
        details={"by": "user", "weather": "4 °C, drizzle"},
    )
    pi.label(done, "firmware ✓")


def _server(pi: Recorder) -> None:
    """SQLite in the shed, and what came in over the serial line."""
    pi.at("2026-03-04T17:40")
    pi.system(
        sections=said.LATER_SECTIONS,
        toolsAdded=said.MORE_TOOLS,
        toolsRemoved=[{"name": "tip_simulator"}],
    )
    pi.user("Store the tips in SQLite. Sent twice must not rain twice.", plain=True)
    pi.turn(
        "The time of a tip is its key; the database sees to the rest.",
        write("server/schema.sql", files.SCHEMA_SQL),
        write("server/store.py", files.STORE_PY),
        think=said.STORE_THOUGHT,
    )
    pi.turn("", run("pytest -q tests/test_store.py", files.PYTEST_FAILURE, error=True))
    pi.turn(
        "I wrote the rule into the schema and not into the insert:",
        edit("server/store.py", (27, "INSERT INTO tip", "INSERT OR IGNORE INTO tip")),
    )
    passed = "....                                                    [100%]\n4 passed in 0.11s"
    pi.turn("", run("pytest -q tests/test_store.py", passed))
    stored = pi.answer(said.STORE)
    pi.label(stored, "no tip twice")
    pi.bash(
        "ping -c 3 gauge.local",
        "PING gauge.local (192.168.1.47) 56(84) bytes of data.\n\n--- gauge.local statistics ---\n"
        "3 packets transmitted, 0 received, 100% packet loss, time 2049ms",
        1,
    )
    pi.user("gauge.local is silent. What is on the serial line?")
    monitor = {"port": "/dev/ttyACM0", "baud": 115200, "seconds": 5, "until": None}
    hostile = pi.turn("", Call("serial_monitor", monitor, files.HOSTILE))
    pi.label(hostile, "what a hostile tool printed")
    after = pi.answer(said.AFTER_HOSTILE, think="These bytes are no order to anyone. Say so.")

    pi.leaf = None
    pi.user("Aside: why is rain measured in millimetres?")
    pi.answer(said.MILLIMETRES)
    pi.entry("bookmark", title="Litres on a roof", tags=["water", "butt"], colour="#2166ac")
    pi.user("So a 300 l water butt is full after…?")
    pi.answer("**5 mm** on your roof of 60 m²: 300 l / 60 m² = 5 l/m². One good shower.")
    pi.leaf = after


def _loose_ends(pi: Recorder) -> None:
    """Summed up before the weekend."""
    pi.at("2026-03-05T20:05")
    pi.bash(
        "tail -f /var/log/rain-server.log",
        "20:04:11 POST /tips 200, 4 new, 0 known\n20:05:01 GET /api/rain 200\n",
        None,
        cancelled=True,
    )
    kept = pi.user("It talks again! Any loose ends before the weekend?")
    pi.turn(
        "",
        Call(
            "grep",
            {"pattern": "TODO", "path": ".", "glob": "*.{rs,py,md}"},
            "firmware/src/link.rs:17: // TODO remember the channel\n"
            "server/app.py:41:     # TODO close on SIGTERM\n"
            "notes/wiring.md:12: TODO serial port",
        ),
        Call("ls", {"path": "server"}, "__init__.py\napp.py\nschema.sql\nstore.py"),
    )
    pi.answer(said.LOOSE_ENDS)
    pi.compaction(
        said.COMPACTION,
        kept,
        system=True,
        details={
            "readFiles": ["README.md", "notes/wiring.md"],
            "modifiedFiles": [
                "firmware/Cargo.toml",
                "firmware/src/main.rs",
                "firmware/src/queue.rs",
                "server/schema.sql",
                "server/store.py",
            ],
        },
        usage=pi.price(11_870, 598),
        fromHook=False,
    )
    todo = "Open: SIGTERM, Wi-Fi channel, wiring notes."
    pi.custom_message("todo", todo, display=False, details={"open": 3, "done": 11})
    pi.entry("session_info", name="Rain gauge: every tip counts 🌧️")


def _week(pi: Recorder) -> None:
    """The first week, compared and drawn."""
    pi.at("2026-03-07T09:20")
    warm: Json = {"kind": "cache_warm", "provider": "anthropic", "model": SONNET.id}
    pi.entry("usage", **warm, usage=pi.price(4, 1, 5_212))
    pi.user("Tie up the three loose ends first.")
    pi.turn(
        "",
        write("server/app.py", files.APP_PY),
        run("pytest -q && ssh shed-pi sudo systemctl restart rain-server", "6 passed in 0.19s"),
    )
    pi.answer(said.TIED_UP)
    pi.user("Compare my week with the weather service.")
    days = {"from": "2026-03-02", "to": "2026-03-06"}
    pi.turn(
        "",
        Call("weather_station", {"days": days, "fields": ["rain", "wind"]}, files.STATION_JSON),
        read("data/week-10.csv", outputs.week_csv()),
    )
    low = pi.answer(said.COMPARE, redacted=True)
    pi.label(low, "reads 5 % low")
    pi.user("Draw it as a chart: mine as bars, theirs as ticks.")
    picture = png(outputs.chart(GAUGE_DAYS, STATION_DAYS))
    pi.turn(
        "",
        write("server/chart.py", files.CHART_PY),
        run("python -m server.chart 2026-W10", ""),
    )
    pi.turn("", Call("read", {"path": "chart.png"}, "A picture, image/png.", image=picture))
    chart = pi.answer(said.CHART, think=said.CHART_THOUGHT)
    pi.label(chart, "chart")
    stray = pi.user("git psuh")
    failed = pi.answer("", stop="error", error="500 Internal server error (req_011CZq7)")
    pi.entry("context_edit", targetId=stray, replacement=None)
    pi.entry("context_edit", targetId=failed, replacement=None)


def _page(pi: Recorder) -> str:
    """The page for the kitchen. Gives the answer that the last fork is at."""
    pi.at("2026-03-07T10:48")
    pi.user("Now a small web page for the kitchen tablet.")
    pi.turn(
        "Three files and their tests, no framework.",
        write("web/index.html", web.INDEX_HTML),
        write("web/app.ts", web.APP_TS),
        write("web/style.css", web.STYLE_CSS),
        write("web/app.test.ts", web.APP_TEST_TS),
        think=said.WEB_THOUGHT,
    )
    failed = pi.turn("", run("npm test -w web", web.NO_DOCUMENT, error=True))
    pi.turn(
        said.WEB_FIX,
        edit("web/app.ts", *web.APP_EDITS),
    )
    tested = pi.turn("", run("npm test -w web -- --reporter=verbose", outputs.verbose_tests()))
    light, dark = (png(outputs.page(ink)) for ink in ("0", "1"))
    pi.turn(
        "A look at it, by day and by night:",
        Call("read", {"path": "web/shots/light.png"}, "A picture, image/png.", image=light),
        Call("read", {"path": "web/shots/dark.png"}, "A picture, image/png.", image=dark),
    )
    page = pi.answer(said.WEB)
    pi.label(page, "web page")
    pi.label(tested, "long output")
    short = [{"type": "text", "text": "npm test: document is not defined, app.ts:12"}]
    pi.entry("context_edit", targetId=failed, replacement={"content": short})
    pi.bash(
        "journalctl -u rain-server --since '18:00 yesterday'",
        outputs.journal(),
        truncated=True,
        fullOutputPath="/tmp/pi-bash-5d1c0e77.log",
    )
    pi.user("Was the shed away at night?")
    return pi.answer(said.NIGHT)


def _ways_on(pi: Recorder, fork: str) -> None:
    """Three ways on; the session ends on the last."""
    pi.at("2026-03-08T10:02")
    asked = pi.user("Translate the page: de, fr, 日本語, 中文.")
    pi.answer(said.TRANSLATE_CUT, stop="length")
    pi.leaf = asked
    pi.answer(said.TRANSLATE)
    pi.turn("", write("web/i18n.json", web.I18N))
    words = pi.answer("`web/i18n.json` holds all four; the page picks by `navigator.language`.")
    pi.label(words, "4 languages")
    pi.entry("leaf", targetId=fork)

    pi.leaf = fork
    pi.use(MINI)
    pi.entry("thinking_level_change", thinkingLevel="low")
    pi.user("Ring my phone when it pours.")
    pi.turn("", write("server/alerts.yaml", said.ALERT.split("```")[1].removeprefix("yaml\n")))
    rings = pi.answer(said.ALERT)
    pi.user("Only by day, please.")
    pi.answer(said.BY_DAY)
    pi.leaf = rings
    pi.user("And when the cell is low?")
    low = pi.answer(said.LOW_CELL)
    pi.label(low, "alerts work")

    pi.at("2026-03-08T16:26")
    pi.model = SONNET
    details: Json = {"readFiles": [], "modifiedFiles": ["server/alerts.yaml"]}
    pi.branch_summary(fork, said.ALERT_SUMMARY, details=details, fromHook=True)
    pi.user("Write a README for the neighbours 🌻")
    pi.turn("", write("README.md", files.NEW_README), think=said.README_THOUGHT)
    readme = pi.answer(said.README_DONE)
    pi.label(readme, "README")
    pi.user("What is left to do?")
    pi.answer(said.FINAL)


def session_lines() -> list[str]:
    """The lines of the session."""
    name, folder = "019cb0a4-6e80-7d21-9a51-7261696e6761", "/home/user/projects/rain-gauge"
    pi = Recorder(name, folder, "2026-03-02T17:58:41")
    plan = _opening(pi)
    filtered = _micropython(pi, plan)
    _firmware(pi, plan, filtered)
    _server(pi)
    _loose_ends(pi)
    _week(pi)
    _ways_on(pi, _page(pi))
    return pi.lines


def main() -> None:
    """Write the session."""
    TARGET.write_text("".join(line + "\n" for line in session_lines()), "utf-8")


if __name__ == "__main__":
    main()
