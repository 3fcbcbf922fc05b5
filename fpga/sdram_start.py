"""Brings an SDR SDRAM up without a processor: the commands of LiteDRAM's own list, given on its external DFI port after reset."""
from litedram.init import cmds, get_sdram_phy_init_sequence
from litex.gen import LiteXModule
from migen import Case, If, Signal

FLAGS = {"DFII_COMMAND_CS": "cs_n", "DFII_COMMAND_WE": "we_n", "DFII_COMMAND_CAS": "cas_n", "DFII_COMMAND_RAS": "ras_n"}


class SdramStart(LiteXModule):
    """dfii: LiteDRAM's injector; done_o is high once the memory can be used."""

    def __init__(self, dfii, phy_settings, timing_settings):
        self.done = Signal()
        sequence, _ = get_sdram_phy_init_sequence(phy_settings, timing_settings)
        step, wait, issue = Signal(max=len(sequence) + 1), Signal(16, reset=16), Signal()
        phase, awake = dfii.ext_dfi.phases[0], Signal()
        idle = [phase.cs_n.eq(1), phase.we_n.eq(1), phase.cas_n.eq(1), phase.ras_n.eq(1)]
        drive, delays = {}, {}
        for number, (_, address, bank, command, delay) in enumerate(sequence):
            given = [] if command == cmds["CKE"] else [getattr(phase, FLAGS[flag]).eq(0) for flag in command.split("|")]
            drive[number] = [phase.address.eq(address), phase.bank.eq(bank), If(issue, *given)]
            delays[number] = [wait.eq(delay + 16), If(issue, awake.eq(1))]
        drive["default"], delays["default"] = [], []
        self.comb += [
            dfii.ext_dfi_sel.eq(~self.done), issue.eq((wait == 0) & ~self.done), self.done.eq(step == len(sequence)),
            *idle, phase.cke.eq(awake), phase.wrdata_en.eq(0), phase.rddata_en.eq(0), Case(step, drive),
        ]
        self.sync += If(~self.done, If(wait != 0, wait.eq(wait - 1)).Else(step.eq(step + 1), Case(step, delays)))
