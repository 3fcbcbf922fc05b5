// What every harness has: a clock, a reset in the first cycle, and two words.
//   `CHECK(c)   c always holds: proved
//   `INVARIANT(c)  the same; a harness that has some is proved in two parts: the invariants by induction, its other checks from the invariants of
//               the same cycle
//   `INSTANCE(c)  what is proved for every value of a free constant, for one more value: assumed where the induction starts from, asserted nowhere
//   `POSSIBLE(c)  c is true somewhere where the induction starts from: what is assumed there does not contradict itself
//   `REACH(c)   c can come true: shown by an execution, so that no proof is about nothing
// The two are never in one netlist: a reached state is found as a refutation of its negation.
`ifndef TANDEM_FORMAL_SVH
`define TANDEM_FORMAL_SVH
`default_nettype none

`ifdef IMPLIED
`define INVARIANT(c) always_comb assume (c);
`define INSTANCE(c) always_comb assume (c);
`define POSSIBLE(c) always_comb assert (!(c));
`define CHECK(c) always_comb assert (c);
`define REACH(c)
`elsif STEP
`define INVARIANT(c) always_comb if (step_first) assume (c); else assert (c);
`define INSTANCE(c) always_comb if (step_first) assume (c);
`define POSSIBLE(c) if (1) begin logic was_q; always_ff @(posedge clk_i) was_q <= (c); always_comb assert (step_first || !was_q); end
`ifdef IN_PARTS
`define CHECK(c) always_comb if (step_first) assume (c);
`else
`define CHECK(c) `INVARIANT(c)
`endif
`define REACH(c)
`elsif REACHING
`define INVARIANT(c)
`define INSTANCE(c)
`define POSSIBLE(c)
`define CHECK(c)
`define REACH(c) always_comb assert (!(c));
`else
`define INVARIANT(c) always_comb assert (c);
`define INSTANCE(c)
`define POSSIBLE(c)
`define CHECK(c) always_comb assert (c);
`define REACH(c)
`endif

`define ASSUME(c) always_comb assume (c);

// An input that may be anything in every cycle; a constant that may be anything, the same in every cycle.
`define ANY(width, name) (* anyseq *) wire [(width)-1:0] name;
`define SOME(width, name) (* anyconst *) wire [(width)-1:0] name;

// An input that may be anything in the proof; only where an execution is searched for (a state to be reached, a broken copy) it is what it mostly
// is, so that long ones are found.
`ifdef SEARCH
`define MOSTLY(width, name, value) wire [(width)-1:0] name = value;
`else
`define MOSTLY(width, name, value) `ANY(width, name)
`endif

// rst is high in the first cycle and never again; before that, registers hold anything. The step of an induction is between two later cycles
// (rst is not a constant there, or Yosys would take what only the reset sets for something undefined).
`ifdef STEP
`define RESET(rst) \
    `ANY(1, rst) \
    `ASSUME(!rst) \
    logic step_second = 1'b0; \
    wire step_first = !step_second; \
    always_ff @(posedge clk_i) step_second <= 1'b1; \
    `ANY(1, step_probe) \
    always_comb assert (step_first || step_probe);
`elsif IMPLIED
`define RESET(rst) \
    `ANY(1, rst) \
    `ASSUME(!rst) \
    `ANY(1, step_probe) \
    always_comb assert (step_probe);
`else
`define RESET(rst) \
    logic rst = 1'b1; \
    always_ff @(posedge clk_i) rst <= 1'b0;
`endif
`endif
