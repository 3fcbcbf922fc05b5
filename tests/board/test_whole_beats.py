#!/usr/bin/env python3
"""Memory that writes whole words only (fpga/whole_beats.py) under random bursts, before a memory that answers when it likes, in any order. BU-5.

Runs with the Python of build/venv-fpga. The rules: memory sees no write of a part of a beat and no write of a beat of which nothing is written; after each
answer it holds what the bursts have written; reads of the other side come back by their ID with what stood there; a read of WholeBeats never does.
"""
import argparse
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "fpga"))
try:
    from litex.soc.interconnect import axi
    from migen import Module, passive, run_simulation
except ImportError as missing:
    sys.exit(f"test_whole_beats.py: {missing}: run it with build/venv-fpga/bin/python3 (make fpga-tools makes that)")

from whole_beats import LINE, WholeBeats  # noqa: E402

LINES, ID_W = 8, 5


class Top(Module):
    def __init__(self, bits):
        self.near = axi.AXIInterface(data_width=bits, address_width=32, id_width=ID_W)
        self.far = axi.AXIInterface(data_width=bits, address_width=32, id_width=ID_W + 1)
        self.submodules.whole_beats = WholeBeats(self.near, self.far)


class Run:
    """One width of the port: what is expected, what memory holds, what has been met."""

    def __init__(self, bits, seed, bursts):
        self.size, self.random, self.bursts = bits // 8, random.Random(seed), bursts
        self.top = Top(bits)
        self.memory = bytearray(self.random.randbytes(LINES * LINE))  # of the far side
        self.expected = bytearray(self.memory)
        self.busy = set()  # lines that are written: nobody reads them meanwhile
        self.reading = {}  # ID: [line, beats to come]
        self.met = dict.fromkeys(["none", "whole", "part", "reads", "own"], 0)
        self.done = False

    def fail(self, text):
        raise AssertionError(text)

    def often(self):
        return self.random.random() < 0.6

    def mask(self):
        whole = (1 << self.size) - 1
        return self.random.choice([0, whole, whole, self.random.getrandbits(self.size), 1 << self.random.randrange(self.size)])

    def writer(self):
        near, beats = self.top.near, LINE // self.size
        for number in range(self.bursts):
            free = [line for line in range(LINES) if line not in self.busy and all(line != read[0] for read in self.reading.values())]
            while not free:
                yield
                free = [line for line in range(LINES) if line not in self.busy and all(line != read[0] for read in self.reading.values())]
            line, name = self.random.choice(free), self.random.getrandbits(ID_W)
            self.busy.add(line)
            yield from self.offer(near.aw, addr=line * LINE, len=beats - 1, id=name, burst=axi.BURST_INCR, size=self.size.bit_length() - 1)
            for beat in range(beats):
                data, mask = self.random.randbytes(self.size), self.mask()
                for byte in range(self.size):
                    if mask >> byte & 1:
                        self.expected[line * LINE + beat * self.size + byte] = data[byte]
                self.met["none" if mask == 0 else "whole" if mask == (1 << self.size) - 1 else "part"] += 1
                while not self.often():
                    yield
                yield from self.offer(near.w, data=int.from_bytes(data, "little"), strb=mask, last=int(beat == beats - 1))
            yield near.b.ready.eq(1)
            yield
            while not (yield near.b.valid):
                yield
            if (yield near.b.id) != name:
                self.fail(f"burst {number}: the answer is of ID {(yield near.b.id)}, not {name}")
            yield near.b.ready.eq(0)
            yield
            at = slice(line * LINE, line * LINE + LINE)
            if self.memory[at] != self.expected[at]:
                self.fail(f"burst {number}: line {line} is {self.memory[at].hex()}, not {self.expected[at].hex()}")
            self.busy.discard(line)
        self.done = True

    def offer(self, channel, **values):
        for name, value in values.items():
            yield getattr(channel, name).eq(value)
        yield channel.valid.eq(1)
        yield
        while not (yield channel.ready):
            yield
        yield channel.valid.eq(0)

    @passive
    def reader(self):
        near = self.top.near
        while True:
            yield
            names = [name for name in range(1 << ID_W) if name not in self.reading]
            lines = [line for line in range(LINES) if line not in self.busy]
            if len(self.reading) < 4 and lines and self.often():
                name, line = self.random.choice(names), self.random.choice(lines)
                self.reading[name] = [line, list(range(LINE // self.size))]
                yield from self.offer(near.ar, addr=line * LINE, len=LINE // self.size - 1, id=name, burst=axi.BURST_INCR, size=self.size.bit_length() - 1)

    @passive
    def taker(self):
        near = self.top.near
        while True:
            ready = self.often()
            yield near.r.ready.eq(int(ready))
            yield
            if ready and (yield near.r.valid):
                name, data = (yield near.r.id), (yield near.r.data)
                if name not in self.reading:
                    self.fail(f"a beat for ID {name}, which reads nothing")
                line, left = self.reading[name]
                at = line * LINE + left.pop(0) * self.size
                if data.to_bytes(self.size, "little") != self.expected[at:at + self.size] or (yield near.r.last) != (not left):
                    self.fail(f"a read of address {at:#x} brought {data:#x}, last {(yield near.r.last)}")
                self.met["reads"] += 1
                if not left:
                    del self.reading[name]

    @passive
    def memory_writes(self):
        """Addresses and data come when they like; a beat is in memory some time after both, then it is answered."""
        far, addresses, beats, answers, ready = self.top.far, [], [], [], (0, 0)
        while True:
            if ready[0] and (yield far.aw.valid):
                if (yield far.aw.len) != 0:
                    self.fail("a write of more than a beat")
                addresses.append((yield far.aw.addr))
            if ready[1] and (yield far.w.valid):
                if (yield far.w.strb) != (1 << self.size) - 1 or not (yield far.w.last):
                    self.fail(f"a write with strobes {(yield far.w.strb):#x}, last {(yield far.w.last)}")
                beats.append((yield far.w.data))
            if addresses and beats and self.often():
                at = addresses.pop(0)
                self.memory[at:at + self.size] = beats.pop(0).to_bytes(self.size, "little")
                answers.append(self.random.randrange(1, 12))
            answers = [wait - 1 for wait in answers]
            gives = bool(answers) and answers[0] <= 0
            if gives:
                answers.pop(0)
            ready = int(self.often()), int(self.often())
            yield far.aw.ready.eq(ready[0])
            yield far.w.ready.eq(ready[1])
            yield far.b.valid.eq(int(gives))
            yield

    @passive
    def memory_reads(self):
        """Bursts wait in a list; any of them may go on with its next beat."""
        far, bursts, ready, given, shown = self.top.far, [], 0, False, None
        while True:
            asked = ((yield far.ar.id), (yield far.ar.addr), (yield far.ar.len)) if (yield far.ar.valid) else None
            if shown not in (None, asked):
                self.fail(f"a read {shown} that memory has not taken became {asked}")
            shown = None if ready else asked
            if ready and asked:
                name, at, count = asked[0], asked[1], asked[2] + 1
                self.met["own"] += name >> ID_W
                if name >> ID_W and count != 1:
                    self.fail("WholeBeats reads more than a beat")
                bursts.append([name, at, count])
            if given and (yield far.r.ready):
                given = False
                yield far.r.valid.eq(0)
            if not given and bursts and self.often():
                burst = self.random.choice(bursts)
                name, at, count = burst
                yield far.r.id.eq(name)
                yield far.r.data.eq(int.from_bytes(self.memory[at:at + self.size], "little"))
                yield far.r.last.eq(int(count == 1))
                yield far.r.valid.eq(1)
                given, burst[1], burst[2] = True, at + self.size, count - 1
                if count == 1:
                    bursts.remove(burst)
            ready = int(self.often())
            yield far.ar.ready.eq(ready)
            yield

    @passive
    def watch(self):
        for _ in range(2000 * self.bursts):
            yield
        self.fail(f"no end after {2000 * self.bursts} cycles")

    def go(self):
        run_simulation(self.top, [self.writer(), self.reader(), self.taker(), self.memory_writes(), self.memory_reads(), self.watch()])
        if not self.done or self.memory != self.expected:
            self.fail("memory does not hold what was written")
        missed = [what for what, count in self.met.items() if count == 0]
        if missed or self.met["own"] != self.met["part"]:
            self.fail(f"reads of its own {self.met['own']}, parts {self.met['part']}; not met: {missed}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--bursts", type=int, default=150, help="of each width of the port (150)")
    chosen = parser.parse_args()
    for bits in (32, 64, 256):
        run = Run(bits, chosen.seed, chosen.bursts)
        try:
            run.go()
        except AssertionError as error:
            print(f"FAIL BU-5 {bits} bits: {error}\nreplay: {sys.executable} {sys.argv[0]} --seed {chosen.seed} --bursts {chosen.bursts}")
            sys.exit(1)
        print(f"ok   BU-5 {bits} bits, seed {chosen.seed}: " + ", ".join(f"{count} {what}" for what, count in run.met.items()))
    print("shows: BU-5 [rtl]")


main()
