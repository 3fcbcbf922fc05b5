"""What the tests of `tandem debug` share: checks, sessions by commands, and a small client of the Debug Adapter Protocol.

A test imports it and is called with one argument, the build folder, in the project's top folder.
"""
import json
import os
import queue
import subprocess
import sys
import threading

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(sys.modules["__main__"].__doc__)
TANDEM = os.path.join(BUILD, "tandem")
STEPS = os.path.abspath("tests/examples/steps.cl")
STEPS_ARGUMENTS = ["--global", "64", "--local", "32", "--arg", "list:" + ",".join(str(k) for k in range(1, 65)), "--arg", "zero:256"]
SPIN = ".kernel spin\n.registers 4\nagain:\n    BRA again\n    EXIT\n"
OUTSIDE = ".kernel outside\n.registers 4\n    MOV R0, 0x7FFFFFF0\n    STG.32 [R0], R0\n    EXIT\n"
WAIT = 60
failed = []


def check(what, good, *shown):
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    if not good:
        failed.append(what)
        print("\n".join(str(part) for part in shown))


def finish(shows):
    print(shows)
    sys.exit(1 if failed else 0)


def ordered(text, wanted):
    at = 0
    for part in wanted:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def debug(what, words, commands, *wanted, code=0, errors=()):
    """A session by --do and --batch: its exit code, texts that must come one after the other, on standard error those of `errors` and nothing else."""
    given = [word for command in commands for word in ("--do", command)]
    try:
        done = subprocess.run([TANDEM, "debug", *words, *given, "--batch"], capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        check(what, False, "no end after 120 s")
        return ""
    lines = done.stderr.strip().splitlines()
    good = done.returncode == code and ordered(done.stdout, wanted) and len(lines) == len(errors) and all(e in line for e, line in zip(errors, lines))
    check(what, good, f"exit code {done.returncode}, expected {code}; expected {wanted} and errors {errors}", done.stdout, done.stderr)
    return done.stdout


class Client:
    """One session. What comes is kept by kind; whoever waits for something that never comes gets {}."""

    def __init__(self, *words):
        self.process = subprocess.Popen([TANDEM, "debug", "--dap", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.incoming, self.kept, self.sent, self.output = queue.Queue(), [], 0, ""
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            size, line = 0, self.process.stdout.readline()
            if not line:
                self.incoming.put(None)
                return
            while line not in (b"\r\n", b""):
                if line.startswith(b"Content-Length:"):
                    size = int(line.split(b":")[1])
                line = self.process.stdout.readline()
            self.incoming.put(json.loads(self.process.stdout.read(size)))

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        text = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(text) + text)

    def wait(self, wanted):
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        while True:
            try:
                message = self.incoming.get(timeout=WAIT)
            except queue.Empty:
                return {}
            if message is None:
                self.incoming.put(None)
                return {}
            if message.get("event") == "output":
                self.output += message["body"]["output"]
            if wanted(message):
                return message
            self.kept.append(message)

    def event(self, name):
        return self.wait(lambda message: message.get("event") == name)

    def ask(self, command, **arguments):
        self.sent += 1
        number = self.sent
        self.send({"seq": number, "type": "request", "command": command, "arguments": arguments})
        return self.wait(lambda message: message.get("type") == "response" and message.get("request_seq") == number)

    def start(self, lines, source=STEPS, functions=(), **launch):
        """To the program's first stop or end; the answer for the breakpoints."""
        self.ask("initialize", adapterID="tandem")
        self.sent += 1
        self.send({"seq": self.sent, "type": "request", "command": "launch", "arguments": launch})
        self.event("initialized")
        answer = self.ask("setBreakpoints", source={"path": source}, breakpoints=[{"line": line} for line in lines])
        if functions:
            answer = self.ask("setFunctionBreakpoints", breakpoints=[{"name": name} for name in functions])
        self.ask("configurationDone")
        return answer

    def end(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            return self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None
