// A checked task as it goes from tmd_check through task_management to work_distributor: one packed word, the same list of signals
// for packing and for taking apart. Widths: `TASK_DECLARE.
`ifndef TANDEM_TASK_SVH
`define TANDEM_TASK_SVH

`define TASK_W(channel_w, banks) (6 + 1 + 17 + 32 + 16 * 2 + (channel_w) + 32 * 4 + 16 * 3 + 32 + 16 * 2 + 16 + 8 + 8 + 18 + 32 + 24 + (banks) * (1 + 32 + 17) + 2 * (1 + 1 + 1 + 1 + 3 + 32 + 32) + 41)

`define TASK_DECLARE(channel_w, banks) \
    logic [5:0]             t_group; \
    logic                   t_sequential; \
    logic [16:0]            t_parent;  /* a warp waits for its end: 16; SM 15:8, warp 7:0 */ \
    logic [(channel_w)-1:0] t_channel; \
    logic [31:0]            t_tmd, t_region, t_code_base, t_code_size; \
    logic [15:0]            t_ntid_x, t_ntid_y, t_ntid_z; \
    logic [31:0]            t_grid_x; \
    logic [15:0]            t_grid_y, t_grid_z, t_threads; \
    logic [31:0]            t_next_x; \
    logic [15:0]            t_next_y, t_next_z; \
    logic [7:0]             t_registers, t_shared_rows; \
    logic [17:0]            t_shared; \
    logic [31:0]            t_local_base; \
    logic [23:0]            t_local_bytes; \
    logic [(banks)-1:0]     t_const_valid; \
    logic [(banks)*32-1:0]  t_const_addr; \
    logic [(banks)*17-1:0]  t_const_size; \
    logic [1:0]             t_release_enable, t_release_red, t_release_signed, t_release_one_word; \
    logic [5:0]             t_release_op; \
    logic [63:0]            t_release_addr, t_release_payload; \
    logic                   t_queue, t_open;  /* t_grid: entries of the ring, of a CTA, bytes of an entry; t_next_x: OUTER_GET */ \
    logic [30:0]            t_put; \
    logic [7:0]             t_period;

`define TASK_FIELDS {t_group, t_sequential, t_parent, t_channel, t_tmd, t_region, t_code_base, t_code_size, t_ntid_x, t_ntid_y, t_ntid_z, \
    t_grid_x, t_grid_y, t_grid_z, t_next_x, t_next_y, t_next_z, t_threads, t_registers, t_shared_rows, t_shared, t_local_base, t_local_bytes, t_const_valid, t_const_addr, t_const_size, \
    t_release_enable, t_release_red, t_release_signed, t_release_one_word, t_release_op, t_release_addr, t_release_payload, t_queue, t_open, t_put, t_period}

`endif
