#!/usr/bin/env python3
"""tandem debug --dap as an editor meets it: a small client that speaks the Debug Adapter Protocol; wrong messages are answered, nothing hangs.

usage: test_dap.py BUILD        (in the project's top folder, after make)
"""
import os
import subprocess
import tempfile

from debug_session import OUTSIDE, SPIN, STEPS, TANDEM, WAIT, Client, check, finish
from debug_session import STEPS_ARGUMENTS as ARGUMENTS


def check_session(device):
    client = Client()
    can = client.ask("initialize", adapterID="tandem")
    check(f"{device}: what it can do", can.get("success") and can["body"]["supportsConfigurationDoneRequest"], can)
    client.sent += 1
    client.send({"seq": client.sent, "type": "request", "command": "launch", "arguments": {"program": STEPS, "args": [*ARGUMENTS, "--device", device]}})
    ready = client.event("initialized")
    check(f"{device}: initialized once the program is there", ready and client.wait(lambda m: m.get("command") == "launch").get("success"), ready)
    answer = client.ask("setBreakpoints", source={"path": STEPS}, breakpoints=[{"line": 6}, {"line": 1}])["body"]["breakpoints"]
    check(f"{device}: breakpoints by line, and a line without code", answer[0]["verified"] and answer[0]["line"] == 6 and not answer[1]["verified"] and "no code" in answer[1]["message"], answer)
    client.ask("configurationDone")
    stop = client.event("stopped")
    check(f"{device}: stops there", stop and stop["body"]["reason"] == "breakpoint" and stop["body"]["hitBreakpointIds"] == [answer[0]["id"]], stop)
    thread = stop["body"]["threadId"]
    listed = client.ask("threads")["body"]["threads"]
    check(f"{device}: warps are threads", any(one["id"] == thread and one["name"].startswith("warp 0.") for one in listed), listed)
    frame = client.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]
    check(f"{device}: the place", frame["line"] == 6 and frame["source"]["path"] == STEPS and frame["name"] == "steps+0x90", frame)
    shown = {scope["name"]: scope["variablesReference"] for scope in client.ask("scopes", frameId=frame["id"])["body"]["scopes"]}
    values = {name: {one["name"]: one for one in client.ask("variables", variablesReference=reference)["body"]["variables"]} for name, reference in shown.items()}
    check(f"{device}: arguments, masks, tokens, threads", set(values["Arguments"]) == {"in", "out"} and int(values["Warp"]["active"]["value"], 16) != 0 and "BRK" in values["Token deque"]["0"]["value"]
          and len(values["Threads"]) == 32 and values["Threads"]["thread 5"]["value"] == "active", values)
    registers = client.ask("variables", variablesReference=values["Threads"]["thread 5"]["variablesReference"])["body"]["variables"]
    numbers = {one["name"]: one["value"] for one in registers}
    check(f"{device}: registers of a thread", numbers["R0"].split()[1] in ("6", "38") and numbers["P0"] == "0", registers)
    said = client.ask("evaluate", expression="info tokens", context="repl")
    check(f"{device}: commands in the debug console", said.get("success") and "tokens, the front first" in said["body"]["result"], said)
    said = client.ask("evaluate", expression="out", context="hover", frameId=frame["id"])
    check(f"{device}: a value under the pointer", said.get("success") and said["body"]["result"].startswith("0x"), said)
    client.ask("setBreakpoints", source={"path": STEPS}, breakpoints=[])
    client.ask("next", threadId=thread)
    stop = client.event("stopped")
    line = client.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]["line"]
    check(f"{device}: the next line", stop["body"]["reason"] == "step" and line == 7, stop, line)
    client.ask("next", threadId=thread, granularity="instruction")
    client.event("stopped")
    again = client.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]
    check(f"{device}: the next instruction", again["instructionPointerReference"] == "0xa0", again)
    client.ask("continue", threadId=thread)
    left = client.event("exited")
    check(f"{device}: to the end, with what it printed", left and left["body"]["exitCode"] == 0 and client.event("terminated") and "PASS warp-instructions=2270" in client.output, left, client.output)
    check(f"{device}: after the end", not client.ask("threads")["success"] and client.ask("disconnect")["success"] and client.end() == 0, client.process.returncode)


