#!/usr/bin/env python3
"""Run the papers' experiments and write the results into docs/reproduction.md, docs/benchmarks.md and README.md.

    KINGLET=build/kinglet python3 bench/reproduction.py [NAME [ARGUMENT...]]
    KINGLET=build/kinglet python3 bench/reproduction.py --write

Runs every experiment of `kinglet paper list`, or the one named; arguments such as --rows or --sets select a part of it. Finished runs are kept
in docs/reproduction/NAME.jsonl, and those whose cell has not changed are not repeated. So the work can be divided between days and machines:
stop it at any time, commit that folder, go on elsewhere. The documents are always written from what is kept, and say what is missing.
--write only does that, and needs no data.

In the documents, results go between <!-- paper NAME --> and <!-- end -->; pages of charts go to build/paper/. Data sets are read from
KINGLET_DATA, by default ../shared/data.
"""

import collections
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

import pages

ROOT = pathlib.Path(__file__).resolve().parents[1]
KINGLET = os.path.abspath(os.environ.get("KINGLET", ROOT / "build" / "kinglet"))
DATA = os.environ.get("KINGLET_DATA", str(ROOT.parent / "shared" / "data"))
README = ROOT / "README.md"
DOCUMENTS = [ROOT / "docs" / name for name in ("reproduction.md", "benchmarks.md")]
SETTINGS = ROOT / "docs" / "settings.md"
CHARTS = ROOT / "build" / "paper"
KEPT = ROOT / "docs" / "reproduction"


def experiments():
    listed = subprocess.run([KINGLET, "paper", "list", "--json"], check=True, capture_output=True, text=True).stdout
    return [each["name"] for each in json.loads(listed)["experiments"]]


def run(name, arguments):
    """Run what is not kept yet. Sums are rounded as with AVX2 on every machine, so that probes agree."""
    command = [KINGLET, "paper", name, "--data", DATA, "--keep", str(KEPT), "--revision", pages.revision(), *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "KINGLET_ISA": "avx2"})


def kept(name):
    CHARTS.mkdir(parents=True, exist_ok=True)
    command = [KINGLET, "paper", name, "--keep", str(KEPT), "--only-kept", "--json", "--report", str(CHARTS / f"{name}.html")]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


# Means from before runs were kept, of which neither the runs nor the revision of the code are known. They are shown until their cell has been
# measured, without a verdict, and count as nothing.
EARLIER = KEPT / "earlier.csv"


def earlier():
    with EARLIER.open(newline="") as file:
        return {tuple(line[:4]): line[4:] for line in list(csv.reader(file))[1:]}


def keep_earlier(results):
    """Remove what has been measured since."""
    measured = {(name, cell["row"], cell["column"], cell["variant"]) for name, result in results.items() for cell in result["cells"] if runs_of(cell)}
    with EARLIER.open(newline="") as file:
        title, *lines = csv.reader(file)
    with EARLIER.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([title] + [line for line in lines if tuple(line[:4]) not in measured])


# --- Markdown ----------------------------------------------------------------------------------------------------------


def number(value, digits):
    return "–" if value is None else f"{value:,.{digits}f}"


def spread(summary, digits):
    mean, deviation = summary.get("mean", summary.get("value")), summary["deviation"]
    if mean is None or deviation is None:
        return number(mean, digits)
    return f"{mean:,.{digits}f} ± {deviation:,.{digits}f}"


def table(titles, rows):
    return pages.table(titles, rows) + "\n"


def variant(cell):
    """The budget, and the value that was found for a searched option."""
    found = (f"{name} {value:.3g}" for name, value in cell.get("searched", {}).items())
    return ", ".join([cell["variant"], *found])


def cells_of(result, column):
    rows = []
    before = earlier()
    found = [cell for cell in result["cells"] if cell["column"] == column]
    for cell in found:
        digits = cell.get("decimals", 2)
        if runs_of(cell) == 0:
            mean, vectors, runs = before.get((result["experiment"], cell["row"], column, cell["variant"]), ("–", "–", "0"))
            mark = "earlier" if runs != "0" else "not measured"
            rows.append([cell["row"], cell["variant"], spread(cell["paper"], digits), mean, "", mark, number(cell["paper"]["support_vectors"], 0), vectors,
                         "–", f"{runs} earlier" if runs != "0" else "0"])
            continue
        off = "" if cell["deviations"] is None else f"{cell['deviations']:+.1f}"
        rows.append([cell["row"], variant(cell), spread(cell["paper"], digits), spread(cell["ours"], digits), off,
                     cell["verdict"] or "", number(cell["paper"]["support_vectors"], 0), number(cell["support_vectors"]["mean"], 0),
                     f"{cell['seconds']['mean']:.3g}", str(runs_of(cell))])
    baseline = next((cell["baseline"] for cell in found if cell["baseline"] is not None), None)
    if baseline is not None:
        rows.append(["(majority class)", "", "", number(baseline, 2), "", "", "", "", "", ""])
    remark = f" ({found[0]['remark']})" if found[0]["remark"] else ""
    titles = ["learner", "", "paper", "ours", "deviations", "verdict", "SV, paper", "SV, ours", "seconds", "runs"]
    return f"**{column}**, {found[0]['measure']}{remark}\n\n" + table(titles, rows)


