"""The page of the sample session: its files, and what its tests say."""

from __future__ import annotations

INDEX_HTML = """\
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Rain in the garden</title>
    <link rel="stylesheet" href="style.css">
    <script type="module" src="app.js"></script>
  </head>
  <body>
    <h1 data-text="title">Rain in the garden</h1>
    <p class="now"><output id="now">–</output> <span data-text="today">mm today</span></p>
    <figure>
      <div id="bars" role="img" aria-label="Rain of the last 24 hours"></div>
      <figcaption data-text="caption">The last 24 hours, a bar for each quarter</figcaption>
    </figure>
    <p id="last" class="quiet">No tip yet.</p>
    <noscript>The numbers are also at <a href="/api/today">/api/today</a>.</noscript>
  </body>
</html>
"""

APP_TS = """\
// Shows the rain of today. No framework: the page must load on a phone in the rain.

interface Quarter {
  /** Start of the quarter of an hour, Unix time in milliseconds. */
  readonly start: number;
  readonly mm: number;
}

const QUARTER = 15 * 60 * 1000;
const POLL = 60 * 1000;

const now = document.querySelector<HTMLOutputElement>("#now")!;
const bars = document.querySelector<HTMLDivElement>("#bars")!;
const last = document.querySelector<HTMLParagraphElement>("#last")!;

async function load(): Promise<Quarter[]> {
  const answer = await fetch("/api/rain?hours=24");
  if (!answer.ok) throw new Error(`the shed says ${answer.status}`);
  return answer.json();
}

/** Quarters without rain are not sent; the page wants all 96. */
export function fill(quarters: Quarter[], end: number): Quarter[] {
  const known = new Map(quarters.map((quarter) => [quarter.start, quarter.mm]));
  const first = Math.floor(end / QUARTER) * QUARTER - 95 * QUARTER;
  return Array.from({ length: 96 }, (_, at) => {
    const start = first + at * QUARTER;
    return { start, mm: known.get(start) ?? 0 };
  });
}

export function height(mm: number): string {
  // A cloudburst must not make all other bars invisible.
  return `${Math.round(100 * Math.sqrt(Math.min(mm, 10) / 10))}%`;
}

function draw(quarters: Quarter[]): void {
  bars.replaceChildren(
    ...fill(quarters, Date.now()).map(({ start, mm }) => {
      const bar = document.createElement("i");
      bar.style.height = height(mm);
      bar.title = `${new Date(start).toLocaleTimeString()}: ${mm.toFixed(1)} mm`;
      return bar;
    }),
  );
  now.value = quarters.reduce((sum, { mm }) => sum + mm, 0).toFixed(1);
  const latest = quarters.at(-1);
  if (latest) last.textContent = `Last tip about ${new Date(latest.start).toLocaleTimeString()}.`;
}

async function refresh(): Promise<void> {
  try {
    draw(await load());
    document.body.classList.remove("stale");
  } catch {
    document.body.classList.add("stale"); // keep the old bars, only paler
  } finally {
    setTimeout(refresh, POLL);
  }
}

if (typeof document !== "undefined") void refresh();
"""

STYLE_CSS = """\
:root {
  color-scheme: light dark;
  --water: light-dark(#2166ac, #6db3f2);
  --quiet: light-dark(#607d9f, #8aa0b8);
}

body {
  font: 1.1rem/1.5 system-ui, sans-serif;
  margin: 2rem auto;
  max-width: 40rem;
  padding: 0 1rem;
}

.now output {
  color: var(--water);
  font-size: 4rem;
  font-variant-numeric: tabular-nums;
}

#bars {
  align-items: end;
  border-bottom: 1px solid var(--quiet);
  display: flex;
  gap: 1px;
  height: 8rem;
}

#bars i {
  background: var(--water);
  border-radius: 1px 1px 0 0;
  flex: 1;
}

.quiet { color: var(--quiet); }
.stale #bars { opacity: 0.4; }

@media (prefers-reduced-motion: no-preference) {
  #bars i { transition: height 0.4s ease-out; }
}
"""

APP_TEST_TS = """\
import { describe, expect, test } from "vitest";
import { fill, height } from "./app";

const QUARTER = 15 * 60 * 1000;
const midnight = Date.UTC(2026, 2, 7);

/** "00:00", "00:15" … "23:45" */
const clocks = Array.from({ length: 96 }, (_, at) =>
  new Date(midnight + at * QUARTER).toISOString().slice(11, 16),
);

describe("fill", () => {
  const end = midnight + 95 * QUARTER;
  test.for(clocks.map((clock, at) => [clock, at] as const))("the quarter from %s", ([, at]) => {
    const start = midnight + at * QUARTER;
    expect(fill([], end)[at]).toEqual({ start, mm: 0 });
    expect(fill([{ start, mm: 1.2 }], end)[at].mm).toBe(1.2);
  });

  test("a quarter of yesterday is left out", () => {
    const old = { start: midnight - QUARTER, mm: 9.9 };
    expect(fill([old], end).some(({ mm }) => mm > 0)).toBe(false);
  });
});

describe("height", () => {
  test.for(Array.from({ length: 21 }, (_, half) => half / 2))("%s mm fits", (mm) => {
    const percent = Number.parseInt(height(mm));
    expect(percent).toBeGreaterThanOrEqual(0);
    expect(percent).toBeLessThanOrEqual(100);
  });

  test("a drizzle stays visible beside a cloudburst", () => {
    expect(Number.parseInt(height(0.2))).toBeGreaterThan(10);
    expect(height(80)).toBe("100%");
  });
});
"""

NO_DOCUMENT = """\
> rain-gauge-web@0.1.0 test
> vitest run

 RUN  v4.0.8 /home/user/projects/rain-gauge/web

 FAIL  app.test.ts [ app.test.ts ]
ReferenceError: document is not defined
 ❯ app.ts:12:13
     10| const POLL = 60 * 1000;
     11|
     12| const now = document.querySelector<HTMLOutputElement>("#now")!;
       |             ^
     13| const bars = document.querySelector<HTMLDivElement>("#bars")!;

 Test Files  1 failed (1)
      Tests  no tests

Command exited with code 1"""

APP_EDITS = (
    (
        12,
        """\
const now = document.querySelector<HTMLOutputElement>("#now")!;
const bars = document.querySelector<HTMLDivElement>("#bars")!;
const last = document.querySelector<HTMLParagraphElement>("#last")!;
""",
        """\
const now = () => document.querySelector<HTMLOutputElement>("#now")!;
const bars = () => document.querySelector<HTMLDivElement>("#bars")!;
const last = () => document.querySelector<HTMLParagraphElement>("#last")!;
""",
    ),
    (38, "  bars.replaceChildren(", "  bars().replaceChildren("),
    (46, "  now.value = ", "  now().value = "),
    (48, "last.textContent", "last().textContent"),
)

I18N = """\
{
  "de": { "title": "Regen im Garten", "today": "mm heute", "none": "Noch kein Regen" },
  "fr": { "title": "Pluie au jardin", "today": "mm aujourd'hui", "none": "Toujours sec" },
  "ja": { "title": "庭の雨", "today": "今日の雨", "none": "雨なし" },
  "zh": { "title": "花园的雨", "today": "今天的毫米", "none": "还没下雨" }
}
"""
