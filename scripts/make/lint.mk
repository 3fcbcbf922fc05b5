# Static checks. Each part can be made alone. A check is done again when one of the files that it reads has changed.
.PHONY: lint lint-rtl lint-casts lint-icarus lint-yosys lint-c lint-format lint-rooms lint-dependencies
lint: lint-format lint-rooms lint-dependencies lint-breaks lint-lines lint-rtl lint-casts lint-icarus lint-c lint-yosys ## verilator -Wall, Icarus, Yosys without latches, casts that Yosys reads otherwise, clang-tidy, cppcheck, format, rooms

# All but the device library's tandem.h, which is OpenCL C.
C_FILES := $(filter-out cmodel/compiler/%/tandem.h,$(wildcard cmodel/*.[ch] cmodel/*/*.[ch] cmodel/*/*/*.[ch] tb/*.[ch] tb/*/*.[ch] tests/*/*.[ch] fpga/*/*.[ch] tb/*.cpp tb/*/*.cpp tests/*/*.cpp tests/*/*/*.cpp))
CLANG_FORMAT ?= clang-format-14
CLANG_TIDY ?= clang-tidy-14

lint-format:
	$(CLANG_FORMAT) --dry-run --Werror $(C_FILES)

format: ## format the C files
	$(CLANG_FORMAT) -i $(C_FILES)
.PHONY: format

# Who may use whom, and which files have no twin.
lint-rooms: $(BUILD)/venv-mutate/ready $(BUILD)/libmodel_fast.a $(BUILD)/libtb_fast.a $(BUILD)/libdriver_fast.a $(BUILD)/libcompiler_fast.a $(BUILD)/libdebugger_fast.a $(CLI_SRC:%.c=$(BUILD)/fast/%.o) $(OPENCL_SRC:%.c=$(BUILD)/fast/%.o)
	BUILD=$(BUILD) $(PYTHON) tests/lint/test_lint.py
	scripts/twins
	scripts/include-graph --objects $(BUILD)/fast --picture cmodel/rooms.dot

# No line of the RTL is longer than a screen is wide.
.PHONY: lint-lines
lint-lines:
	@! grep -nE '^.{161}' $(RTL_SRC) $(RTL_HEADERS) || { echo "lint-lines: at most 160 characters a line"; exit 1; }

# $(call rtl_read,UNIT) goes into a recipe: what the unit is made of, for make.
rtl_read = scripts/rtl-files $(1) $(BUILD) $@ > $@.d

lint-rtl: $(ALL_CONFIGS:%=$(BUILD)/lint/verilator-%)
$(ALL_CONFIGS:%=$(BUILD)/lint/verilator-%): $(BUILD)/lint/verilator-%: $(RTL_SRC) | $(GEN)
	@mkdir -p $(@D)
	$(VERILATOR) --lint-only -Wall $(RTL_INCLUDES) $(CONFIG_$*_FLAGS) --top-module ppu $(filter-out rtl/ppu.sv,$(RTL_SRC)) rtl/ppu.sv
	@$(call rtl_read,ppu)
	@touch $@
$(foreach c,$(ALL_CONFIGS),$(eval $(BUILD)/lint/verilator-$(c): $(call remember,lint_$(c),$(CONFIG_$(c)_FLAGS) $(RTL_SRC))))

# Yosys takes other widths than the standard where casts stand in expressions: such places are named.
lint-casts: $(ALL_CONFIGS:%=$(BUILD)/lint/casts-%)
$(ALL_CONFIGS:%=$(BUILD)/lint/casts-%): $(BUILD)/lint/casts-%: $(RTL_SRC) scripts/check-casts $(BUILD)/venv-mutate/ready | $(GEN)
	@mkdir -p $(@D)
	$(BUILD)/venv-mutate/bin/python3 scripts/check-casts $(BUILD) $*
	@$(call rtl_read,ppu)
	@touch $@
$(foreach c,$(ALL_CONFIGS),$(eval $(BUILD)/lint/casts-$(c): $(call remember,lint_$(c),$(CONFIG_$(c)_FLAGS) $(RTL_SRC))))

# Icarus reads the same sources a second time, in every configuration. What it says of its own way is left out, by name (scripts/icarus); else it fails.
IVERILOG ?= iverilog
lint-icarus: $(ALL_CONFIGS:%=$(BUILD)/lint/icarus-%)
$(ALL_CONFIGS:%=$(BUILD)/lint/icarus-%): $(BUILD)/lint/icarus-%: $(RTL_SRC) scripts/icarus | $(GEN)
	@mkdir -p $(@D)
	IVERILOG=$(IVERILOG) scripts/icarus $(RTL_INCLUDES) $(patsubst -G%,-Pppu.%,$(CONFIG_$*_FLAGS)) -s ppu $(RTL_SRC)
	@$(call rtl_read,ppu)
	@touch $@
$(foreach c,$(ALL_CONFIGS),$(eval $(BUILD)/lint/icarus-$(c): $(call remember,lint_$(c),$(CONFIG_$(c)_FLAGS) $(RTL_SRC))))

# The table of packages in scripts/README.md against what scripts/setup installs.
lint-dependencies:
	@scripts/check-dependencies

# Each text of the table of breaks stands where the table says, once.
.PHONY: lint-breaks
lint-breaks:
	@scripts/break-rows $(BUILD) --check
	@scripts/mutate $(BUILD) --check

LINT_C := $(MODEL_SRC) $(DRIVER_SRC) $(COMPILER_SRC) $(OPENCL_SRC) $(DEBUGGER_SRC) $(CLI_SRC) $(TB_SRC) $(DEMO_SRC) $(ANNEAL_SRC) $(wildcard tests/examples/*.c)
lint-c: $(LINT_C:%.c=$(BUILD)/lint/%.tidy) $(BUILD)/lint/cppcheck
$(BUILD)/lint/%.tidy: %.c .clang-tidy $(call remember,tidy,$(CLANG_TIDY) $(CSTD) $(INCLUDES) $(LLVM_CFLAGS)) | $(GEN) $(LIBRARY_HEADERS)
	@mkdir -p $(@D)
	$(CLANG_TIDY) --quiet --warnings-as-errors='*' $< -- $(CSTD) $(INCLUDES) $(LLVM_CFLAGS) 2>/dev/null
	@$(CC) $(CSTD) $(INCLUDES) $(LLVM_CFLAGS) -MM -MP -MT $@ -MF $@.d $<
	@touch $@
# cppcheck keeps what it knows of each file, and looks at those again that have changed.
$(BUILD)/lint/cppcheck: $(filter cmodel/% fpga/% tb/%.c tb/%.h tests/demo/% tests/examples/%,$(C_FILES)) $(wildcard $(BUILD)/gen/*.h) | $(GEN) $(LIBRARY_HEADERS)
	@mkdir -p $(BUILD)/lint/cppcheck-known
	cppcheck -D__cppcheck__ --force --std=c11 --quiet --error-exitcode=1 --inline-suppr --enable=warning,performance,portability --suppress=missingIncludeSystem --cppcheck-build-dir=$(BUILD)/lint/cppcheck-known -j 2 $(INCLUDES) $(LINT_C)
	@touch $@

# Every unit elaborates and synthesizes in Yosys, without a latch.
UNITS := $(basename $(notdir $(filter-out rtl/ppu.sv,$(RTL_SRC))))
lint-yosys: $(UNITS:%=$(BUILD)/lint/yosys-%) lint-constants
# Yosys 0.23 takes a constant that is declared as '1 for 1; Verilator and Icarus for all ones.
.PHONY: lint-constants
lint-constants:
	@! grep -nE "(localparam|parameter)[^=]*= *'1" $(RTL_SRC) || { echo "lint-constants: write {WIDTH{1'b1}}, Yosys reads '1 as 1 there"; exit 1; }
$(UNITS:%=$(BUILD)/lint/yosys-%): $(BUILD)/lint/yosys-%: scripts/yosys-unit scripts/unit-parameters scripts/rtl-files $(call remember,yosys,$(CONFIG_nano_FLAGS)) | $(GEN)
	@mkdir -p $(@D)
	scripts/yosys-unit $* nano $(BUILD) > $@.log 2>&1 || { tail -n 5 $@.log; echo "lint-yosys: $* fails, see $@.log"; exit 1; }
	@$(call rtl_read,$*)
	@touch $@

# Files that comments and pages name.
.PHONY: lint-references
lint: lint-references
lint-references:
	scripts/check-references