def comparison(result):
    """One table for all data sets, for experiments without published numbers to compare with."""
    kinds = list(dict.fromkeys((cell["row"], cell["variant"]) for cell in result["cells"]))
    rows = []
    for column in dict.fromkeys(cell["column"] for cell in result["cells"]):
        found = {(cell["row"], cell["variant"]): cell for cell in result["cells"] if cell["column"] == column}
        rows.append([column] + [spread(found[kind]["ours"], 2) if kind in found else "" for kind in kinds])
    measures = dict.fromkeys(cell["measure"] for cell in result["cells"])
    title = f"**{next(iter(measures))}**\n\n" if len(measures) == 1 else ""
    return title + table(["set"] + [", ".join(kind) for kind in kinds], rows)


def figure_text(figure):
    places = sorted({point["x"] for series in figure["series"] for point in series["points"]})
    largest = max((point["y"]["mean"] or 0 for series in figure["series"] for point in series["points"]), default=0)
    digits = 0 if largest >= 1000 else 2
    rows = []
    for x in places:
        at = [next((p for p in series["points"] if p["x"] == x), None) for series in figure["series"]]
        rows.append([f"{x:,.12g}"] + ["" if point is None else spread(point["y"], digits) for point in at])
    return f"**{figure['title']}**, {figure['y']}\n\n" + table([figure["x"]] + [s["name"] for s in figure["series"]], rows)


def place(cell):
    return cell["column"] + (f" ({cell['variant']})" if cell["variant"] else "")


def far_text(cells):
    """The results that are so much better that they are not the paper's experiment, by their reason."""
    reasons = {}
    for cell in cells:
        where = reasons.setdefault(cell["reason"] or "The reason is not known.", {})
        where.setdefault(cell["row"], []).append(place(cell))
    lines = []
    for reason, rows in sorted(reasons.items(), key=lambda item: item[0].startswith("The reason")):
        found = "; ".join(f"{row} on {', '.join(places)}" for row, places in rows.items())
        lines.append(f"- {reason[0].upper()}{reason[1:].rstrip('.')}: {found}.")
    number = "1 result is" if len(cells) == 1 else f"{len(cells)} results are"
    return f"{number} better by more than five deviations, so not the same experiment:\n\n" + "\n".join(lines) + "\n"


def verdicts_of(result):
    """How many cells have each verdict, and how many count."""
    count = collections.Counter(cell["verdict"] for cell in result["cells"] if cell["verdict"])
    return count, count["within"] + count["better"] + count["short"]


def is_below_majority(cell):
    """Whether ours is worse than always predicting the most frequent class."""
    if cell["baseline"] is None:
        return False
    over = cell["ours"]["mean"] - cell["baseline"]
    return over < 0 if "accuracy" in cell["measure"] else over > 0


def verdicts_text(result):
    count, judged = verdicts_of(result)
    if judged == 0:
        return []
    text = (f"{judged} published numbers: **{count['within']} within one deviation, {count['better']} better by more, "
            f"{count['short']} short by more.**")
    if below := sum(cell["verdict"] == "within" and is_below_majority(cell) for cell in result["cells"]):
        text += f" {below} of those within are worse than always predicting the most frequent class."
    if count["majority class"]:
        text += f" {count['majority class']} more are at the level of the majority class and count as nothing."
    if others := sum(not cell.get("compared", True) for cell in result["cells"]):
        text += f" {others} more are shown but not compared, because they do not follow the paper's protocol."
    far = [cell for cell in result["cells"] if cell["far"]]
    return [text + "\n"] + ([far_text(far)] if far else [])


def runs_of(cell):
    return len(cell["values"])


