"""A wire that can be trusted: UARTBone's commands as they are, and in frames with a check and an answer.

Plain UARTBone commands (1 to 4) pass through, so that LiteX's own tools work. Command 5 is a frame:

    to the board    5, kind, sequence, length (2 bytes, low first), UARTBone commands, CRC-32 of all behind the 5 (low first)
    from the board  6, sequence, the answers of the commands, CRC-32 of all of that     or, when the check fails: 21, sequence, CRC-32

kind 0 holds writes, 1 reads. Nothing of a frame is carried out before all of it has come and its check is right. A frame of writes whose sequence
number is that of the last one is answered and not carried out again: so the host may repeat whatever it got no good answer to.
After some silence in the middle of anything the wire waits for a command again.
For ten times that silence after a good frame nothing but frames is taken, so that noise in a frame never becomes a plain command.
"""
from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSRStatus
from migen import FSM, Cat, If, NextState, NextValue, Signal

POLYNOMIAL = 0xEDB88320  # IEEE 802.3, least significant bit first, as zlib's crc32()
RESIDUE = 0xDEBB20E3  # of a message with its own CRC behind it
FRAME, GOOD, BAD = 5, 6, 21
WRITES, READS = 0, 1
ROOM = 2048


def crc32_step(crc, data):
    """Bits of the CRC after one more byte; crc and data are lists of signals."""
    for bit in data:
        feedback = crc[0] ^ bit
        crc = [(crc[i + 1] if i < 31 else 0) ^ (feedback if POLYNOMIAL >> i & 1 else 0) for i in range(32)]
    return crc


class Crc(LiteXModule):
    """CRC-32 of the bytes for which take is high; begin starts anew."""

    def __init__(self):
        self.take, self.begin, self.data = Signal(), Signal(), Signal(8)
        self.state = Signal(32, reset=0xFFFFFFFF)
        self.sync += If(self.begin, self.state.eq(0xFFFFFFFF)).Elif(self.take, self.state.eq(
            Cat(*crc32_step(list(self.state), list(self.data)))))


