"""--help of every subcommand: a short main page, one page per section of options, and --help all."""

import re

import pytest
from program import refused, run, run_json

COMMANDS = ["train", "predict", "eval", "compare", "paper", "tune", "span", "mix", "compress", "export", "gen", "data", "info", "algorithms"]
WITH_LEARNER = ["train", "compare", "tune", "span"]
QUERY = {"query", "query-budget", "query-window"}
LINES, COLUMNS = 40, 80


def sections(page):
    """The names after "More options, by section", without `all`."""
    if "More options" not in page:
        return []
    return re.findall(r"^  (\w+) ", page.split("More options")[1].split("Examples:")[0], re.M)[:-1]


def options(page):
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+|-n)", page.split("Examples:")[0], re.M))


def fits(text, lines=None):
    return max(len(line) for line in text.splitlines()) <= COLUMNS and (lines is None or len(text.splitlines()) <= lines)


def test_arguments_that_may_be_left_out_stand_in_brackets():
    assert run("algorithms", "--help").stdout.startswith("usage: kinglet algorithms [NAME] [options]\n")
    assert run("data", "--help").stdout.startswith("usage: kinglet data ACTION [NAME…] [options]\n")
    assert run("train", "--help").stdout.startswith("usage: kinglet train DATA [options]\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_main_page_fits_on_a_screen(command):
    text = run(command, "--help").stdout
    assert text.startswith(f"usage: kinglet {command}") and fits(text, LINES)
    assert f"  kinglet {command} " in text[text.index("Examples:") :]
    assert run(command, "-h").stdout == text == run("help", command).stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_sections_and_the_main_page_together_are_all(command):
    page = run(command, "--help").stdout
    everything = run(command, "--help", "all").stdout
    assert fits(everything) and everything == run(command, "--help=all").stdout
    found = options(page)
    for name in sections(page):
        text = run(command, "--help", name).stdout
        assert fits(text) and options(text) and not options(text) & found
        found |= options(text)
    assert found == options(everything)
    assert "--help" in found


def test_the_overview_names_every_command():
    text = run("--help").stdout
    assert fits(text, LINES) and text == run().stdout == run("help").stdout
    assert re.findall(r"^  (\w+)  ", text, re.M) == COMMANDS


def test_a_wrong_section_is_refused_with_the_right_ones():
    assert "did you mean kernel?" in refused("train", "--help", "kernal")
    message = refused("predict", "--help", "everything")
    assert "no section 'everything'" in message and "data" in message and "all" in message
    assert "unknown command" in refused("help", "trian")


@pytest.mark.parametrize("command", WITH_LEARNER)
def test_all_options_of_the_registry_are_listed_with_their_help(command):
    text = " ".join(run(command, "--help", "all").stdout.split())
    registry = run_json("algorithms")
    specs = list(registry["common_options"])
    for kind in ["update_rules", "budget_rules", "dual_learners", "kernels"]:
        for entry in registry[kind]:
            specs += entry["options"]
    texts = {}  # an option that several parts share has the help text of the first one
    for spec in specs:
        texts.setdefault(spec["flag"][2:], spec["help"])
    own = {} if command == "train" else {"algo", "budget", "memory"}  # these mean lists or limits in the other commands
    refused_there = {"compare": {"proba", *QUERY}, "span": QUERY}.get(command, {})
    for name, words in texts.items():
        assert (f"--{name} " in text) == (name not in refused_there), name
        assert name in own or name in refused_there or " ".join(words.split()) in text, name


def test_defaults_of_single_rules_are_named():
    text = " ".join(run("train", "--help", "all").stdout.split())
    assert "[none; --algo auto: learned where possible]" in text
    assert "[1; nogd: 0.2]" in text and "[1; sigmoid: 0]" in text
    assert "; krls: squared distance from the span of the centres" in text
    assert "[bpegasos; regress: bpa-m, novelty: bnorma]" in " ".join(run("compare", "--help").stdout.split())


@pytest.mark.parametrize("command", WITH_LEARNER)
def test_long_lists_of_names_are_left_to_kinglet_algorithms(command):
    text = run(command, "--help", "all").stdout
    assert "kinglet algorithms lists them" in " ".join(text.split())
    assert "budget-mira-variable" not in text
    assert "laplacian" in text
