// Values that units of the host interface pass on to each other.
`ifndef TANDEM_HOST_INTERFACE_SVH
`define TANDEM_HOST_INTERFACE_SVH

// What the method parser answers to gp_fetch; its header says what each means.
`define RUN_NEXT   3'd0
`define RUN_METHOD 3'd1
`define RUN_HELD   3'd2
`define RUN_FAULT  3'd3
`define RUN_END    3'd4
`define RUN_YIELD  3'd5

// What the method that a channel's parser holds waits for.
`define HELD_IDLE      2'd0  // the channel's tasks
`define HELD_LAUNCH    2'd1  // the task unit
`define HELD_SEMAPHORE 2'd2

// How the semaphore unit's work on an operation ended.
`define RESULT_DONE    2'd0
`define RESULT_BLOCKED 2'd1
`define RESULT_FAULT   2'd2

`endif
