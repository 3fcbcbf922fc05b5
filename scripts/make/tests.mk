# Tests. Criterion programs: tests/unit (no RTL), tests/device (the device API on every kind of device), tests/tandem (the check itself).
# tests/opencl (the OpenCL runtime, linked directly: the loader is between in tests/opencl/clients.py).
# Benches: tests/rtl/<unit>_bench.cpp, a verilated unit against its C twin, in the parameters of each configuration.
UNIT_TESTS := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
DEVICE_TESTS := $(patsubst tests/device/%.c,%,$(wildcard tests/device/test_*.c))
OPENCL_TESTS := $(patsubst tests/opencl/%.c,%,$(wildcard tests/opencl/test_*.c))
TANDEM_TESTS := $(patsubst tests/tandem/%.c,%,$(wildcard tests/tandem/test_*.c))
CLI_SEEDED := test_refine_placement
CLI_TESTS := $(patsubst tests/cli/%.py,%,$(wildcard tests/cli/test_*.py))
HOOK := $(BUILD)/check/tests/unit/results.o
SANITIZE := $(if $(COVERAGE),--coverage,-fsanitize=address,undefined)
helpers = $(patsubst %.c,$(BUILD)/check/%.o,$(filter-out tests/$(1)/test_%,$(wildcard tests/$(1)/*.c)))
CHECK_LIBS := $(patsubst %,$(BUILD)/lib%_check.a,debugger compiler driver tb model)
CHECK_RTL := $(BUILD)/check/tb/rtl_registry.o $(call rtl_objects,$(TEST_DEVICES)) $(SYSTEMC_OBJECTS)
# Of `make quick`: who changes the RTL waits for one configuration.
QUICK_RTL := $(BUILD)/check/tb/nano_rtl.o $(call rtl_objects,nano) $(SYSTEMC_OBJECTS)

# Registries of programs that open models only, or the RTL of nano as well. $(1): flavour, $(2): name, $(3): what it lists, $(4): more flags
define registry
$(BUILD)/$(1)/tb/$(2).o: tb/rtl_registry.c $(CC_FLAGS_$(1)) | $(GEN)
	@mkdir -p $$(@D)
	$(CC) $$(FLAGS_$(1)) '-DRTL_DEVICES=$(3)' $(4) -MMD -MP -MT $$@ -c $$< -o $$@
endef
$(eval $(call registry,check,no_rtl,))
$(eval $(call registry,fast,no_rtl,))
$(eval $(call registry,check,nano_rtl,X(nano)))

# Several threads on one device, the model alone: verilated RTL takes too long with ThreadSanitizer.
$(eval $(call registry,threaded,no_rtl,))
$(BUILD)/threads: $(BUILD)/threaded/tests/threads/threads.o $(BUILD)/threaded/tests/common/options.o $(BUILD)/threaded/tb/no_rtl.o $(LINK_FLAGS) | $(patsubst %,$(BUILD)/lib%_threaded.a,driver tb model)
	$(call link,-fsanitize=thread,$(SYSTEM_LIBS))

# The same of the OpenCL runtime, with a program that is compiled already.
$(BUILD)/opencl-threads: $(BUILD)/threaded/tests/opencl/threads/threads.o $(BUILD)/threaded/tb/no_rtl.o $(BUILD)/kernels/threads.elf $(LINK_FLAGS) | $(patsubst %,$(BUILD)/lib%_threaded.a,opencl driver tb model)
	$(call link,-fsanitize=thread,$(SYSTEM_LIBS))

# $(1): folder of the programs, $(2): of their sources, $(3): objects with which all of them are linked, $(4): archives of which they take what
# they use.
define test_program
$(BUILD)/$(1)/%: $(BUILD)/check/tests/$(2)/%.o $(3) $(HOOK) $(LINK_FLAGS) | $(4)
	$$(call link,$$(SANITIZE),-lcriterion $$(LLVM_LIBS) $$(SYSTEM_LIBS))
endef
$(eval $(call archive,device_helpers,$(filter-out $(HOOK),$(call helpers,device) $(call helpers,programs)) $(BUILD)/check/tests/nested/nested.o $(BUILD)/check/tests/common/atomics.o))
$(eval $(call archive,tandem_helpers,$(call helpers,tandem) $(filter-out %/random_programs.o,$(call helpers,random)) $(BUILD)/check/tests/device/random_program.o $(BUILD)/check/tests/device/trap_handler.o))
$(eval $(call test_program,tests/device,device,$(CHECK_RTL),$(BUILD)/libdevice_helpers.a $(CHECK_LIBS)))
$(eval $(call test_program,quick/device,device,$(QUICK_RTL),$(BUILD)/libdevice_helpers.a $(CHECK_LIBS)))
$(eval $(call test_program,tests/tandem,tandem,$(CHECK_RTL),$(BUILD)/libtandem_helpers.a $(CHECK_LIBS)))
$(eval $(call archive,opencl_helpers,$(call helpers,opencl)))
$(eval $(call test_program,tests/opencl,opencl,$(CHECK_RTL),$(BUILD)/libopencl_helpers.a $(BUILD)/libopencl_check.a $(CHECK_LIBS)))
$(eval $(call test_program,quick/opencl,opencl,$(QUICK_RTL),$(BUILD)/libopencl_helpers.a $(BUILD)/libopencl_check.a $(CHECK_LIBS)))
# It brings a registry of its own, with an RTL that repeats what the model does.
$(BUILD)/tests/tandem/test_tandem_checker: $(BUILD)/check/tests/tandem/test_tandem_checker.o $(HOOK) $(LINK_FLAGS) | $(BUILD)/libtandem_helpers.a $(CHECK_LIBS)
	$(call link,$(SANITIZE),-lcriterion $(LLVM_LIBS) $(SYSTEM_LIBS))

# A unit test is built from what it uses, by what stands in its file: those that open devices with RTL have `"rtl:..` or `"tandem:..` in it, those
# that need compiler, driver or tb include them or a helper that does, all others are built from the model alone. Too little does not link.
UNIT_TEST_FILES := $(UNIT_TESTS:%=tests/unit/%.c)
UNIT_TESTS_RTL := $(shell grep -lE '"(rtl|tandem):' $(UNIT_TEST_FILES))
UNIT_HELPERS_DRIVER := $(sort $(basename $(notdir $(wildcard tb/*.c) $(shell grep -lE '^.include "(compiler|driver|backend)/' $(filter-out tests/unit/test_%,$(wildcard tests/unit/*.[ch] tests/common/*.[ch]))))))
UNIT_TESTS_DRIVER := $(filter-out $(UNIT_TESTS_RTL),$(shell grep -lE '^.include "((compiler|debugger|driver|backend|systemc)/|(common/)?($(subst $(eval) ,|,$(UNIT_HELPERS_DRIVER)))\.h)' $(UNIT_TEST_FILES)))
UNIT_TESTS_MODEL := $(filter-out $(UNIT_TESTS_RTL) $(UNIT_TESTS_DRIVER),$(UNIT_TEST_FILES))
unit_programs = $(patsubst tests/%.c,$(BUILD)/tests/%,$(1)): $(BUILD)/tests/%: $(BUILD)/check/tests/%.o $(HOOK) $(LINK_FLAGS)
$(eval $(call archive,unit_helpers,$(filter-out $(HOOK),$(call helpers,unit))))
$(call unit_programs,$(UNIT_TESTS_RTL)) $(CHECK_RTL) | $(BUILD)/libunit_helpers.a $(CHECK_LIBS)
	$(call link,$(SANITIZE),-lcriterion $(LLVM_LIBS) $(SYSTEM_LIBS))
$(eval $(call test_program,quick/unit,unit,$(QUICK_RTL),$(BUILD)/libunit_helpers.a $(CHECK_LIBS)))
$(call unit_programs,$(filter-out %/test_compiler_sizes.c,$(UNIT_TESTS_DRIVER))) $(BUILD)/check/tb/no_rtl.o | $(BUILD)/libunit_helpers.a $(CHECK_LIBS)
	$(call link,$(SANITIZE),-lcriterion $(LLVM_LIBS) $(SYSTEM_LIBS))
$(call unit_programs,$(UNIT_TESTS_MODEL)) | $(BUILD)/libunit_helpers.a $(BUILD)/libmodel_check.a
	$(call link,$(SANITIZE),-lcriterion $(SYSTEM_LIBS))
$(BUILD)/tests/unit/test_anneal: $(ANNEAL_SRC:%.c=$(BUILD)/check/%.o)
# Large programs through the compiler take ten times as long with the sanitizers.
$(BUILD)/tests/unit/test_compiler_sizes: $(patsubst %,$(BUILD)/fast/tests/unit/%.o,test_compiler_sizes kernel_runner results) $(BUILD)/fast/tb/no_rtl.o $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,-lcriterion $(LLVM_LIBS) $(SYSTEM_LIBS))
TEST_PROGRAMS := $(patsubst %,$(BUILD)/tests/%,$(UNIT_TESTS:%=unit/%) $(DEVICE_TESTS:%=device/%) $(TANDEM_TESTS:%=tandem/%) $(OPENCL_TESTS:%=opencl/%))
.SECONDARY:
# Kernels of tests that run on every device, compiled once, by a tool without RTL: no change of the RTL touches them.
$(BUILD)/quick/tandem: $(CLI_OBJECTS) $(BUILD)/fast/tb/no_rtl.o $(LINK_FLAGS) | $(BUILD)/libdebugger_fast.a $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(DEBUGGER_LIBS) $(SYSTEM_LIBS))
$(BUILD)/kernels/%.elf: tests/kernels/%.cl $(wildcard cmodel/compiler/library/*.h) $(BUILD)/quick/tandem
	@mkdir -p $(@D)
	$(BUILD)/quick/tandem cc $< -o $@ -cl-std=CL2.0 $(KERNEL_OPTIONS)
$(BUILD)/kernels/recursion.elf: KERNEL_OPTIONS := --saves
$(BUILD)/check/tests/device/work_bench.o: EXTRA_work_bench := '-DKERNELS_BUILT="$(BUILD)/kernels"'
$(BUILD)/check/tests/device/test_nested.o: EXTRA_test_nested := '-DKERNELS_BUILT="$(BUILD)/kernels"'
$(foreach d,tests quick,$(eval $(BUILD)/$(d)/device/test_work_queue: | $(BUILD)/kernels/work_queue.elf))
$(foreach d,tests quick,$(eval $(BUILD)/$(d)/device/test_teams: | $(BUILD)/kernels/teams.elf))
$(foreach d,tests quick,$(eval $(BUILD)/$(d)/device/test_linked: | $(BUILD)/kernels/linked.elf))
$(foreach d,tests quick,$(eval $(BUILD)/$(d)/device/test_tasks_in_c: | $(BUILD)/kernels/tasks.elf))
$(foreach d,tests quick,$(eval $(BUILD)/$(d)/device/test_recursion: | $(BUILD)/kernels/recursion.elf))
$(foreach d,tests quick,$(eval $(BUILD)/$(d)/device/test_nested: | $(BUILD)/kernels/nested.elf))
$(foreach d,tests quick,$(eval $(BUILD)/$(d)/device/test_priorities: | $(BUILD)/kernels/priorities.elf))

# Random programs, as many as wanted: make random COUNT=100000 DEVICE=tandem:full SEED=7
COUNT ?= 10000
JOBS ?= $(shell nproc)
RANDOM_PROGRAMS_OBJECTS := $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/random/*.c) tests/device/random_program.c tests/device/trap_handler.c)
$(BUILD)/random-programs: $(RANDOM_PROGRAMS_OBJECTS) $(COMMON) $(DEVICE_RTL) $(LINK_FLAGS) | $(DEVICE_LIBS)
	$(call link,,$(SYSTEM_LIBS))

.PHONY: random
random: $(BUILD)/random-programs ## COUNT random programs on DEVICE; a failing one is made small
	$(BUILD)/random-programs --device $(DEVICE) --count $(COUNT) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) --out $(BUILD)

# Kernels compared with another OpenCL implementation: make opinion COUNT=10000 DEVICE=model:small SEED=7
$(BUILD)/second-opinion: $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard tests/opinion/*.c)) $(COMMON) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS) -lOpenCL)

.PHONY: opinion
opinion: $(BUILD)/second-opinion ## COUNT random OpenCL C kernels on DEVICE and another OpenCL implementation, compared
	$(BUILD)/second-opinion random --device $(if $(filter file,$(origin DEVICE)),model:small,$(DEVICE)) --count $(COUNT) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) --out $(BUILD)
# Of tests/kernels, those whose arguments or dialect (OpenCL C 2.0) are others are left out. PoCL keeps what it builds of files.
OPINION_FILES := $(wildcard tests/opinion/kernels/*.cl) $(patsubst %,tests/kernels/%.cl,arithmetic floats flow leaving local memory private spills vectors wide)
OPINION_COUNT ?= 30
WAYS_COUNT ?= 10
TURNS_COUNT ?= 8
# gaps: no place of that kernel has more values than there are registers, and yet they do not fit before some go to memory.
define OPINION_SUITES
$(call program_suite,opinion/random,$(BUILD)/second-opinion random --count $(OPINION_COUNT) --seed {seed} --out $(BUILD)/logs)
$(call program_suite,opinion/turns,$(BUILD)/second-opinion random --device model:nano --count $(TURNS_COUNT) --seed {seed} --out $(BUILD)/logs)
$(call program_suite,opinion/ways,$(BUILD)/second-opinion ways --count $(WAYS_COUNT) --batch 5 --seed {seed} --out $(BUILD)/logs)
$(call program_suite,opinion/gaps,$(BUILD)/second-opinion ways --count 1 --batch 1 --ways 1 --seed 1319609503 --way 84455008065 --out $(BUILD)/logs)
endef

# ---- benches of RTL units ----
# build/tests/rtl/<unit>-<configuration>; <unit>-<configuration>-netlist: the same bench on what Yosys made of the unit
# for ECP5, with --defect N one bit of one of its LUTs wrong. Which ones: small, with LUT RAM, carries and block RAM among them, of which some has
# ports of different widths, and much is told that nobody cares what is read where a port writes. tests/netlist/ride.py runs them, with defects too.
RTL_BENCHES := $(patsubst tests/rtl/%_bench.cpp,%,$(wildcard tests/rtl/*_bench.cpp))
NETLIST_BENCHES := token_deque-nano semaphore_unit-nano tmd_check-nano load_intake-nano shared_memory-nano divergence_unit-nano fetch-nano
NETLIST_BENCH_DEFECTS ?= 24
# Operations of a bench; without it as many as its authors chose, and fewer on netlists, which are slow. `make long LONG=benches` does a million.
BENCH_OPS ?=
NETLIST_OPS ?= 100000

# $(1) unit, $(2) configuration, $(3) "" or "-netlist"
# A unit may have several benches: <unit>__<what>_bench.cpp.
unit_of = $(word 1,$(subst __, ,$(1)))
define bench
$(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1)).mk: $(if $(3),$(BUILD)/synth/$(1)-$(2).v,$(call remember,verilate_unit_$(2),$(VERILATOR) $(if $(COVERAGE),$(COVERAGE_COUNTS)) $(CONFIG_$(2)_FLAGS))) scripts/verilate-unit $(wildcard scripts/verilate-$(call unit_of,$(1)).vlt) scripts/unit-parameters scripts/verilate scripts/shared_code.py | $(GEN)
	@mkdir -p $$(@D)
	$$(if $$(COVERAGE),VERILATE_FLAGS="$$(COVERAGE_COUNTS)") VERILATOR=$(VERILATOR) scripts/verilate-unit $(call unit_of,$(1)) $(2) $(BUILD) $$(@D) $(if $(3),$(BUILD)/synth/$(1)-$(2).v)
$(BUILD)/rtl-unit/$(1)-$(2)$(3)/V%.h: $(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1)).mk ;
$(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1))__ALL.a: $(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1)).mk $(RTL_CXX_FLAGS)
	$$(if $$(filter $(RTL_CXX_FLAGS),$$?),rm -f $$(@D)/V*.o)
	+$$(call verilated_make,$$(@D),V$(call unit_of,$(1)),$(if $(3),-O1,$(RTL_OPT)))
	@test -s $$@ && touch $$@
$(BUILD)/rtl-unit/$(1)-$(2)$(3)/bench.o: tests/rtl/$(1)_bench.cpp $(call remember,bench_$(2),$(CONFIG_$(2)_FLAGS)) $(RTL_CXX_FLAGS) | $(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1)).mk
	$(CXX) $(VERILATED_CXXFLAGS) -Wall -Wextra $(INCLUDES) -Itests/rtl -I$$(@D) $$(patsubst -G%,-D%,$$(CONFIG_$(2)_FLAGS)) -DBENCH_CONFIG='"$(2)"'$(if $(3), -DBENCH_NETLIST) -MMD -MP -MT $$@ -c $$< -o $$@
$(BUILD)/tests/rtl/$(1)-$(2)$(3): $(BUILD)/rtl-unit/$(1)-$(2)$(3)/bench.o $(BUILD)/rtl-unit/$(1)-$(2)$(3)/V$(call unit_of,$(1))__ALL.a $(BUILD)/rtl/verilated.o $(BUILD)/rtl/verilated_threads.o $(if $(COVERAGE),$(BUILD)/rtl/verilated_cov.o) $(LINK_FLAGS) | $(BUILD)/libmodel_fast.a $(BUILD)/libtb_fast.a
	$$(call link,,-lelf -lm -lpthread)
endef
$(foreach u,$(RTL_BENCHES),$(foreach c,$(CONFIGS),$(eval $(call bench,$(u),$(c),))))
$(foreach b,$(NETLIST_BENCHES),$(eval $(call bench,$(word 1,$(subst -, ,$(b))),$(word 2,$(subst -, ,$(b))),-netlist)))
$(NETLIST_BENCHES:%=$(BUILD)/synth/%.v): $(BUILD)/synth/%.v: scripts/yosys-unit scripts/unit-parameters scripts/rtl-files scripts/ecp5_mapping.py scripts/ecp5_equal.v scripts/ecp5_less.v scripts/netlist-verilog scripts/lut_expression.py | $(GEN)
	@mkdir -p $(@D)
	scripts/yosys-unit $(word 1,$(subst -, ,$*)) $(word 2,$(subst -, ,$*)) $(BUILD) $@ --defects $(NETLIST_BENCH_DEFECTS) --switch bench_defect > $@.log 2>&1 || { tail -n 5 $@.log; exit 1; }
	@$(call rtl_read,$(word 1,$(subst -, ,$*)))
$(foreach b,$(NETLIST_BENCHES),$(eval $(BUILD)/synth/$(b).v: $(call remember,yosys_$(b),$(CONFIG_$(word 2,$(subst -, ,$(b)))_FLAGS) $(NETLIST_BENCH_DEFECTS))))

BENCH_PROGRAMS = $(foreach u,$(RTL_BENCHES),$(CONFIGS:%=$(BUILD)/tests/rtl/$(u)-%)) $(NETLIST_BENCHES:%=$(BUILD)/tests/rtl/%-netlist)

# Requirements broken on purpose, one after the other: make break ROWS="WQ TD-4"
.PHONY: break
break: all ## requirements broken on purpose (ROWS="WQ TD-4", default all): the tests that show them must fail
	scripts/break-rows $(BUILD) $(ROWS) --jobs $(JOBS)

trace: ## which requirements the last runs of `make test` and `make long` have shown, on which side
	@$(PYTHON) scripts/trace.py tests/requirements/requirements.tbl $(BUILD)/results.txt $(wildcard $(BUILD)/long/results.txt)