def points_text(cells):
    """The points of curves, by learner and curve."""
    curves = {}
    for cell in cells:
        curves.setdefault((cell["row"], cell["column"]), {})[cell["x"]] = None
    return "; ".join(f"{row} on {column}" + (f" at {', '.join(f'{x:,.12g}' for x in places)}" if any(places) else "")
                     for (row, column), places in curves.items())


def runs_text(result):
    """What is missing: cells without a run, and cells with fewer runs than the experiment makes. Tables show which they are."""
    parts = []
    for title, cells in (("Not measured yet", [cell for cell in result["cells"] if runs_of(cell) == 0]),
                         ("Measured with fewer runs than planned", [cell for cell in result["cells"] if 0 < runs_of(cell) < cell["runs"]])):
        if cells:
            where = "" if is_table(result) else f": {points_text(cells)}"
            parts.append(f"**{title}: {len(cells)} of {len(result['cells'])} cells**{where}.\n")
    return parts


def is_table(result):
    return any(cell["paper"]["value"] is not None for cell in result["cells"])


def revisions_of(result):
    """How many runs each revision of the code made. Cells that report different measures of the same runs count once."""
    runs = {}
    for cell in result["cells"]:
        runs[cell["set"], words(cell["options"]), words(cell["settings"]), cell["seconds"]["mean"]] = cell["revisions"]
    count = collections.Counter()
    for each in runs.values():
        count.update(each)
    return count


def minutes_of(result):
    """Processor time of the kept runs. Cells that report different measures of the same runs count once."""
    runs = {(cell["set"], words(cell["options"]), words(cell["settings"]), cell["seconds"]["mean"], runs_of(cell)) for cell in result["cells"]}
    return sum((seconds or 0) * count for *_, seconds, count in runs) / 60


def source_text(name, result):
    made = ", ".join(f"{count:,} with the code of {code or 'an unknown revision'}" for code, count in revisions_of(result).most_common())
    if not made:
        return f"`kinglet paper {name}`: no runs yet."
    return (f"`kinglet paper {name}`, [runs](reproduction/{name}.jsonl): {made}; {minutes_of(result):.1f} minutes of processor time for "
            "learning.")


def verdict_of(claim):
    if not claim["judged"]:
        return "Not judged"
    return "Holds" if claim["holds"] else "**Does not hold**"


def rendered(name, result):
    parts = [result["protocol"] + "\n"]
    if result["figures"]:
        parts += [figure_text(figure) for figure in result["figures"]]
    elif not is_table(result):
        parts.append(comparison(result))
    else:
        parts += [cells_of(result, column) for column in dict.fromkeys(cell["column"] for cell in result["cells"])]
    for claim in result["claims"]:
        parts.append(f"- {verdict_of(claim)}: {claim['text']} ({claim['evidence']}).")
    if result["claims"]:
        parts[-1] += "\n"
    parts += verdicts_text(result) + runs_text(result)
    parts.append(source_text(name, result))
    return "\n".join(parts) + "\n"


def overview(results):
    """One line for each experiment."""
    rows = []
    for name, result in results.items():
        count, judged = verdicts_of(result)
        measured = [cell for cell in result["cells"] if runs_of(cell)]
        complete = sum(runs_of(cell) >= cell["runs"] for cell in measured)
        judged_claims = [claim for claim in result["claims"] if claim["judged"]]
        claims = f"{sum(claim['holds'] for claim in judged_claims)} of {len(judged_claims)}" if judged_claims else ""
        judgement = [str(count[word]) for word in ("within", "better", "short", "majority class")] if judged else [""] * 4
        rows.append([name, str(len(result["cells"])), str(len(measured)), str(complete), *judgement, claims, f"{minutes_of(result):.1f}"])
    rows.append(["(all)", *(str(sum(int(row[i]) for row in rows)) for i in (1, 2, 3)), *[""] * 5, f"{sum(map(minutes_of, results.values())):.1f}"])
    titles = ["experiment", "cells", "measured", "with all runs", "within", "better", "short", "majority class", "claims that hold", "minutes"]
    return table(titles, rows)


# --- the page of settings ----------------------------------------------------------------------------------------------

