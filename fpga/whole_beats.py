"""A memory that writes whole words only: what writes a part of one reads it before.

The DM pins of some SDRAM chips are tied to ground (a Colorlight i9's), so every byte of a word is written, wanted or not. Between the PPU's AXI4 port and
the memory's, WholeBeats takes a burst of writes beat by beat and makes of each:
  no byte is written    nothing
  all bytes             a write of one beat
  some bytes            a read of one beat, and a write of what was there with the bytes in their place
The answer comes when memory has answered all beats. One burst of writes is under way at a time; reads go past it. That is right since the PPU never has
two transactions of one line under way unless both read (rtl/mem/axi_port.sv).

Two cycles for a beat that is written whole; registers stand before all that memory is asked.
"""
from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.axi import BURST_INCR
from migen import FSM, Cat, If, NextState, NextValue, Signal

LINE = 32  # bytes, aligned: what a burst of the PPU is


class WholeBeats(LiteXModule):
    """near: the AXI4 port that asks. far: the memory's, whose IDs have a bit more, set in reads of WholeBeats itself."""

    def __init__(self, near, far):
        size = len(near.w.data) // 8
        assert len(far.r.id) == len(near.r.id) + 1 and len(far.w.data) == 8 * size and LINE % size == 0
        own = 1 << len(near.r.id)
        high, beat, name = Signal(len(near.aw.addr) - 5), Signal(max=max(2, LINE // size)), Signal(len(near.aw.id))
        low = (size - 1).bit_length()  # bits of a place in a beat
        parts = [beat] if low < 5 else []  # none where a beat is a line
        address = Cat(Signal(low), *parts, high)
        data, strobes, last = Signal(8 * size), Signal(size), Signal()
        asked, given, waiting = Signal(), Signal(), Signal(max=LINE // size + 1)  # of the beat that is written; beats that memory has not answered

        # ---- reads: the PPU's wait in a register, our own go before what memory has not been asked yet ----
        self.reads = reads = stream.Buffer(near.ar.description, pipe_valid=False, pipe_ready=True)
        wants, asks, shown = Signal(), Signal(), Signal()
        self.comb += [
            near.ar.connect(reads.sink),
            asks.eq(wants & ~shown),
            far.ar.burst.eq(BURST_INCR), far.ar.size.eq(size.bit_length() - 1),
            If(asks, far.ar.valid.eq(1), far.ar.addr.eq(address), far.ar.id.eq(own))
            .Else(far.ar.valid.eq(reads.source.valid), far.ar.addr.eq(reads.source.addr), far.ar.len.eq(reads.source.len), far.ar.id.eq(reads.source.id),
                  reads.source.ready.eq(far.ar.ready)),
            near.r.data.eq(far.r.data), near.r.resp.eq(far.r.resp), near.r.last.eq(far.r.last), near.r.id.eq(far.r.id),
            near.r.valid.eq(far.r.valid & ~far.r.id[-1]), far.r.ready.eq(near.r.ready | far.r.id[-1]),
        ]
        self.sync += shown.eq(~asks & far.ar.valid & ~far.ar.ready)
        comes = far.r.valid & far.r.id[-1]

        # ---- writes ----
        self.fsm = fsm = FSM(reset_state="IDLE")
        fsm.act("IDLE", near.aw.ready.eq(1), NextValue(high, near.aw.addr[5:]), NextValue(name, near.aw.id),
                *[NextValue(part, near.aw.addr[low:5]) for part in parts], If(near.aw.valid, NextState("BEAT")))
        fsm.act("BEAT", near.w.ready.eq(1), NextValue(data, near.w.data), NextValue(strobes, near.w.strb), NextValue(last, near.w.last),
                NextValue(asked, 0), NextValue(given, 0),
                If(near.w.valid,
                   If(near.w.strb == 0, NextValue(beat, beat + 1), If(near.w.last, NextState("ANSWER")))
                   .Elif(near.w.strb == 2**size - 1, NextState("WRITE"))
                   .Else(NextState("READ"))))
        fsm.act("READ", wants.eq(1), If(asks & far.ar.ready, NextState("MERGE")))
        fsm.act("MERGE", If(comes, NextState("WRITE")),
                *[If(comes & ~strobes[i], NextValue(data[8 * i:8 * i + 8], far.r.data[8 * i:8 * i + 8])) for i in range(size)])
        fsm.act("WRITE", far.aw.valid.eq(~asked), far.w.valid.eq(~given), If(far.aw.ready, NextValue(asked, 1)), If(far.w.ready, NextValue(given, 1)),
                If((asked | far.aw.ready) & (given | far.w.ready), NextValue(beat, beat + 1), If(last, NextState("ANSWER")).Else(NextState("BEAT"))))
        fsm.act("ANSWER", near.b.valid.eq(waiting == 0), If((waiting == 0) & near.b.ready, NextState("IDLE")))
        begins = fsm.ongoing("WRITE") & ~asked & far.aw.ready
        self.comb += [
            far.aw.addr.eq(address), far.aw.burst.eq(BURST_INCR), far.aw.size.eq(size.bit_length() - 1), far.w.data.eq(data), far.w.strb.eq(2**size - 1),
            far.w.last.eq(1), far.b.ready.eq(1), near.b.id.eq(name),
        ]
        self.sync += waiting.eq(waiting + begins - far.b.valid)
