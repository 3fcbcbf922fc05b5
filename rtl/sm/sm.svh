// Values that units of a multiprocessor pass on to each other.
`ifndef TANDEM_SM_SVH
`define TANDEM_SM_SVH

// The unit that an instruction goes to (decode, issue). The issue stage tells the warp table with the same values which one the warp waits
// for: UNIT_NONE when it goes on at once.
`define UNIT_NONE    3'd0  // nothing is left to do
`define UNIT_LANES   3'd1
`define UNIT_MEMORY  3'd2  // load_store, shared_memory, child_launch
`define UNIT_CONTROL 3'd3  // divergence_unit
`define UNIT_BARRIER 3'd4
`define UNIT_SCALAR  3'd5

// What S2R reads of a thread: which of its ids in the CTA, or its number in the warp.
`define THREAD_ID_X    2'd0
`define THREAD_ID_Y    2'd1
`define THREAD_ID_Z    2'd2
`define THREAD_ID_LANE 2'd3

// What software does with the deque of a held warp (registers DEQUE_LOAD, DEQUE_STORE, DEQUE_ENDS, DEQUE_RESUME).
`define DEQUE_LOAD   2'd0
`define DEQUE_STORE  2'd1
`define DEQUE_MOVE   2'd2
`define DEQUE_RESUME 2'd3

`endif
