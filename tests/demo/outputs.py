"""Outputs and pictures of the sample session that are computed."""

from __future__ import annotations

import random

CARGO_CHECK = """\
    Updating crates.io index
     Locking 61 packages to latest compatible versions
{crates}
    Checking rain-gauge-firmware v0.1.0 (/home/user/projects/rain-gauge/firmware)
    Finished `dev` profile [optimized + debuginfo] target(s) in 38.20s
   Compiling rain-gauge-firmware v0.1.0 (/home/user/projects/rain-gauge/firmware)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 4.81s

running 6 tests
test queue::tests::a_bounce_is_no_tip ... ok
test queue::tests::a_full_queue_forgets_the_oldest ... ok
test queue::tests::forget_takes_only_what_was_sent ... ok
test queue::tests::last_of_an_empty_queue_is_none ... ok
test queue::tests::order_is_kept ... ok
test link::tests::a_batch_is_at_most_96_tips ... ok

test result: ok. 6 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s"""

CRATES = """\
autocfg 1.5 bitfield 0.19 bitflags 2.10 bytemuck 1.24 byteorder 1.5 cfg-if 1.0 critical-section
1.2 darling 0.21 delegate 0.13 digest 0.10 document-features 0.2 embassy-futures 0.1 embassy-sync
0.7 embedded-can 0.4 embedded-hal 1.0 embedded-io 0.7 embedded-io-async 0.7 enumset 1.1 esp-alloc
0.9 esp-config 0.6 esp-hal 1.0 esp-hal-procmacros 0.21 esp-metadata 0.9 esp-phy 0.1 esp-radio 0.16
esp-riscv-rt 0.13 esp-rom-sys 0.1 esp-sync 0.1 esp-wifi-sys 0.8 esp32c3 0.31 fnv 1.0 fugit 0.3 gcd
2.3 generic-array 0.14 hash32 0.3 heapless 0.9 heck 0.5 ident_case 1.0 indoc 2.0 instability 0.3
linked_list_allocator 0.10 litrs 1.0 log 0.4 memchr 2.7 nb 1.1 num-derive 0.4 num-traits 0.2 paste
1.0 portable-atomic 1.11 proc-macro2 1.0 quote 1.0 rand_core 0.9 riscv 0.15 serde 1.0 smoltcp 0.12
stable_deref_trait 1.2 static_assertions 1.1 strum 0.27 syn 2.0 typenum 1.19 ufmt-write 0.1 vcell
0.1"""


def cargo_check() -> str:
    """What cargo prints when it builds everything for the first time."""
    words = CRATES.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    crates = (f"   Compiling {name} v{version}.{len(name) % 7}" for name, version in pairs)
    return CARGO_CHECK.format(crates="\n".join(crates))


def simulated_burst() -> str:
    """What the tip simulator prints: 200 tips in a minute, three of them lost."""
    chance = random.Random(200)
    lines = ["tip_simulator 0.3: 200 tips in 60 s on GPIO 4, jitter 8 ms, bounce up to 6 ms", ""]
    clock, counted = 0.0, 0
    for tip in range(1, 201):
        clock += 0.3 + (chance.random() - 0.5) * 0.016
        lost = tip in {50, 100, 150}
        if lost:
            held = 330 + chance.random() * 20
            lines.append(f"[{clock - 0.2:6.3f}]   publish {held:.0f} ms, interrupts off")
        counted += not lost
        state = "LOST   " if lost else "counted"
        lines.append(f"[{clock:6.3f}] tip {tip:03} {state} {counted:3} = {counted * 0.2:4.1f} mm")
        if not lost and chance.random() < 0.6:
            bounce = 0.8 + chance.random() * 5
            lines.append(f"[{clock + bounce / 1000:6.3f}]   bounce +{bounce:.1f} ms, ignored")
    return "\n".join([*lines, "", f"sent 200, counted {counted}, lost {200 - counted}"])


def week_csv() -> str:
    """Five days of quarters of an hour, as the server exports them."""
    chance = random.Random(1)
    showers = {1: (30, 40), 2: (8, 52), 3: (60, 70), 4: (20, 46)}
    heavy = {1: 0.62, 2: 0.36, 3: 0.3, 4: 0.4}
    lines = ["quarter,tips,mm,air_C,humidity,battery_V,rssi_dBm"]
    volts = 4.11
    for day in range(5):
        for quarter in range(96):
            start, end = showers.get(day, (0, 0))
            raining = start <= quarter < end and chance.random() < 0.8
            tips = int(1 + chance.random() * 8 * heavy[day]) if raining else 0
            volts -= 0.00008 + tips * 0.00001
            signal = -61 - int(chance.random() * 7) - 2 * (tips > 0)
            time = f"2026-03-0{day + 2}T{quarter // 4:02}:{quarter % 4 * 15:02}"
            warm = 6 - abs(quarter - 58) / 10 + day * 0.4
            damp = min(99, int(88 - warm + 9 * raining))
            air = f"{warm:.1f},{damp}"
            lines.append(f"{time},{tips},{tips * 0.2:.1f},{air},{volts:.3f},{signal}")
    return "\n".join(lines)


