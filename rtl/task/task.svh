// A checked task as it goes from tmd_check through task_management to work_distributor: one packed word, the same list of signals
// for packing and for taking apart. Widths: `TASK_DECLARE.
`ifndef TANDEM_TASK_SVH
`define TANDEM_TASK_SVH

`define TASK_W(channel_w, banks) (6 + 1 + (channel_w) + 32 * 4 + 16 * 3 + 32 + 16 * 2 + 16 + 8 + 18 + 32 + 24 + (banks) * (1 + 32 + 17) + 2 * (1 + 1 + 1 + 1 + 3 + 32 + 32))

`define TASK_DECLARE(channel_w, banks) \
    logic [5:0]             t_group; \
    logic                   t_sequential; \
    logic [(channel_w)-1:0] t_channel; \
    logic [31:0]            t_tmd, t_region, t_code_base, t_code_size; \
    logic [15:0]            t_ntid_x, t_ntid_y, t_ntid_z; \
    logic [31:0]            t_grid_x; \
    logic [15:0]            t_grid_y, t_grid_z, t_threads; \
    logic [7:0]             t_registers; \
    logic [17:0]            t_shared; \
    logic [31:0]            t_local_base; \
    logic [23:0]            t_local_bytes; \
    logic [(banks)-1:0]     t_const_valid; \
    logic [(banks)*32-1:0]  t_const_addr; \
    logic [(banks)*17-1:0]  t_const_size; \
    logic [1:0]             t_release_enable, t_release_red, t_release_signed, t_release_one_word; \
    logic [5:0]             t_release_op; \
    logic [63:0]            t_release_addr, t_release_payload;

`define TASK_FIELDS {t_group, t_sequential, t_channel, t_tmd, t_region, t_code_base, t_code_size, t_ntid_x, t_ntid_y, t_ntid_z, \
    t_grid_x, t_grid_y, t_grid_z, t_threads, t_registers, t_shared, t_local_base, t_local_bytes, t_const_valid, t_const_addr, t_const_size, \
    t_release_enable, t_release_red, t_release_signed, t_release_one_word, t_release_op, t_release_addr, t_release_payload}

`endif
