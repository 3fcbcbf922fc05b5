# The simulated RTL: one Verilator library for each configuration. nano_inject is nano with the deliberate defects built in (tests only).
VERILATOR ?= verilator
VERILATOR_ROOT := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
RTL_DEVICES := $(CONFIGS)
TEST_DEVICES := $(CONFIGS) nano_inject
CONFIG_nano_inject_FLAGS := $(CONFIG_nano_FLAGS) -GINJECT=1
VERILATOR_FLAGS := -Wall --cc --assert --trace-fst --trace-max-array 0 -O3 --x-assign fast --x-initial unique $(RTL_INCLUDES)
VERILATED_CXXFLAGS := -std=gnu++17 -O2 -fno-strict-aliasing -DVERILATOR=1 -DVM_COVERAGE=$(if $(COVERAGE),1,0) -DVM_SC=0 -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 \
    -isystem $(VERILATOR_ROOT)/include -isystem $(VERILATOR_ROOT)/include/vltstd -w
# The verilated C++ is compiled by clang (the compiler that the OpenCL front end needs anyway): half of g++'s time, and it simulates faster. -Os: the
# code of a cycle is larger than the caches, so small code runs as fast as any. -O1 compiles faster still: for who changes the RTL often.
RTL_CXX ?= clang++-19
RTL_OPT ?= -Os
verilated_make = $(MAKE) --no-print-directory -s -C $(1) -f $(2).mk CXX=$(RTL_CXX) CFG_CXXFLAGS_NO_UNUSED=-w OPT_FAST="$(3) -fno-strict-aliasing" OPT_SLOW="-O0" $(2)__ALL.a
VERILATED := verilated verilated_fst_c verilated_threads $(if $(COVERAGE),verilated_cov)

$(BUILD)/rtl/%.o: $(VERILATOR_ROOT)/include/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(VERILATED_CXXFLAGS) -c $< -o $@

# rtl/<name>/Vppu_<name>.mk is verilated; its library is compiled by Verilator's own makefile.
define device
$(BUILD)/rtl/$(1)/Vppu_$(1).mk: $(RTL_SRC) $(RTL_HEADERS) $(GEN) tb/sms.vlt
	@mkdir -p $$(@D)
	$(VERILATOR) $$(VERILATOR_FLAGS) $$(COVERAGE_FLAGS_$(1)) $$(CONFIG_$(1)_FLAGS) $$(if $$(filter -GSMS=1,$$(CONFIG_$(1)_FLAGS)),,tb/sms.vlt) --prefix Vppu_$(1) --top-module ppu --Mdir $$(@D) $(filter-out rtl/ppu.sv,$(RTL_SRC)) rtl/ppu.sv
$(BUILD)/rtl/$(1)/Vppu_$(1)__ALL.a: $(BUILD)/rtl/$(1)/Vppu_$(1).mk
	+$$(call verilated_make,$$(@D),Vppu_$(1),$(RTL_OPT))
$(BUILD)/rtl/$(1)/rtl_device.o: tb/rtl_device.cpp tb/rtl_device.h tb/axi_memory.h $(BUILD)/rtl/$(1)/Vppu_$(1).mk
	$(CXX) $$(VERILATED_CXXFLAGS) -Wall -Wextra $(INCLUDES) -I$(BUILD)/rtl/$(1) -DRTL_NAME=$(1) -DRTL_CONFIG=$(1:%_inject=%) $$(patsubst -G%,-DRTL_%,$$(CONFIG_$(1)_FLAGS)) -c $$< -o $$@
endef
$(foreach d,$(TEST_DEVICES),$(eval $(call device,$(d))))

rtl_objects = $(foreach d,$(1),$(BUILD)/rtl/$(d)/rtl_device.o $(BUILD)/rtl/$(d)/Vppu_$(d)__ALL.a) $(VERILATED:%=$(BUILD)/rtl/%.o)
RTL_LIBS := $(call rtl_objects,$(RTL_DEVICES))
$(BUILD)/fast/tb/rtl_registry.o: EXTRA_rtl_registry := '-DRTL_DEVICES=$(foreach d,$(RTL_DEVICES),X($(d)))'