def check_running(folder, device):
    spin = os.path.join(folder, "spin.s")
    client = Client("--device", device)
    client.start([], source=spin, program=spin)
    check(f"{device}: requests while it runs", client.ask("threads").get("success") is not None and not client.ask("stackTrace", threadId=1)["success"])
    client.ask("pause", threadId=1)
    stop = client.event("stopped")
    check(f"{device}: pause of a kernel that hangs", stop and stop["body"]["reason"] == "pause", stop)
    client.ask("continue", threadId=1)
    check(f"{device}: disconnect while it runs", client.ask("disconnect").get("success") and client.end() == 0, client.process.returncode)
    client = Client(spin, "--device", device)
    client.start([], source=spin)
    check(f"{device}: an editor that goes away while it runs", client.end() == 0, client.process.returncode)
    client = Client(os.path.join(folder, "outside.s"), "--device", device)
    client.start([], source=spin, functions=["outside", "nobody"], stopOnEntry=True)
    stop = client.event("stopped")
    check(f"{device}: stop on entry, or a breakpoint there", stop and stop["body"]["reason"] in ("entry", "breakpoint"), stop)
    client.ask("setFunctionBreakpoints", breakpoints=[])
    client.ask("continue", threadId=1)
    stop = client.event("stopped")
    check(f"{device}: a fault is an exception", stop and stop["body"]["reason"] == "exception" and "MEMORY_BOUNDS" in stop["body"]["text"], stop)
    client.ask("continue", threadId=1)
    left = client.event("exited")
    check(f"{device}: and the program has failed", left and left["body"]["exitCode"] == 1 and client.ask("terminate")["success"] and client.end() == 1 and "channel fault" in client.output, left, client.output)


def check_wrong(folder):
    client = Client()
    check("before the launch", client.ask("threads").get("message") == "no program is loaded")
    check("an unknown request", "not supported" in client.ask("dance").get("message", ""))
    client.raw(b"Content-Length: 5\r\n\r\n{oops")
    answer = client.wait(lambda m: m.get("type") == "response" and m.get("request_seq") == 0)
    check("a message that is no JSON", answer and not answer["success"] and answer["message"], answer)
    client.send([1, 2])
    answer = client.wait(lambda m: m.get("type") == "response" and m.get("request_seq") == 0)
    check("a message that is no request", answer and "not a request" in answer["message"], answer)
    answer = client.ask("launch", program=os.path.join(folder, "none.s"))
    check("a program that is not there", not answer.get("success") and "none.s" in answer.get("message", "") and client.event("terminated"), answer)
    check("its session ends", client.ask("disconnect").get("success") and client.end() == 1, client.process.returncode)
    for words, says in ((["--device", "rtl:nano"], "no model"), (["--device", "moon"], "moon"), (["--dance"], "--dance"), (["--again", "always"], "leave again away")):
        client = Client()
        answer = client.ask("launch", program=STEPS, args=[*ARGUMENTS, *words])
        check(f"launched with {words}", not answer.get("success", True) and says in answer["message"], answer)
        check("its session ends", client.end() != 0, client.process.returncode)
    for data, says in ((b"Content-Length: x\r\n\r\n", "Content-Length is not a number"), (b"Content-Length: 99999999\r\n\r\n", "Content-Length is not a number"),
                       (b"\r\n", "without Content-Length"), (b"Content-Length: 50\r\n\r\n{", "ends inside a message"), (b"Content-Le", "ends inside a message"), (b"x" * 300, "header has more than")):
        client = Client()
        client.raw(data)
        code = client.end()
        errors = client.process.stderr.read().decode()
        check(f"a stream of {data[:30]}", code == 1 and says in errors, code, errors)
    client = Client()
    check("an editor that goes away at once", client.end() == 0, client.process.returncode)
    client = Client(STEPS, *ARGUMENTS, "--device", "model:nano")
    client.start([6])
    client.event("stopped")
    for command, arguments in (("stackTrace", {"threadId": 99}), ("scopes", {"frameId": 0}), ("variables", {"variablesReference": -1}), ("variables", {"variablesReference": 1 << 60}), ("next", {}),
                               ("evaluate", {"expression": "nobody", "context": "watch"}), ("evaluate", {"expression": "continue", "context": "repl"}), ("evaluate", {"expression": "info moons", "context": "repl"}),
                               ("evaluate", {}), ("stackTrace", {"threadId": "one"})):
        answer = client.ask(command, **arguments)
        check(f"refused: {command} {arguments}", answer and not answer["success"] and answer["message"], answer)
    answer = client.ask("setBreakpoints", source={"path": "/other.cl"}, breakpoints=[{"line": 6}])
    check("breakpoints of another file", answer["success"] and "no such file" in answer["body"]["breakpoints"][0]["message"], answer)
    check("an editor that goes away at a stop", client.end() == 0, client.process.returncode)
    done = subprocess.run([TANDEM, "debug", "--dap", "--batch"], capture_output=True, text=True, timeout=WAIT, check=False, stdin=subprocess.DEVNULL)
    check("--dap and scripts", done.returncode == 2 and "an editor gives the commands" in done.stderr, done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("spin.s", SPIN), ("outside.s", OUTSIDE)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for device in ("model:nano", "tandem:nano"):
            check_session(device)
            check_running(folder, device)
        check_wrong(folder)
    finish("shows: DB-4 [model tandem]")


main()
