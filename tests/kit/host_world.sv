// What stands around the host unit: the memory, the model that follows, and the telling of events.
`include "gen/bundles.svh"
`include "gen/isa.svh"
`ifndef HOST_CHANNELS
`define HOST_CHANNELS 4
`endif

package host_world_pkg;
    import tandem_kit_pkg::*;
    import tandem_trace_pkg::*;

    localparam int CHANNELS = `HOST_CHANNELS;  // those of the configuration

    localparam int MEBIBYTES = 1, WORDS = MEBIBYTES << 18;
    logic [31:0] memory[WORDS];
    chandle      model;
    longint      cycle = 0;

    // Counted for the last line.
    longint methods = 0;
    int launches = 0, faults = 0, resets = 0, semaphores = 0, waits = 0, ends = 0, bus_errors = 0;

    task automatic fail(input string what);
        $display("FAIL cycle %0d: %s", cycle, what);
        $fatal(1);
    endtask

    task automatic tell(input int kind, input words_t words);
        if (tandem_kit_event(model, kind, 0, cycle, words) != 0) fail(tandem_kit_message(model));
    endtask

    // A number of the configuration.
    function automatic int property_of(input string name);
        property_of = tandem_kit_property(model, name);
        if (property_of < 0) fail({"no property ", name});
    endfunction

    // True once in so many times.
    function automatic logic one_in(input int times);
        return $urandom_range(times - 1) == 0;
    endfunction

    // ---- memory ----
    logic        snoop = 0;
    logic [31:0] snoop_addr;

    function automatic void write_word(input logic [31:0] physical, input logic [31:0] value);
        memory[physical / 4] = value;
        if (tandem_kit_write(model, longint'(physical), value) != 0) fail(tandem_kit_message(model));
    endfunction

    function automatic logic [255:0] line_at(input logic [31:0] physical);
        for (int w = 0; w < 8; w++) line_at[32 * w +: 32] = memory[(physical & ~31) / 4 + w];
    endfunction

    function automatic logic outside(input logic [31:0] addr, input int bytes, input logic [31:0] space_size);
        return {1'b0, addr} + 33'(bytes) > {1'b0, space_size};
    endfunction

    function automatic logic [31:0] reduced(input logic [3:0] atom, input logic [31:0] old, input logic [31:0] operand);
        case (atom)
            `ATOM_ADD: return old + operand;
            `ATOM_MIN: return $signed(operand) < $signed(old) ? operand : old;
            `ATOM_MAX: return $signed(operand) > $signed(old) ? operand : old;
            `ATOM_UMIN: return operand < old ? operand : old;
            `ATOM_UMAX: return operand > old ? operand : old;
            `ATOM_AND: return old & operand;
            `ATOM_OR: return old | operand;
            `ATOM_XOR: return old ^ operand;
            `ATOM_INC: return old >= operand ? 0 : old + 1;
            default: return old == 0 || old > operand ? operand : old - 1;
        endcase
    endfunction

    // An access is performed and told. data: of a read the line, of an atomic the old word.
    task automatic perform(input logic [7:0] port, input logic [7:0] channel, input logic [1:0] op, input logic [3:0] atom,
                           input logic [31:0] addr, input logic [31:0] strobes, input logic [255:0] operand,
                           input logic [31:0] base, input logic [31:0] size, output logic [1:0] fault, output logic [255:0] data);
        automatic logic [31:0] physical = base + addr;
        fault = outside(addr, op == `REQUEST_ATOMIC ? 4 : 32, size) ? `ANSWER_OUTSIDE : `ANSWER_GOOD;
        data = 0;
        tell(TRACE_PERFORM, trace_perform(port, op, channel, addr, strobes, operand, fault));
        if (fault == `ANSWER_GOOD) case (op)
            `REQUEST_READ: data = line_at(physical);
            `REQUEST_WRITE: begin
                for (int b = 0; b < 32; b++)
                    if (strobes[b]) memory[(physical + b) / 4][8 * (b % 4) +: 8] = operand[8 * b +: 8];
            end
            default: begin
                data[31:0] = memory[physical / 4];
                memory[physical / 4] = reduced(atom, data[31:0], operand[31:0]);
            end
        endcase
        if (fault == `ANSWER_GOOD && op != `REQUEST_READ) begin
            snoop = 1;
            snoop_addr = physical;
        end
    endtask

    // The foreign memory and the model's, word by word.
    task automatic compare_memory();
        for (int w = 0; w < WORDS; w++)
            if (tandem_kit_memory(model, longint'(w) * 4, memory[w]) != 0) fail(tandem_kit_message(model));
    endtask
endpackage
