// ppu as Verilator sees it: no input but clocks reaches logic without a register in between, so that each part is evaluated once a cycle. Verilator
// evaluates what hangs on inputs whenever anything happens, and once more behind each edge: a third of the machine hung on these.
//
// The memory's answers are registers of clk_i. The test bench works out what the memory answers in the next cycle before the edge that ends this
// one, so the registers cost no cycle. All other inputs change seldom: they are taken in at the edge of take_i, which comes between the rising and
// the falling edge of clk_i in a cycle before which one of them has changed, and are seen in that cycle.
`default_nettype none
`include "gen/bundles.svh"
`include "gen/config.svh"
`include "gen/trace.svh"

module ppu_clocked #(
    `PPU_PARAMETERS,
    parameter int INJECT = 0
) (
    input  wire        clk_i,
    input  wire        take_i,
    input  wire        rst_i,
    input  wire  [7:0] inject_i,
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

    logic                  awready_q, wready_q, arready_q, bvalid_q, rvalid_q, rlast_q;
    logic [4:0]            bid_q, rid_q;
    logic [1:0]            bresp_q, rresp_q;
    logic [AXI_DATA_W-1:0] rdata_q;
    always_ff @(posedge clk_i) begin
        awready_q <= m_axi_awready_i;
        wready_q <= m_axi_wready_i;
        arready_q <= m_axi_arready_i;
        bvalid_q <= m_axi_bvalid_i;
        bid_q <= m_axi_bid_i;
        bresp_q <= m_axi_bresp_i;
        rvalid_q <= m_axi_rvalid_i;
        rid_q <= m_axi_rid_i;
        rdata_q <= m_axi_rdata_i;
        rresp_q <= m_axi_rresp_i;
        rlast_q <= m_axi_rlast_i;
    end

    logic       rst_q, memory_changed_q;
    logic [7:0] inject_q;
    `AXIL_WIRE(s);
    `AXIL_MEMORY_WIRE(h);
    always_ff @(posedge take_i) begin
        rst_q <= rst_i;
        inject_q <= inject_i;
        memory_changed_q <= memory_changed_i;
        s_awvalid <= s_axil_awvalid_i;
        s_awaddr <= s_axil_awaddr_i;
        s_wvalid <= s_axil_wvalid_i;
        s_wdata <= s_axil_wdata_i;
        s_wstrb <= s_axil_wstrb_i;
        s_bready <= s_axil_bready_i;
        s_arvalid <= s_axil_arvalid_i;
        s_araddr <= s_axil_araddr_i;
        s_rready <= s_axil_rready_i;
        h_awvalid <= h_axil_awvalid_i;
        h_awaddr <= h_axil_awaddr_i;
        h_wvalid <= h_axil_wvalid_i;
        h_wdata <= h_axil_wdata_i;
        h_wstrb <= h_axil_wstrb_i;
        h_bready <= h_axil_bready_i;
        h_arvalid <= h_axil_arvalid_i;
        h_araddr <= h_axil_araddr_i;
        h_rready <= h_axil_rready_i;
    end
    always_comb begin
        s_axil_awready_o = s_awready;
        s_axil_wready_o = s_wready;
        s_axil_bvalid_o = s_bvalid;
        s_axil_bresp_o = s_bresp;
        s_axil_arready_o = s_arready;
        s_axil_rvalid_o = s_rvalid;
        s_axil_rdata_o = s_rdata;
        s_axil_rresp_o = s_rresp;
        h_axil_awready_o = h_awready;
        h_axil_wready_o = h_wready;
        h_axil_bvalid_o = h_bvalid;
        h_axil_bresp_o = h_bresp;
        h_axil_arready_o = h_arready;
        h_axil_rvalid_o = h_rvalid;
        h_axil_rdata_o = h_rdata;
        h_axil_rresp_o = h_rresp;
    end

    ppu #(`PPU_PASS_PARAMETERS, .INJECT(INJECT)) u_ppu (
        .clk_i, .rst_i(rst_q), .inject_i(inject_q), .irq_o, .rmw_busy_o, .memory_changed_i(memory_changed_q),
        `AXIL_TO(s_axil, s), `AXIL_MEMORY_TO(h_axil, h),
        .m_axi_awvalid_o, .m_axi_awready_i(awready_q), .m_axi_awid_o, .m_axi_awaddr_o, .m_axi_awlen_o, .m_axi_awsize_o, .m_axi_awburst_o,
        .m_axi_wvalid_o, .m_axi_wready_i(wready_q), .m_axi_wdata_o, .m_axi_wstrb_o, .m_axi_wlast_o,
        .m_axi_bvalid_i(bvalid_q), .m_axi_bready_o, .m_axi_bid_i(bid_q), .m_axi_bresp_i(bresp_q),
        .m_axi_arvalid_o, .m_axi_arready_i(arready_q), .m_axi_arid_o, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o,
        .m_axi_rvalid_i(rvalid_q), .m_axi_rready_o, .m_axi_rid_i(rid_q), .m_axi_rdata_i(rdata_q), .m_axi_rresp_i(rresp_q), .m_axi_rlast_i(rlast_q),
        `TRACE_HOST_CONNECT, `TRACE_TASK_CONNECT, `TRACE_MEM_CONNECT, `TRACE_SM_CONNECT
    );

endmodule
`default_nettype wire
