// ppu as mapped for an FPGA, under the name and with the parameters of rtl/ppu.sv, whose place it takes. The parameters are only looked at by whoever
// instantiates it: the netlist has those that it was mapped with.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/config.svh"
`include "gen/trace.svh"

module ppu #(
    `PPU_PARAMETERS,
    parameter int INJECT = 0
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire  [7:0] inject_i,  // 0: as mapped; else one cell is another (scripts/ecp5_netlist.py)
    output logic       irq_o,
    output logic       rmw_busy_o,
    input  wire        memory_changed_i,
    `AXIL_IN(s_axil),
    `AXIL_MEMORY_IN(h_axil),
    `AXI_OUT(m_axi),
    `TRACE_HOST_PORTS,
    `TRACE_TASK_PORTS,
    `TRACE_MEM_PORTS,
    `TRACE_SM_PORTS_TOP
);

    ppu_netlist u_netlist (.*);

endmodule
`default_nettype wire
