#!/usr/bin/env python3
"""Holds service/, the relay as a service, against systemd, against the program, and against a container engine where one runs.

Needs target/release/fogmate. Prints what couldn't be tried here.
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "target/release/fogmate"
UNIT = ROOT / "service/fogmate-relay.service"
CONTAINER = ROOT / "service/Containerfile"
# What the relay takes to begin and to end, on a busy machine.
PATIENCE = 60


def setting(unit, name):
    return re.search(rf"^{name}=(.*)$", unit, re.MULTILINE)[1]


def verify(unit, folder):
    """systemd takes the unit, once the program is where it says."""
    if not shutil.which("systemd-analyze"):
        print("not run: the relay's unit, because there is no systemd-analyze")
        return
    copy = folder / UNIT.name
    copy.write_text(unit.replace("/usr/local/bin/fogmate", str(PROGRAM)))
    told = subprocess.run(["systemd-analyze", "verify", copy], capture_output=True, text=True)
    assert told.returncode == 0 and not told.stderr, told.stderr


def relay(arguments, folder):
    """The exit status of a relay that is started so, has said its address, and is told to end."""
    assert arguments[:2] == ["fogmate", "relay"], arguments
    home = arguments.index("--home") + 1
    arguments = [*arguments[:home], str(folder / "home"), *arguments[home + 1 :]]
    command = [PROGRAM, *arguments[1:], "--listen", "/ip4/127.0.0.1/tcp/0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            addresses = json.loads(process.stdout.readline())["addresses"]
            assert addresses and addresses[0].startswith("/ip4/127.0.0.1/tcp/"), addresses
            process.send_signal(signal.SIGTERM)
            return process.wait(PATIENCE)
        finally:
            process.kill()


def main():
    unit, container = UNIT.read_text(), CONTAINER.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        verify(unit, folder)
        started = setting(unit, "ExecStart").replace("/usr/local/bin/fogmate", "fogmate").split()
        assert str(relay(started, folder)) in setting(unit, "SuccessExitStatus").split(), "a relay that is told to end has failed"
        entry = json.loads(re.search(r"^ENTRYPOINT (.*)$", container, re.MULTILINE)[1])
        assert entry == started, "service and container start different relays"
    engine = next((engine for engine in ("podman", "docker") if shutil.which(engine)), None)
    if not engine or subprocess.run([engine, "info"], capture_output=True).returncode:
        print("not run: the relay's container, because no container engine runs here")
    else:
        subprocess.run([engine, "build", "--file", CONTAINER, ROOT], check=True)
    print("the relay starts and ends as its service says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
