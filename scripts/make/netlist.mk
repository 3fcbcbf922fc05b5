# The netlist rides too: nano as Yosys maps it for ECP5, in place of the RTL (fpga/README.md). Programs linked with it are below build/netlist; there
# tandem:nano and rtl:nano are the netlist, and inject=N is its defect N. It takes a quarter of an hour to map, so nothing of `make test` needs it.
NETLIST_DEFECTS ?= 48
NETLIST_DEFECTS_SEED ?= 1
NETLIST_OBJECTS := $(call rtl_objects,nano_netlist) $(SYSTEMC_OBJECTS)
NETLIST_TESTS := test_programs test_channels test_children test_semaphores test_traps test_local test_work_queue test_registers

$(BUILD)/ecp5/nano/traced.json: scripts/synth-ecp5 scripts/ecp5_mapping.py scripts/ecp5_equal.v scripts/ecp5_less.v $(call remember,netlist,$(CONFIG_nano_FLAGS)) | $(GEN)
	@echo "netlist: mapping nano for ECP5, about a quarter of an hour"
	@YOSYS="$(YOSYS)" scripts/synth-ecp5 traced nano $(BUILD)
	@$(call rtl_read,ppu)

$(BUILD)/netlist/nano/ppu.v: $(BUILD)/ecp5/nano/traced.json scripts/netlist-verilog scripts/lut_expression.py $(call remember,netlist_defects,$(NETLIST_DEFECTS) $(NETLIST_DEFECTS_SEED))
	@mkdir -p $(@D)
	scripts/netlist-verilog $< $@ --defects $(NETLIST_DEFECTS) --seed $(NETLIST_DEFECTS_SEED)

$(foreach f,check fast,$(eval $(call registry,$(f),netlist_rtl,X(nano_netlist),-DRTL_STANDS_IN=1)))
$(eval $(call test_program,netlist/device,device,$(BUILD)/check/tb/netlist_rtl.o $(NETLIST_OBJECTS),$(BUILD)/libdevice_helpers.a $(CHECK_LIBS)))
$(BUILD)/netlist/random-programs: $(RANDOM_PROGRAMS_OBJECTS) $(COMMON) $(BUILD)/fast/tb/netlist_rtl.o $(NETLIST_OBJECTS) $(LINK_FLAGS) | $(DEVICE_LIBS)
	$(call link,,$(SYSTEM_LIBS))
$(BUILD)/netlist/equalize: $(DEMO_SRC:%.c=$(BUILD)/fast/%.o) $(AROUND) $(BUILD)/fast/tb/netlist_rtl.o $(NETLIST_OBJECTS) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))
$(BUILD)/netlist/tandem: $(CLI_OBJECTS) $(BUILD)/fast/tb/netlist_rtl.o $(NETLIST_OBJECTS) $(LINK_FLAGS) | $(BUILD)/libdebugger_fast.a $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(DEBUGGER_LIBS) $(SYSTEM_LIBS))

NETLIST_PROGRAMS := $(BUILD)/netlist/random-programs $(BUILD)/netlist/equalize $(BUILD)/netlist/tandem $(NETLIST_TESTS:%=$(BUILD)/netlist/device/%)
.PHONY: netlist
netlist: $(NETLIST_PROGRAMS) ## programs with the netlist of nano for ECP5 in place of its RTL, in build/netlist; make long LONG=netlist runs them