class CheckedWire(LiteXModule):
    """rx, tx: streams of bytes from and to the wire. source, sink: those of the bone; idle: that the bone waits for a command.

    silence: clock cycles after which what has begun is given up.
    """

    def __init__(self, rx, tx, silence):
        self.source = source = stream.Endpoint([("data", 8)])
        self.sink = sink = stream.Endpoint([("data", 8)])
        self.idle = Signal()
        self.wire_frames = CSRStatus(32)
        self.wire_bad_frames = CSRStatus(32)
        self.wire_given_up = CSRStatus(32)
        self.wire_sequence = CSRStatus(8)

        kept = stream.SyncFIFO([("data", 8)], ROOM, buffered=True)
        self.kept = kept
        self.rx_crc, self.tx_crc = rx_crc, tx_crc = Crc(), Crc()
        kind, sequence, length, left = Signal(8), Signal(8), Signal(16), Signal(16)
        command, good, place, sealed = Signal(8), Signal(), Signal(2), Signal(32)
        got = rx.valid & rx.ready
        given = tx.valid & tx.ready
        quiet = Signal(max=silence + 1)
        given_up = Signal()

        self.fsm = fsm = FSM(reset_state="COMMAND")
        framed = Signal(max=10 * silence + 1)
        self.sync += If(fsm.ongoing("JUDGE") & (rx_crc.state == RESIDUE), framed.eq(10 * silence)).Elif(framed != 0, framed.eq(framed - 1))
        late = quiet == silence
        self.sync += If(fsm.ongoing("COMMAND") | got | given, quiet.eq(0)).Elif(~late, quiet.eq(quiet + 1))
        self.comb += [rx_crc.data.eq(rx.data), tx_crc.data.eq(tx.data), tx_crc.take.eq(given)]
        self.sync += If(given_up, self.wire_given_up.status.eq(self.wire_given_up.status + 1))

        def give_up():
            return If(late, given_up.eq(1), NextState("DRAIN"))

        through = [source.valid.eq(rx.valid), source.data.eq(rx.data), rx.ready.eq(source.ready)]
        back = [tx.valid.eq(sink.valid), tx.data.eq(sink.data), sink.ready.eq(tx.ready)]

        # ---- plain commands: what follows is counted, so that the next command is found ----
        fsm.act("COMMAND", rx_crc.begin.eq(1), tx_crc.begin.eq(1), NextValue(place, 0), NextValue(left, 3),
                If(rx.data == FRAME, rx.ready.eq(1), If(rx.valid, NextState("KIND")))
                .Elif(framed != 0, rx.ready.eq(1))
                .Else(*through, NextValue(command, rx.data), If(got, NextState("LENGTH"))))
        fsm.act("LENGTH", *through, NextValue(length, rx.data), give_up(), If(got, NextState("ADDRESS")))
        fsm.act("ADDRESS", *through, give_up(), If(got, NextValue(left, left - 1), If(left == 0,
                NextValue(left, (length << 2) - 1),
                If(command[0] & (command <= 3) & (length != 0), NextState("DATA")).Else(NextState("FINISH")))))
        fsm.act("DATA", *through, give_up(), If(got, NextValue(left, left - 1), If(left == 0, NextState("FINISH"))))
        fsm.act("FINISH", *back, give_up(), If(self.idle, NextState("COMMAND")))

        # ---- a frame comes ----
        def keep(state, then, *what):
            fsm.act(state, rx.ready.eq(1), rx_crc.take.eq(rx.valid), give_up(), If(rx.valid, *what, NextState(then)))
        keep("KIND", "SEQUENCE", NextValue(kind, rx.data))
        keep("SEQUENCE", "LENGTH-LOW", NextValue(sequence, rx.data))
        keep("LENGTH-LOW", "LENGTH-HIGH", NextValue(length, rx.data))
        fsm.act("LENGTH-HIGH", rx.ready.eq(1), rx_crc.take.eq(rx.valid), give_up(), NextValue(left, Cat(length[:8], rx.data) - 1),
                If(rx.valid, If(Cat(length[:8], rx.data) > ROOM, NextState("SKIP"))
                   .Elif(Cat(length[:8], rx.data) == 0, NextState("CHECK")).Else(NextState("KEEP"))))
        fsm.act("KEEP", kept.sink.valid.eq(rx.valid), kept.sink.data.eq(rx.data), rx.ready.eq(1), rx_crc.take.eq(rx.valid), give_up(),
                If(rx.valid, NextValue(left, left - 1), If(left == 0, NextState("CHECK"))))
        fsm.act("CHECK", rx.ready.eq(1), rx_crc.take.eq(rx.valid), give_up(),
                If(rx.valid, NextValue(place, place + 1), If(place == 3, NextState("JUDGE"))))
        fsm.act("SKIP", rx.ready.eq(1), give_up())  # longer than any frame: its end is unknown
        fsm.act("JUDGE", NextValue(good, rx_crc.state == RESIDUE), NextState("ANSWER"),
                If(rx_crc.state == RESIDUE, NextValue(self.wire_frames.status, self.wire_frames.status + 1))
                .Else(NextValue(self.wire_bad_frames.status, self.wire_bad_frames.status + 1)))

        # ---- it is carried out and answered ----
        again = (kind == WRITES) & (sequence == self.wire_sequence.status)
        fsm.act("ANSWER", tx.valid.eq(1), If(good, tx.data.eq(GOOD)).Else(tx.data.eq(BAD)), If(tx.ready, NextState("NUMBER")))
        fsm.act("NUMBER", tx.valid.eq(1), tx.data.eq(sequence),
                If(tx.ready, If(good & ~again, NextState("PLAY")).Else(NextState("DROP"))))
        fsm.act("PLAY", *back, source.valid.eq(kept.source.valid), source.data.eq(kept.source.data), kept.source.ready.eq(source.ready),
                give_up(),
                If(~kept.source.valid & self.idle, If(kind == WRITES, NextValue(self.wire_sequence.status, sequence)), NextState("SEAL")))
        fsm.act("DROP", kept.source.ready.eq(1), If(~kept.source.valid, NextState("SEAL")))
        fsm.act("SEAL", NextValue(left, 3), NextValue(sealed, ~tx_crc.state), NextState("SEALED"))
        fsm.act("SEALED", tx.valid.eq(1), tx.data.eq(sealed[:8]),
                If(tx.ready, NextValue(sealed, sealed >> 8), NextValue(left, left - 1), If(left == 0, NextState("COMMAND"))))
        fsm.act("DRAIN", kept.source.ready.eq(1), If(~kept.source.valid, NextState("COMMAND")))
