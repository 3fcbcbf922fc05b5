# The simulated RTL: one Verilator library for each configuration. nano_inject is nano with the deliberate defects built in (tests only).
VERILATOR ?= verilator
VERILATOR_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
RTL_DEVICES := $(CONFIGS)
TEST_DEVICES := $(CONFIGS) nano_inject
CONFIG_nano_inject_FLAGS := $(CONFIG_nano_FLAGS) -GINJECT=1
# netlist.mk: what Yosys has made of nano, for ECP5. Its C++ is long and dull.
CONFIG_nano_netlist_FLAGS := $(CONFIG_nano_inject_FLAGS)
RTL_OF_nano_netlist = $(BUILD)/netlist/nano/ppu.v tb/ecp5_cells.sv
RTL_OPT_nano_netlist := -O1
# RTL_DEFINES=-DCLOCKS_RUN: clocks of units that have nothing to do run on (rtl/sm/clock_gate.sv).
VERILATOR_FLAGS := -Wall --assert --savable --trace-fst --trace-max-array 0 -O3 --x-assign fast --x-initial unique --expand-limit 128 $(RTL_DEFINES) $(RTL_INCLUDES)
VERILATED_CXXFLAGS := -std=gnu++17 -O2 -fPIC -fno-strict-aliasing -DVERILATOR=1 -DVM_COVERAGE=$(if $(COVERAGE),1,0) -DVM_SC=0 -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -DVM_SAVABLE=1 \
    -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -w
# The verilated C++ is compiled by clang (the compiler that the OpenCL front end needs anyway): half of g++'s time, and it simulates faster. -O3
# simulates nano 1.23 times as fast as -Os, as fast as with a profile of the demo, and takes no longer to compile. -O1: for who changes the RTL often.
# What writes waves took a quarter of the time, so it is -O1 in any case.
# Verilator's own makefile does it, as one more make under the same job server (and not in `make -n` before it is there).
RTL_CXX ?= clang++-19
RTL_OPT ?= -O3
verilated_make = test ! -e $(1)/$(2).mk || $(MAKE) --no-print-directory -s -C $(1) -f $(2).mk CXX=$(RTL_CXX) CFG_CXXFLAGS_NO_UNUSED=-w OPT_FAST='$$(if $$(findstring __Trace__,$$@),-O1,$(3)) -fPIC -fno-strict-aliasing' OPT_SLOW="-O0 -fPIC" $(2)__ALL.a
# `make profile` (profile.mk) writes what is counted by a build with COUNTS=1.
RTL_PROFILE := $(wildcard $(BUILD)/rtl/profile.data)
RTL_BY_PROFILE := $(if $(COUNTS),-fprofile-instr-generate,$(RTL_PROFILE:%=-fprofile-instr-use=$(abspath $(RTL_PROFILE))))
VERILATED := verilated verilated_save verilated_fst_c verilated_threads $(if $(COVERAGE),verilated_cov)
# What `make coverage` counts, in which configurations. Bits begin as zeros there: what reset does to random ones would count as toggled.
COVERAGE_CONFIGS ?= nano
COVERAGE_COUNTS := $(if $(filter bits,$(COVERAGE)),--coverage-toggle --x-initial 0,--coverage-line --coverage-user -DCOVERAGE)
ifneq ($(COVERAGE),)
$(foreach d,$(COVERAGE_CONFIGS),$(eval COVERAGE_FLAGS_$(d) := $(COVERAGE_COUNTS)))
endif
RTL_CXX_FLAGS := $(call remember,rtl_cxx,$(CXX) $(VERILATED_CXXFLAGS) $(INCLUDES) $(RTL_CXX) $(RTL_OPT) $(RTL_BY_PROFILE)) $(RTL_PROFILE)

$(BUILD)/rtl/%.o: $(VERILATOR_ROOT)/include/%.cpp $(RTL_CXX_FLAGS)
	@mkdir -p $(@D)
	$(CXX) $(VERILATED_CXXFLAGS) -c $< -o $@

