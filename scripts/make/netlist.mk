# nano as mapped to ECP5 in place of its RTL (tb/netlist/README.md): programs that have it as the RTL of nano, for `make long LONG=netlist`.
NETLIST_DIR := $(BUILD)/rtl/nano_netlist
NETLIST_SV := tb/netlist/ecp5_cells.sv tb/netlist/ppu.sv
NETLIST_FLAGS := -O3 --x-assign fast --x-initial unique --trace-fst --trace-depth 3 -Wno-lint -Wno-style -Wno-UNOPTFLAT -Wno-MULTIDRIVEN $(RTL_INCLUDES)

$(NETLIST_DIR)/netlist.v: $(RTL_SRC) scripts/synth-ecp5 scripts/ecp5_netlist.py scripts/ecp5_mapping.py $(GEN)
	@mkdir -p $(@D)
	scripts/synth-ecp5 netlist nano $(BUILD) $@
$(NETLIST_DIR)/Vppu_nano.mk: $(NETLIST_DIR)/netlist.v $(NETLIST_SV) tb/ppu_clocked.sv $(call remember,verilate_netlist,$(VERILATOR) $(NETLIST_FLAGS)) scripts/verilate
	VERILATOR=$(VERILATOR) scripts/verilate $(@D) Vppu_nano $(NETLIST_FLAGS) --top-module ppu_clocked $(NETLIST_SV) $< tb/ppu_clocked.sv
$(NETLIST_DIR)/V%.h: $(NETLIST_DIR)/Vppu_nano.mk ;
$(NETLIST_DIR)/Vppu_nano__ALL.a: $(NETLIST_DIR)/Vppu_nano.mk $(RTL_CXX_FLAGS)
	+$(call verilated_make,$(@D),Vppu_nano,-O1)
	@touch $@
# inject_i chooses which cell is another.
$(NETLIST_DIR)/rtl_device.o: tb/rtl_device.cpp $(call remember,rtl_device_netlist,$(CONFIG_nano_FLAGS)) $(RTL_CXX_FLAGS) | $(NETLIST_DIR)/Vppu_nano.mk
	$(CXX) $(VERILATED_CXXFLAGS) -Wall -Wextra $(INCLUDES) -I$(@D) -DRTL_NAME=nano -DRTL_CONFIG=nano -DRTL_INJECT=1 $(patsubst -G%,-DRTL_%,$(CONFIG_nano_FLAGS)) -MMD -MP -MT $@ -c $< -o $@

NETLIST_RTL := $(NETLIST_DIR)/rtl_device.o $(NETLIST_DIR)/Vppu_nano__ALL.a $(VERILATED:%=$(BUILD)/rtl/%.o) $(SYSTEMC_OBJECTS)
$(eval $(call registry,fast,nano_rtl,X(nano)))
$(eval $(call test_program,netlist/device,device,$(BUILD)/check/tb/nano_rtl.o $(NETLIST_RTL),$(BUILD)/libdevice_helpers.a $(CHECK_LIBS)))
$(BUILD)/netlist/device/test_work_queue: | $(BUILD)/kernels/work_queue.elf
$(BUILD)/netlist/random-programs: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/random/*.c) tests/device/random_program.c tests/device/trap_handler.c) $(COMMON) $(BUILD)/fast/tb/nano_rtl.o $(NETLIST_RTL) $(LINK_FLAGS) | $(DEVICE_LIBS)
	$(call link,,$(SYSTEM_LIBS))
$(BUILD)/netlist/equalize: $(DEMO_SRC:%.c=$(BUILD)/fast/%.o) $(AROUND) $(BUILD)/fast/tb/nano_rtl.o $(NETLIST_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

# Of the device tests those that ask each part of the machine something, and do not take hours at the netlist's speed.
NETLIST_TESTS := test_programs test_channels test_tasks test_children test_deques test_spaces test_bus_errors test_traps
NETLIST_PROGRAMS := $(BUILD)/netlist/random-programs $(BUILD)/netlist/equalize $(NETLIST_TESTS:%=$(BUILD)/netlist/device/%)
define NETLIST_SUITES
$(call program_suite,netlist/demo,$(BUILD)/netlist/equalize --device tandem:nano tests/unit/photograph.pgm $(BUILD)/long/netlist.pnm)
$(call program_suite,netlist/random,$(BUILD)/netlist/random-programs --device tandem:nano --count 40 --seed {seed} --out $(BUILD)/long)
$(foreach t,$(NETLIST_TESTS),$(call suite,netlist/$(t),criterion,$(BUILD)/netlist/device/$(t) --filter '*/@(*_tandem|tandem_nano)'))
$(call program_suite,netlist/changed,$(PYTHON) tests/netlist/changed_cells.py $(BUILD) --seed {seed})
endef
