"""The PPU as a part of a LiteX system: its three buses as LiteX's interfaces, its parameters from rtl/configs.tbl as make wrote them."""
import os
import re

from litex.gen import LiteXModule
from litex.soc.interconnect import axi, stream
from migen import ClockSignal, If, Instance, ResetSignal, Signal

from whole_beats import WholeBeats

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# field, direction seen from the side that asks, of the channels of a bus
LITE = {"aw": ["addr"], "w": ["data", "strb"], "ar": ["addr"]}, {"b": ["resp"], "r": ["data", "resp"]}
FULL = ({"aw": ["id", "addr", "len", "size", "burst"], "w": ["data", "strb", "last"], "ar": ["id", "addr", "len", "size", "burst"]},
        {"b": ["id", "resp"], "r": ["id", "data", "resp", "last"]})


def parameters(build, config):
    """{name: number} of a configuration, from build/gen/config.mk."""
    with open(os.path.join(build, "gen", "config.mk"), encoding="utf-8") as file:
        line = re.search(rf"^CONFIG_{config}_FLAGS := (.*)$", file.read(), re.M)
    if not line:
        raise SystemExit(f"fpga: rtl/configs.tbl has no configuration {config}")
    return {name: int(number) for name, number in re.findall(r"-G(\w+)=(\d+)", line.group(1))}


def sources():
    """All units of the PPU, the top last."""
    found = [os.path.join(folder, name) for folder, _, names in sorted(os.walk(os.path.join(ROOT, "rtl"))) for name in sorted(names)
             if name.endswith(".sv")]
    return sorted(found, key=lambda path: os.path.basename(path) == "ppu.sv")


class Ppu(LiteXModule):
    """registers, memory: AXI-Lite buses of the wire; port: AXI4 to the memory; all sizes in bytes. byte_masks: memory can write a part of a word."""

    def __init__(self, values, clock_hz, memory_bytes, byte_masks, inject=0):
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.memory = axi.AXILiteInterface(data_width=32, address_width=32)
        asking = axi.AXIInterface(data_width=values["AXI_DATA_W"], address_width=32, id_width=5)
        self.port = axi.AXIInterface(data_width=values["AXI_DATA_W"], address_width=32, id_width=5 if byte_masks else 6)
        if byte_masks:
            self._slice(asking, self.port)
        else:
            self.whole_beats = WholeBeats(asking, self.port)
        self.reset = Signal()
        self.irq = Signal()
        self.refused = Signal()  # pulse: an access of the wire to memory was answered with an error
        # A register of its own: reset goes all over the FPGA, and into what is asked in the same cycle. The domain's reset sets it.
        held = Signal(reset=1)
        self.sync += held.eq(self.reset)
        ports = dict(i_clk_i=ClockSignal("sys"), i_rst_i=held, i_inject_i=inject, i_memory_changed_i=0,
                     o_irq_o=self.irq, o_rmw_busy_o=Signal())
        self._meet(ports, "s_axil", self.registers, LITE, "i", {"addr": lambda signal: signal[:20]})
        self._meet(ports, "h_axil", self.memory, LITE, "i", {"addr": lambda signal: signal & (memory_bytes - 1)})
        self._meet(ports, "m_axi", asking, FULL, "o", {})
        # The wire's bridge knows no error answers; they are counted instead.
        b_resp, r_resp = Signal(2), Signal(2)
        ports.update(o_h_axil_bresp_o=b_resp, o_h_axil_rresp_o=r_resp)
        self.comb += [self.memory.b.resp.eq(0), self.memory.r.resp.eq(0),
                      self.refused.eq((self.memory.b.valid & self.memory.b.ready & (b_resp != 0))
                                      | (self.memory.r.valid & self.memory.r.ready & (r_resp != 0)))]
        settings = dict(values, NS_PER_CYCLE=round(1e9 / clock_hz), MEMORY_PAGES=memory_bytes // 4096)
        ports.update({f"p_{name}": number for name, number in settings.items()})
        self.specials += Instance("ppu", **ports)

    def _slice(self, near, far):
        """What the PPU asks of the memory waits in registers when it has to: the way from the memory's ready into the PPU's units is long. No cycle more."""
        for channel in ("aw", "w", "ar"):
            register = stream.Buffer(getattr(near, channel).description, pipe_valid=False, pipe_ready=True)
            self.add_module(name=f"port_{channel}", module=register)
            self.comb += [getattr(near, channel).connect(register.sink), register.source.connect(getattr(far, channel))]
        self.comb += [getattr(far, channel).connect(getattr(near, channel)) for channel in ("b", "r")]

    @staticmethod
    def _meet(ports, prefix, bus, fields, asks, change):
        """asks "i": the PPU is asked; "o": it asks."""
        answers = "o" if asks == "i" else "i"
        for side, channels in zip((asks, answers), fields):
            other = "o" if side == "i" else "i"
            for channel, names in channels.items():
                signals = getattr(bus, channel)
                ports[f"{side}_{prefix}_{channel}valid_{side}"] = signals.valid
                ports[f"{other}_{prefix}_{channel}ready_{other}"] = signals.ready
                for name in names:
                    ports[f"{side}_{prefix}_{channel}{name}_{side}"] = change.get(name, lambda signal: signal)(getattr(signals, name))
