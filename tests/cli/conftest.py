"""Fixtures for the tests of the program: generated files and trained models, each made once."""

import signal

import pytest

import program

# A shell starts background jobs with SIGINT ignored, and the programs under test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    """A folder of files that several tests read and no test changes."""
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="session")
def board(shop):
    """20,000 examples of the checkerboard as a LIBSVM file."""
    path = shop / "board.libsvm"
    program.run("gen", "checkerboard", "-n", 20000, "-o", path)
    return path


@pytest.fixture(scope="session")
def board_model(shop, board):
    path = shop / "board.kinglet"
    program.run("train", board, "-o", path, "--budget", 100, "--quiet")
    return path


@pytest.fixture(scope="session")
def words(shop):
    """Three classes with words as labels."""
    return program.blobs(shop / "words.libsvm", labels=("wren", "robin", "finch"))


@pytest.fixture(scope="session")
def words_model(shop, words):
    path = shop / "words.kinglet"
    program.run("train", words, "-o", path, "--budget", 50, "--quiet")
    return path