SETTINGS_HEAD = """# Settings of the papers' experiments

Generated by `./dev paper --write`: the settings of every cell of [reproduction.md](reproduction.md). A cell without an origin whose learner is tuned
has not been tuned yet, and is not run.

- **stated**: options that the paper states, or that its protocol asks for, or that were not searched (reproduction.md names these above the table).
  **chosen**: options that it does not print.
- **origin** of what was chosen: *grid*: the paper's own grid, on a shuffle that is not evaluated, or on held-out training rows. *race*: a race of settings on the training rows of
  the first run, of which it uses at most 40,000, 10,000 for learners without a budget, whose time grows with
  their square, and 10,000 for Projectron++, whose threshold is searched for each γ (`kinglet paper NAME --tune`). *other*: a small grid of ours, by cross-validation on the
  training rows or on shuffles that are not evaluated. The origin of settings that are older than this page was inferred from their values: whether
  they lie on the paper's grid, or have the form that races give.
- **tuned rows evaluated**: whether rows used to choose the settings are also evaluated. *no*: there is a test file, or the data are drawn anew. *in
  part*: test rows are drawn from the same file in each run. *yes*: the progressive error is over the same rows in another order.
- **runs**: the number of runs that the experiment makes. reproduction.md shows how many were made.
"""


def words(options):
    return " ".join(f"{name}={value if not isinstance(value, bool) else str(value).lower()}" for name, value in options.items())


def settings_section(name):
    listed = subprocess.run([KINGLET, "paper", name, "--settings", "--json"], check=True, capture_output=True, text=True).stdout
    result = json.loads(listed)
    rows = {}
    for cell in result["cells"]:
        length = f"{cell['rows']:,} rows" if cell["rows"] else ""
        passes = f"{cell['passes']} passes" if cell["passes"] > 1 else ""
        variant = cell["variant"] if cell["variant"].startswith(("B =", "no budget")) else ""
        row = [cell["row"], cell["set"], ", ".join(filter(None, [variant, length, passes])), words(cell["options"]),
               words(cell["settings"]), cell["origin"], cell["tuned_rows_evaluated"], str(cell["runs"])]
        rows[tuple(row)] = row  # one for all measures
    titles = ["learner", "set", "", "stated", "chosen", "origin", "tuned rows evaluated", "runs"]
    return f"## {name}\n\n{result['source']}.\n\n" + table(titles, rows.values())


def write_settings():
    SETTINGS.write_text("\n".join([SETTINGS_HEAD] + [settings_section(name) for name in experiments()]))


def quote(name, result):
    """Write the counts into README.md, if it quotes them."""
    count, judged = verdicts_of(result)
    learners = {re.sub(r" \(.*\)$", "", cell["row"]) for cell in result["cells"]}
    text = (f"The largest table has {len(learners)} learners on {len({cell['set'] for cell in result['cells']})} data sets of up to ten million examples, with "
            "100, 500 or any number of support vectors. "
            f"Of the {judged} published numbers that are compared, ours are within one standard deviation of {count['within']}, better by more than that "
            f"on {count['better']}, and short by more on {count['short']}.")
    if missing := sum(runs_of(cell) == 0 and cell["compared"] and cell["paper"]["value"] is not None for cell in result["cells"]):
        text += f" {missing} more have not been measured yet."
    text = "\n".join(textwrap.wrap(f"<!-- summary {name} -->{text}<!-- end -->", 138))
    block = re.compile(rf"<!-- summary {re.escape(name)} -->.*?<!-- end -->", re.S)
    README.write_text(block.sub(lambda _: text, README.read_text()))


def quote_rows(name, result):
    """Write the rows of the README's table: one learner, one budget."""
    block = re.compile(rf"(<!-- rows {re.escape(name)}: (.+?), (.+?) -->\n).*?(<!-- end -->)", re.S)

    def rows(match):
        found = [cell for cell in result["cells"] if (cell["row"], cell["variant"]) == (match[2], match[3])]
        lines = [[cell["column"] + ("\\*" if cell["remark"] else ""), spread(cell["ours"], 2), spread(cell["paper"], 2)] for cell in found if runs_of(cell)]
        return f"{match[1]}\n{table(['data', 'kinglet, test accuracy %', 'published'], lines)}\n{match[4]}"

    README.write_text(block.sub(rows, README.read_text()))


def write_results():
    results = {name: kept(name) for name in experiments()}
    keep_earlier(results)
    for name, result in results.items():
        pages.put(f"paper {name}", rendered(name, result), DOCUMENTS)
        quote(name, result)
        quote_rows(name, result)
    pages.put("paper overview", overview(results), DOCUMENTS)


def main():
    if sys.argv[1:] != ["--write"]:
        for name in sys.argv[1:2] or experiments():
            print(f"reproduction: {name}", flush=True)
            run(name, sys.argv[2:])
    write_settings()
    write_results()


if __name__ == "__main__":
    main()
