"""Data sets by name: kinglet data with a local server, and data:NAME."""

import contextlib
import email.utils
import http.server
import lzma
import os
import pty
import random
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

import pytest
from program import DATA, KINGLET, TIMEOUT, refused, run, run_json, start, wait_for_handler, wait_until


def rows_like(rows, features, seed=1):
    """LIBSVM text with two classes."""
    rng = random.Random(seed)
    lines = (" ".join([rng.choice(["+1", "-1"]), *(f"{k + 1}:{rng.random():.4f}" for k in range(features))])
             for _ in range(rows))  # fmt: skip
    return ("\n".join(lines) + "\n").encode()


# Of these sets the catalogue knows only the numbers of rows, features and classes, so generated rows pass the check.
GUIDE = rows_like(3089, 4)
GUIDE_TEST = rows_like(4000, 4, seed=2)
MUSHROOMS = rows_like(8124, 40)


class Answer(http.server.BaseHTTPRequestHandler):
    """A file server with range requests and file versions, which fails in the ways that a test sets up."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        shop = self.server.shop
        shop.requests.append((self.path, self.headers.get("Range"), self.headers.get("If-Range")))
        name = self.path.rsplit("/", 1)[-1]
        if self.path.startswith("/moved/"):
            return self.say(302, b"it moved", Location=f"/{name}", ETag='"not the file"')
        if name not in shop.files:
            return self.say(shop.refusal, b"<html>no</html>")
        content = shop.files[name]
        versions = shop.versions(content)
        wanted = self.headers.get("Range")
        begin = 0
        if wanted and (shop.careless or self.headers.get("If-Range") in versions.values()):
            begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if begin >= len(content):
                return self.say(416, b"", **{"Content-Range": f"bytes */{len(content)}"})
        self.send_response(206 if begin else 200)
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        for key, value in versions.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.send_from(content, begin)

    def send_from(self, content, begin):
        shop = self.server.shop
        stop_at = len(content) if shop.stop_at is None else max(begin, shop.stop_at)
        for at in range(begin, stop_at, 1 << 16):
            self.wfile.write(content[at : min(at + (1 << 16), stop_at)])
            time.sleep(shop.pause)
        if stop_at < len(content):
            if shop.hold:
                shop.let_go.wait(TIMEOUT)
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    def say(self, code, text, **headers):
        self.send_response(code)
        for key, value in {**headers, "Content-Length": str(len(text))}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(text)


class Shop:
    """What the server offers, how it fails, and which requests it received."""

    def __init__(self, address):
        self.address = address
        self.files = {"svmguide1": GUIDE, "svmguide1.t": GUIDE_TEST}
        self.requests = []
        self.refusal = 404
        self.versions_of = "ETag"
        self.careless = False  # obeys Range without checking If-Range
        self.stop_at = None  # cut the connection after this many bytes of a file,
        self.hold = False  # or send nothing more and keep it open
        self.let_go = threading.Event()
        self.pause = 0  # seconds to wait after each piece

    def versions(self, content):
        if self.versions_of == "ETag":
            return {"ETag": f'"{hash(content)}"', "Last-Modified": "Sun, 01 Mar 2026 10:00:00 GMT"}
        if self.versions_of == "weak ETag":
            date = email.utils.formatdate(hash(content) % 10**9, usegmt=True)
            return {"ETag": 'W/"1"', "Last-Modified": date}
        return {}


@contextlib.contextmanager
def serving(server):
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server.shop
    server.shop.let_go.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def shop():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.shop = Shop(f"http://127.0.0.1:{server.server_port}")
    with serving(server) as shop:
        yield shop


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    for name in ["KINGLET_DATA", "CURL_CA_BUNDLE", "SSL_CERT_FILE"]:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sets"


def get(shop, folder, *names, **options):
    return run("data", "get", *names, "--data", folder, "--from", shop.address, **options)


def no_get(shop, folder, *names, **options):
    return refused("data", "get", *names, "--data", folder, "--from", shop.address, **options)


def listing(folder):
    return sorted(os.listdir(folder)) if folder.exists() else []


# --- list and names --------------------------------------------------------------------------------------------------


def test_list_tells_what_is_known_and_what_is_here(folder):
    folder.mkdir()
    (folder / "a9a.xz").write_bytes(b"")
    (folder / "usps").write_bytes(b"")
    (folder / "usps.t.zst").write_bytes(b"")
    lines = {line.split()[0]: line for line in run("data", "list", "--data", folder).stdout.splitlines() if line}
    assert "32,561 + 16,281" in lines["a9a"] and " 1 of 2 " in lines["a9a"]
    assert " yes " in lines["usps"] and " - " in lines["mnist"]

    told = run_json("data", "list", env={**os.environ, "KINGLET_DATA": str(folder)})
    sets = {each["name"]: each for each in told["sets"]}
    assert told["folder"] == str(folder)
    assert sets["a9a"]["features"] == 123 and sets["a9a"]["classes"] == 2
    train, test = sets["a9a"]["files"]
    assert (train["name"], train["examples"], train["path"]) == ("a9a", 32561, str(folder / "a9a.xz"))
    assert (test["name"], test["examples"], test["path"]) == ("a9a.t", 16281, None)
    for each in told["sets"]:
        for file in each["files"]:
            assert file["address"].startswith("https://") and file["check"] in ("sha256", "content", "counts")


def test_mistakes_are_told(folder, monkeypatch):
    monkeypatch.setenv("KINGLET_DATA", str(folder))
    assert "list or get" in refused("data", "fetch")
    assert "kinglet data get a9a" in refused("data", "a9a")
    assert "ACTION is missing" in refused("data")
    assert "did you mean pendigits?" in refused("data", "get", "pendigit")
    assert "data list" in refused("data", "get", "nothing-like-it")
    assert "needs the name" in refused("data", "get")
    assert "takes no names" in refused("data", "list", "a9a")
    assert "--json" in refused("data", "get", "a9a", "--json")
    assert "--patience" in refused("data", "get", "a9a", "--patience", 0)
    assert "has no effect on kinglet data list" in refused("data", "list", "--from", "http://127.0.0.1")
    assert "http://" in refused("data", "get", "a9a", "--from", "ftp://127.0.0.1")
    assert listing(folder) == []
    assert "kinglet data get a9a" in refused("train", "data:a9a")
    assert "did you mean data:usps?" in refused("train", "data:uspss")
    assert "write data:pendigits" in refused("train", "pendigits")


def test_data_by_name_in_every_command(shop, folder, tmp_path):
    get(shop, folder, "svmguide1")
    model = tmp_path / "m"
    run("train", "data:svmguide1", "--data", folder, "--test", "data:svmguide1.t", "-o", model, "--quiet", "--budget", 20)
    named = {"env": {**os.environ, "KINGLET_DATA": str(folder)}}
    assert run_json("eval", "data:svmguide1.t", "-m", model, **named)["examples"] == 4000
    assert len(run("predict", "data:svmguide1", "-m", model, **named).stdout.splitlines()) == 3089


# --- get -------------------------------------------------------------------------------------------------------------


def test_a_set_comes_whole_and_once(shop, folder):
    done = get(shop, folder, "svmguide1")
    assert (folder / "svmguide1").read_bytes() == GUIDE
    assert (folder / "svmguide1.t").read_bytes() == GUIDE_TEST
    assert listing(folder) == ["svmguide1", "svmguide1.t"]
    assert [path for path, *_ in shop.requests] == ["/svmguide1", "/svmguide1.t"]
    assert done.stderr == "" and done.stdout.count("counts as expected") == 2
    assert get(shop, folder, "svmguide1").stdout.count("already downloaded") == 2
    assert len(shop.requests) == 2


def test_one_file_of_a_set(shop, folder):
    get(shop, folder, "svmguide1.t")
    assert listing(folder) == ["svmguide1.t"]


def test_a_redirection_is_followed(shop, folder):
    shop.address += "/moved/"
    get(shop, folder, "svmguide1.t")
    assert [path for path, *_ in shop.requests] == ["/moved/svmguide1.t", "/svmguide1.t"]


@pytest.mark.parametrize("versions_of", ["ETag", "weak ETag"])
def test_a_cut_connection_goes_on_from_where_it_was(shop, folder, versions_of):
    shop.files["mushrooms"] = MUSHROOMS
    shop.versions_of = versions_of
    shop.stop_at = 1_000_000
    line = no_get(shop, folder, "mushrooms")
    assert "the connection was closed" in line and "to resume" in line
    assert listing(folder) == ["mushrooms.part", "mushrooms.part.from"]
    had = (folder / "mushrooms.part").stat().st_size
    assert 0 < had <= 1_000_000

    shop.stop_at = 2_000_000
    no_get(shop, folder, "mushrooms")
    assert shop.requests[-1][1] == f"bytes={had}-"
    more = (folder / "mushrooms.part").stat().st_size
    assert had < more <= 2_000_000

    shop.stop_at = None
    get(shop, folder, "mushrooms")
    assert shop.requests[-1][1] == f"bytes={more}-"
    assert (folder / "mushrooms").read_bytes() == MUSHROOMS
    assert listing(folder) == ["mushrooms"]


@pytest.mark.parametrize("careless", [False, True], ids=["careful", "careless"])
def test_a_changed_file_starts_over(shop, folder, careless):
    shop.careless = careless
    shop.stop_at = 20_000
    no_get(shop, folder, "svmguide1.t")
    assert listing(folder) == ["svmguide1.t.part", "svmguide1.t.part.from"]
    shop.stop_at = None
    shop.files["svmguide1.t"] = changed = rows_like(4000, 4, seed=3)
    get(shop, folder, "svmguide1.t")
    assert [wanted is None for _, wanted, _ in shop.requests] == [True, False] + [True] * careless
    assert (folder / "svmguide1.t").read_bytes() == changed


def test_without_a_version_or_from_elsewhere_it_starts_over(shop, folder):
    shop.stop_at = 20_000
    no_get(shop, folder, "svmguide1")
    shop.address += "/moved"
    no_get(shop, folder, "svmguide1")
    assert [wanted for _, wanted, _ in shop.requests] == [None] * 3
    shop.versions_of = "nothing"
    assert "to resume" not in no_get(shop, folder, "svmguide1.t")
    shop.stop_at = None
    get(shop, folder, "svmguide1.t")
    assert shop.requests[-1][1] is None
    assert (folder / "svmguide1.t").read_bytes() == GUIDE_TEST


def test_a_part_that_is_whole_already_only_needs_its_check(shop, folder):
    shop.stop_at = len(GUIDE) - 1
    no_get(shop, folder, "svmguide1")
    (folder / "svmguide1.part").write_bytes(GUIDE)
    shop.stop_at = None
    get(shop, folder, "svmguide1.t", "svmguide1")
    assert (folder / "svmguide1").read_bytes() == GUIDE


def test_a_part_that_is_too_long_starts_over(shop, folder):
    shop.stop_at = 20_000
    no_get(shop, folder, "svmguide1")
    (folder / "svmguide1.part").write_bytes(GUIDE + b"1 1:1\n")
    shop.stop_at = None
    get(shop, folder, "svmguide1")
    assert (folder / "svmguide1").read_bytes() == GUIDE
    assert [wanted is None for _, wanted, _ in shop.requests] == [True, False, True, True]


def test_a_file_with_other_content_is_refused(shop, folder):
    shop.files["banana.tsv.gz"] = b"something else"
    line = no_get(shop, folder, "banana")
    assert "has SHA-256" in line and "--unchecked" in line and listing(folder) == []
    shop.files["svmguide1"] = rows_like(3000, 4)
    assert "has 3000 examples, not 3089" in no_get(shop, folder, "svmguide1")
    shop.files["svmguide1"] = b"<html><body>This page has moved.</body></html>"
    no_get(shop, folder, "svmguide1")
    shop.files["german.numer"] = rows_like(1000, 24)
    assert "does not contain the expected examples" in no_get(shop, folder, "german.numer")
    assert listing(folder) == []
    assert "not checked" in get(shop, folder, "banana", "--unchecked").stdout
    assert (folder / "banana.gz").read_bytes() == b"something else"


def copy_of(name):
    path = DATA / f"{name}.xz"
    if not path.exists():
        pytest.skip(f"no {path.name} in {DATA}: set KINGLET_TEST_DATA to the folder of the data sets")
    return lzma.decompress(path.read_bytes())


def test_checksums_of_the_right_files(shop, folder):
    # The published file writes +1 and has a blank at the end of each line.
    heart = copy_of("heart_scale").decode().splitlines()
    shop.files["heart_scale"] = "".join(("+" if line[0] == "1" else "") + line + " \n" for line in heart).encode()
    assert "SHA-256 matches" in get(shop, folder, "heart_scale").stdout
    shop.files["german.numer"] = copy_of("german.numer")
    assert "content as expected" in get(shop, folder, "german.numer").stdout


def test_no_such_file_server_or_host(shop, folder):
    assert "the file does not exist on the server (404)" in no_get(shop, folder, "phishing")
    shop.refusal = 503
    assert "the server responded with status 503" in no_get(shop, folder, "phishing")
    shop.address = "http://127.0.0.1:1"
    assert "cannot connect to 127.0.0.1:1" in no_get(shop, folder, "phishing")
    shop.address = "http://no-such-host.invalid"
    assert "cannot find the host no-such-host.invalid" in no_get(shop, folder, "phishing")
    assert listing(folder) == []


def test_a_server_must_show_who_it_is(folder, tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("making a certificate needs the program openssl")
    certificate, key = tmp_path / "certificate", tmp_path / "key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days",
                    "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                   check=True, capture_output=True)  # fmt: skip
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.shop = Shop(f"https://localhost:{server.server_port}")
    with serving(server) as shop:
        assert "certificate" in no_get(shop, folder, "svmguide1")
        get(shop, folder, "svmguide1", env={**os.environ, "SSL_CERT_FILE": str(certificate)})
    assert (folder / "svmguide1").read_bytes() == GUIDE


def test_a_server_that_falls_silent(shop, folder):
    shop.stop_at = 20_000
    shop.hold = True
    line = no_get(shop, folder, "svmguide1.t", "--patience", 1)
    assert "received nothing" in line and "run the same command again to resume" in line
    shop.stop_at = None
    get(shop, folder, "svmguide1.t")
    assert shop.requests[-1][1] is not None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_ctrl_c_leaves_the_part_for_another_time(shop, folder, number):
    shop.files["mushrooms"] = MUSHROOMS
    shop.stop_at = 1_000_000
    shop.hold = True
    child = start("data", "get", "mushrooms", "--data", folder, "--from", shop.address, text=True,
                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    wait_for_handler(child, number)
    part = folder / "mushrooms.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 0)
    child.send_signal(number)
    out, err = child.communicate(timeout=TIMEOUT)
    assert child.returncode == 128 + number and out == "" and "run the same command again" in err
    had = part.stat().st_size
    shop.stop_at = None
    get(shop, folder, "mushrooms")
    assert shop.requests[-1][1] == f"bytes={had}-"
    assert (folder / "mushrooms").read_bytes() == MUSHROOMS


def test_two_at_once(shop, folder):
    shop.stop_at = 20_000
    shop.hold = True
    child = start("data", "get", "svmguide1", "--data", folder, "--from", shop.address, stderr=subprocess.DEVNULL)
    part = folder / "svmguide1.part"
    wait_until(lambda: part.exists() and part.stat().st_size > 0)
    assert "another process" in no_get(shop, folder, "svmguide1")
    child.send_signal(signal.SIGINT)
    assert child.wait(10) == 130


def test_a_file_that_may_not_grow(shop, folder):
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))}
    assert "File too large" in no_get(shop, folder, "svmguide1.t", **limit)
    assert (folder / "svmguide1.t.part").stat().st_size == 10_000
    get(shop, folder, "svmguide1.t")
    assert shop.requests[-1][1] == "bytes=10000-"


def test_a_full_disk(shop, folder):
    folder.mkdir()
    trial = ["unshare", "-m", "mount", "-t", "tmpfs", "none", folder]
    if shutil.which("unshare") is None or subprocess.run(trial, capture_output=True).returncode != 0:
        pytest.skip("mounting a small disk needs root and unshare")
    script = 'mount -t tmpfs -o size=64k none "$1" && shift && "$@"'
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", folder, KINGLET, "data", "get", "svmguide1", "--data",
                           folder, "--from", shop.address], capture_output=True, text=True, timeout=TIMEOUT)  # fmt: skip
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == f"kinglet: cannot write to {folder}/svmguide1.part: No space left on device\n"


def test_a_folder_that_cannot_be_made(shop, tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot create the folder" in no_get(shop, tmp_path / "file" / "sets", "svmguide1")


def test_a_bar_on_a_terminal_and_nowhere_else(shop, folder):
    shop.files["mushrooms"] = MUSHROOMS
    shop.pause = 0.01
    master, slave = pty.openpty()
    child = start("data", "get", "mushrooms", "--data", folder, "--from", shop.address, stdout=subprocess.PIPE,
                  stderr=slave)  # fmt: skip
    out, _ = child.communicate(timeout=TIMEOUT)
    os.close(slave)
    shown = os.read(master, 1 << 20).decode()
    os.close(master)
    assert child.returncode == 0 and "mushrooms  [" in shown and "checking" in shown
    assert shown.endswith("\r\x1b[K")
    assert out.decode().startswith(str(folder / "mushrooms"))
