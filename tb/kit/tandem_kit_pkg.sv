// The golden model for test benches in SystemVerilog, by DPI: tandem_kit.c and libtandem-model behind it. Whole devices are
// followed event by event (tandem_trace_pkg makes the words); a token deque is checked operation by operation.
// All functions return 0 when theirs and the model's agree, else 1: tandem_kit_message() then has it in one line.
package tandem_kit_pkg;
    // A device that follows; null: there is no such configuration. no_fetches: no events tell what is fetched.
    import "DPI-C" function chandle tandem_kit_device(input string configuration, input int mebibytes, input int no_fetches);
    import "DPI-C" function void tandem_kit_device_end(input chandle device);
    // A number of the configuration, as tandem_model_property() has it; -1: there is none of that name.
    import "DPI-C" function int tandem_kit_property(input chandle device, input string name);
    // The CPU writes a word into memory.
    import "DPI-C" function int tandem_kit_write(input chandle device, input longint address, input int word);
    // A word of your memory: is it the model's? As it stands after the last event.
    import "DPI-C" function int tandem_kit_memory(input chandle device, input longint address, input int word);
    // 1: the model's interrupt line is high, after the last event.
    import "DPI-C" function int tandem_kit_interrupt(input chandle device);
    import "DPI-C" function int tandem_kit_event(input chandle device, input int kind, input int sm, input longint cycle,
                                                 input bit [64 * 32 - 1 : 0] words);
    import "DPI-C" function int tandem_kit_cycle(input chandle device, input longint cycle);
    // All must have been told.
    import "DPI-C" function int tandem_kit_told(input chandle device);
    import "DPI-C" function string tandem_kit_message(input chandle device);

    // The token deque of one warp; null: such one cannot be. Operations as in tandem_model.h.
    import "DPI-C" function chandle tandem_kit_deque(input int threads, input int entries);
    import "DPI-C" function void tandem_kit_deque_end(input chandle handle);
    // 1: the model has none, or the operation cannot be.
    import "DPI-C" function int tandem_kit_deque_front(input chandle handle, output longint low, output longint high);
    import "DPI-C" function int tandem_kit_deque_do(input chandle handle, input int op, input int kind, input longint mask,
                                                    input int address, output int full, output int moved_op,
                                                    output longint low, output longint high);
endpackage