def verbose_tests() -> str:
    """A long run of the page's tests."""
    lines = ["> rain-gauge-web@0.1.0 test", "> vitest run --reporter=verbose", ""]
    lines.append(" RUN  v4.0.8 /home/user/projects/rain-gauge/web")
    chance = random.Random(3)
    spent = 0.0
    for quarter in range(96):
        clock = f"{quarter // 4:02}:{quarter % 4 * 15:02}"
        for what in ("is filled with 0 mm", "keeps its own rain", "has a title"):
            spent += chance.random()
            lines.append(f" ✓ app.test.ts > fill > the quarter from {clock} {what}")
    for millimetres in range(0, 21):
        lines.append(f" ✓ app.test.ts > height > {millimetres / 2:4.1f} mm fits into the figure")
    lines += ["", " Test Files  1 passed (1)", "      Tests  309 passed (309)"]
    return "\n".join([*lines, f"   Duration  {spent / 60:.2f}s"])


def journal() -> str:
    """The server's log of a night: three lines a batch."""
    chance = random.Random(4)
    lines, volts = [], 4.02
    for batch in range(56):
        minute = 18 * 60 + batch * 15
        day = 6 + minute // 1440
        clock = f"Mar 0{day} {minute // 60 % 24:02}:{minute % 60:02}"
        start, tips = "shed-pi rain-server[612]:", 1 + int(chance.random() * 8)
        again = tips if batch in {21, 35} else 0
        lines.append(f"{clock}:03 {start} POST /tips 200 from garden, {tips + again} tips")
        lines.append(f"{clock}:03 {start} store: {tips} new, {again} known")
        volts -= 0.0004
        lines.append(f"{clock}:04 {start} battery {volts:.3f} V, {-62 - tips} dBm")
    return "\n".join(lines)


def photo() -> list[str]:
    """A drawing of the gauge in the rain, as rows of colours."""
    chance = random.Random(5)
    rows = [[("1" if chance.random() < 0.03 else "0") for _ in range(96)] for _ in range(72)]
    for y in range(72):
        for x in range(96):
            across = abs(x - 48)
            funnel = 12 <= y < 30 and across <= 26 - (y - 12) * 1.2
            body = 30 <= y < 60 and across <= 14
            rim = funnel and (y < 14 or across > 23 - (y - 12) * 1.2)
            bucket = 40 <= y < 50 and across <= 10 - abs(y - 45)
            ground = y >= 66 - (x % 7 == 0) - 2 * (x % 11 == 3)
            sun = (x - 82) ** 2 + (y - 10) ** 2 < 49
            colour = "3" if sun else "2" if bucket else None
            if colour is None and (rim or (body and (across > 12 or y > 57)) or ground):
                colour = "1"
            if colour is None and (funnel or body):
                colour = "0"
            rows[y][x] = colour or rows[y][x]
        for x in range(96):
            if y < 11 and x < 70 and (x * 7 + y * 5) % 23 == 0:
                rows[y][x] = "2"
    return ["".join(row) for row in rows]


def chart(bars: list[float], ticks: list[float]) -> list[str]:
    """A bar for each day of the gauge, a tick for the weather station, as rows of colours."""
    step, top = 144 // len(bars), max(*bars, *ticks)
    rows = [["0"] * 144 for _ in range(72)]
    for at, (bar, tick) in enumerate(zip(bars, ticks, strict=True)):
        left = at * step + 5
        for y in range(66 - round(bar / top * 58), 66):
            rows[y][left : left + step - 10] = "2" * (step - 10)
        for y in (65 - round(tick / top * 58), 64 - round(tick / top * 58)):
            rows[y][left - 3 : left + step - 7] = "3" * (step - 4)
    rows[66] = ["1"] * 144
    return ["".join(row) for row in rows]


def page(paper: str) -> list[str]:
    """The page on a tablet: title, number and bars, as rows of colours."""
    quiet = "0" if paper == "1" else "1"
    chance = random.Random(6)
    rows = [[paper] * 96 for _ in range(72)]
    words = ((6, 8, 52, 4), (6, 31, 22, 2), (6, 66, 40, 2))
    for left, top, width, height in words:
        for y in range(top, top + height):
            rows[y][left : left + width] = [quiet if x % 9 else paper for x in range(width)]
    number = ("### . ###", "# # . #  ", "### . ###", "# # . # #", "### # ###")
    for y, line in enumerate(number):
        for x, dot in enumerate(line):
            if dot == "#":
                for row in rows[16 + y * 2 : 18 + y * 2]:
                    row[6 + x * 2 : 8 + x * 2] = "22"
    for x in range(6, 90, 2):
        height = int(chance.random() ** 3 * 22) if 20 < x < 74 else 0
        for row in rows[60 - height : 60]:
            row[x] = "2"
    rows[60][6:90] = quiet * 84
    return ["".join(row) for row in rows]


def gaps() -> list[str]:
    """Eighteen tips, three of them missing, as rows of colours."""
    there = [at not in {4, 9, 14} for at in range(18)]
    tips = "".join(("222" if tip else "000") + "000" for tip in there)
    ground = "".join(("222" if tip else "333") + "000" for tip in there)
    return ["0" * 108] * 3 + [tips] * 26 + [ground] * 4 + ["1" * 108]