# rtl/<name>/Vppu_<name>.mk is verilated, again when one of the files that Verilator has read has changed (Vppu_<name>__read.d). When the flags of the C++
# change, nothing of it is kept: its makefile knows only of files.
verilator_flags = $(VERILATOR_FLAGS) $(COVERAGE_FLAGS_$(1)) $(CONFIG_$(1)_FLAGS) $(if $(filter -GSMS=1,$(CONFIG_$(1)_FLAGS)),,tb/instances.vlt) --top-module ppu_clocked $(or $(RTL_OF_$(1)),$(RTL_SRC)) tb/ppu_clocked.sv
define device
$(BUILD)/rtl/$(1)/Vppu_$(1).mk: $(call remember,verilate_$(1),$(VERILATOR) $(verilator_flags)) $(RTL_OF_$(1)) scripts/verilate scripts/shared_code.py | $(GEN)
	@mkdir -p $$(@D)
	VERILATOR=$(VERILATOR) scripts/verilate $$(@D) Vppu_$(1) $(verilator_flags)
$(BUILD)/rtl/$(1)/V%.h: $(BUILD)/rtl/$(1)/Vppu_$(1).mk ;
$(BUILD)/rtl/$(1)/Vppu_$(1)__ALL.a: $(BUILD)/rtl/$(1)/Vppu_$(1).mk $(RTL_CXX_FLAGS)
	$$(if $$(filter $(RTL_CXX_FLAGS),$$?),rm -f $$(@D)/V*.o)
	+$$(call verilated_make,$$(@D),Vppu_$(1),$(or $(RTL_OPT_$(1)),$(RTL_OPT)) $(RTL_BY_PROFILE))
	@test -s $$@ && touch $$@
$(BUILD)/rtl/$(1)/rtl_device.o: tb/rtl_device.cpp $(call remember,rtl_device_$(1),$$(CONFIG_$(1)_FLAGS)) $(RTL_CXX_FLAGS) | $(BUILD)/rtl/$(1)/Vppu_$(1).mk
	$(CXX) $$(VERILATED_CXXFLAGS) -Wall -Wextra $(INCLUDES) -I$(BUILD)/rtl/$(1) -DRTL_NAME=$(1) -DRTL_CONFIG=$(word 1,$(subst _, ,$(1))) $$(patsubst -G%,-DRTL_%,$$(CONFIG_$(1)_FLAGS)) -MMD -MP -MT $$@ -c $$< -o $$@
endef
$(foreach d,$(TEST_DEVICES) nano_netlist,$(eval $(call device,$(d))))

rtl_objects = $(foreach d,$(1),$(BUILD)/rtl/$(d)/rtl_device.o $(BUILD)/rtl/$(d)/Vppu_$(d)__ALL.a) $(VERILATED:%=$(BUILD)/rtl/%.o)
RTL_LIBS := $(call rtl_objects,$(RTL_DEVICES))

# Which configurations a program can open is said by the registry that is linked into it.
REGISTRY_fast := '-DRTL_DEVICES=$(foreach d,$(RTL_DEVICES),X($(d)))'
REGISTRY_check := '-DRTL_DEVICES=$(foreach d,$(TEST_DEVICES),X($(d)))'
$(BUILD)/fast/tb/rtl_registry.o: EXTRA_rtl_registry := $(REGISTRY_fast)
$(BUILD)/check/tb/rtl_registry.o: EXTRA_rtl_registry := $(REGISTRY_check)
$(BUILD)/fast/tb/rtl_registry.o: $(call remember,registry_fast,$(REGISTRY_fast))
$(BUILD)/check/tb/rtl_registry.o: $(call remember,registry_check,$(REGISTRY_check))

# The SystemC platform (tb/systemc) is part of programs with RTL where libsystemc is installed; without it they say so when it is asked for.
SYSTEMC_LIBS := $(if $(BUILDING),$(shell pkg-config --libs systemc 2>/dev/null))
SYSTEMC_OBJECTS := $(if $(SYSTEMC_LIBS),$(patsubst %.cpp,$(BUILD)/%.o,$(wildcard tb/systemc/*.cpp)))
SYSTEMC_CXXFLAGS := -std=gnu++17 -O2 -g1 -fPIC -Wall -Wextra $(patsubst -I%,-isystem %,$(if $(BUILDING),$(shell pkg-config --cflags systemc 2>/dev/null)))
$(BUILD)/tb/systemc/%.o: tb/systemc/%.cpp $(call remember,systemc,$(CXX) $(SYSTEMC_CXXFLAGS) $(INCLUDES)) | $(GEN)
	@mkdir -p $(@D)
	$(CXX) $(SYSTEMC_CXXFLAGS) $(INCLUDES) -MMD -MP -MT $@ -c $< -o $@
