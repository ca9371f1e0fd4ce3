#!/usr/bin/env python3
"""The page in a browser: filters, cards and the patch do what they say, at three widths nothing is wider than the window, and a
thousand groups open without a hang."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs"))
from running import PENUMBRA, SCRATCH, run_rows  # noqa: E402

OLD = """#include <stdlib.h>
int f(int x)
{
    if (x == 7)
        abort();
    return x > 10 && x < 20;
}
"""
NEW = OLD.replace("x == 7", "x == 9").replace("x < 20", "x < 30")

# Runs in the page, after its own script; what it has seen is the page's title.
PROBE = """<script>
setTimeout(() => {
const seen = {};
const cards = () => [...document.querySelectorAll("details.card")].filter((card) => !card.classList.contains("hidden"));
seen.cards = cards().length;
seen.first = cards()[0].querySelector(".body").textContent;
document.querySelector('button[data-class="regression"]').click();
seen.filtered = cards().map((card) => card.querySelector(".badge").textContent);
cards()[0].open = true;
setTimeout(() => {
  seen.opened = cards()[0].querySelector(".body").textContent;
  seen.marks = [...cards()[0].querySelectorAll("mark")].map((mark) => mark.textContent);
  document.querySelector('button[data-class="regression"]').click();
  const search = document.querySelector("input[type=search]");
  search.value = "no such thing";
  search.dispatchEvent(new Event("input"));
  seen.none = cards().length === 0 && !document.getElementById("none").classList.contains("hidden");
  search.value = "";
  search.dispatchEvent(new Event("input"));
  document.querySelectorAll("details.card").forEach((card) => { card.open = false; });
  const button = document.querySelector(".patch button");
  button.click();
  seen.patch = button.textContent;
  seen.jumped = document.querySelectorAll("details.card[open]").length;
  seen.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  document.title = JSON.stringify(seen);
}, 300);
}, 300);
</script>
"""


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def make_page():
    place = os.path.join(SCRATCH, "page")
    os.makedirs(place)
    for name, text in (("old.c", OLD), ("new.c", NEW)):
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(text)
    subprocess.run([PENUMBRA, "diff", "old.c", "new.c", "--entry", "f", "--quiet", "--out", "out", "--report", "html"], cwd=place,
                   capture_output=True, check=False)
    with open(os.path.join(place, "out", "report.html"), encoding="utf-8") as file:
        return file.read()


def browse(page, name, *options):
    path = os.path.join(SCRATCH, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    run = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={SCRATCH}/profile-{name}",
                          "--virtual-time-budget=5000", *options, "--dump-dom", f"file://{path}"], capture_output=True, text=True,
                         timeout=120, check=False)
    return run.stdout


def probed(page, name, *options):
    dom = browse(page.replace("</body>", PROBE + "</body>"), name, *options)
    title = re.search(r"<title>(.*?)</title>", dom, re.DOTALL).group(1)
    return json.loads(title.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def check_filters_and_cards():
    seen = probed(PAGE, "cards.html")
    expect(seen["cards"] == 3 and "fails only in the new version" in seen["first"] and "abort" in seen["first"], seen)
    expect(seen["filtered"] == ["output", "fix"] and "return = " in seen["opened"] and seen["marks"], seen)
    expect(seen["none"] and "of behaviour" in seen["patch"] and seen["jumped"] == 1, seen)


def check_widths():
    for width in (500, 1000, 1600):
        for mode in ((), ("--blink-settings=preferredColorScheme=0",)):
            seen = probed(PAGE, f"{width}{len(mode)}.html", f"--window-size={width},900", *mode)
            expect(seen["wide"] <= 0, (width, seen["wide"]))


def check_plot():
    """Curves of all entries together, each to its end."""
    text = re.search(r'(<script id="document" type="application/json">)(.*?)(</script>)', PAGE, re.DOTALL)
    document = json.loads(text.group(2))
    sample = {"seconds": 1, "diff_paths": 0, "groups": 1}
    document["timeline"] = [{**sample, "entry": entry, "at": at, "runs": runs, "paths": runs} for at, entry, runs in
                            ((0.5, "f", 10), (1, "g", 5), (2, "g", 30))]
    dom = browse(PAGE.replace(text.group(2), json.dumps(document).replace("<", "\\u003c")), "plot.html")
    expect('aria-label="in 2.0 s: 40 runs, 40 paths, 2 groups"' in dom and dom.count("<polyline") == 3, dom[-3000:])


def check_a_thousand_groups():
    text = re.search(r'(<script id="document" type="application/json">)(.*?)(</script>)', PAGE, re.DOTALL)
    document = json.loads(text.group(2))
    document["groups"] = [{**document["groups"][i % 3], "id": f"{i:016x}"} for i in range(1000)]
    page = PAGE.replace(text.group(2), json.dumps(document).replace("<", "\\u003c"))
    start = time.monotonic()
    dom = browse(page, "many.html")
    expect(dom.count('class="card"') == 1000, dom.count('class="card"'))
    expect(time.monotonic() - start < 30, time.monotonic() - start)


if __name__ == "__main__":
    if not shutil.which("chromium"):
        print("1..0 # SKIP chromium is not installed")
        sys.exit(0)
    PAGE = make_page()
    sys.exit(run_rows([(name.removeprefix("check_").replace("_", "-"), check) for name, check in list(globals().items())
                       if name.startswith("check_")]))
