# Static checks. Each part can be made alone.
.PHONY: lint lint-rtl lint-yosys lint-c lint-format lint-rooms
lint: lint-format lint-rooms lint-rtl lint-c lint-yosys ## verilator -Wall, Yosys without latches, clang-tidy, cppcheck, format, rooms

# All but the device library's tandem.h, which is OpenCL C.
C_FILES := $(filter-out %/tandem.h,$(wildcard cmodel/compiler/*/*.[ch])) \
    $(wildcard cmodel/*.[ch] cmodel/*/*.[ch] tb/*.[ch] tests/*/*.[ch] tb/*.cpp tests/*/*.cpp)
CLANG_FORMAT ?= clang-format-14
CLANG_TIDY ?= clang-tidy-14

lint-format:
	$(CLANG_FORMAT) --dry-run --Werror $(C_FILES)

format: ## format the C files
	$(CLANG_FORMAT) -i $(C_FILES)
.PHONY: format

# Who may use whom, and which files have no twin.
lint-rooms: $(BUILD)/libmodel_fast.a $(BUILD)/libdriver_fast.a $(BUILD)/libcompiler_fast.a $(CLI_SRC:%.c=$(BUILD)/fast/%.o)
	$(PYTHON) tests/lint/test_lint.py
	scripts/twins
	scripts/include-graph --objects $(BUILD)/fast --dot $(BUILD)/rooms.dot

lint-rtl: $(CONFIGS:%=$(BUILD)/lint/verilator-%)
$(BUILD)/lint/verilator-%: $(RTL_SRC) $(RTL_HEADERS) $(GEN)
	@mkdir -p $(@D)
	$(VERILATOR) --lint-only -Wall $(RTL_INCLUDES) $(CONFIG_$*_FLAGS) --top-module ppu $(filter-out rtl/ppu.sv,$(RTL_SRC)) rtl/ppu.sv
	@touch $@

LINT_C := $(MODEL_SRC) $(DRIVER_SRC) $(COMPILER_SRC) $(CLI_SRC) $(TB_SRC) $(DEMO_SRC)
lint-c: $(LINT_C:%.c=$(BUILD)/lint/%.tidy) $(BUILD)/lint/cppcheck
$(BUILD)/lint/%.tidy: %.c .clang-tidy $(GEN)
	@mkdir -p $(@D)
	$(CLANG_TIDY) --quiet --warnings-as-errors='*' $< -- $(CSTD) $(INCLUDES) $(LLVM_CFLAGS) 2>/dev/null
	@touch $@
$(BUILD)/lint/cppcheck: $(LINT_C) $(GEN)
	@mkdir -p $(@D)
	cppcheck -D__cppcheck__ --force --std=c11 --quiet --error-exitcode=1 --inline-suppr --enable=warning,performance,portability --suppress=missingIncludeSystem -j 2 $(INCLUDES) $(LINT_C)
	@touch $@

# Every unit elaborates and synthesizes in Yosys, without a latch.
UNITS := $(basename $(notdir $(filter-out rtl/ppu.sv,$(RTL_SRC))))
lint-yosys: $(UNITS:%=$(BUILD)/lint/yosys-%) lint-constants
# Yosys 0.23 takes a constant that is declared as '1 for 1; Verilator and Icarus for all ones.
.PHONY: lint-constants
lint-constants:
	@! grep -nE "(localparam|parameter)[^=]*= *'1" $(RTL_SRC) || { echo "lint-constants: write {WIDTH{1'b1}}, Yosys reads '1 as 1 there"; exit 1; }
$(BUILD)/lint/yosys-%: $(RTL_SRC) $(RTL_HEADERS) $(GEN)
	@mkdir -p $(@D)
	scripts/yosys-unit $* nano $(BUILD) > $@.log 2>&1 || { tail -n 5 $@.log; echo "lint-yosys: $* fails, see $@.log"; exit 1; }
	@touch $@
