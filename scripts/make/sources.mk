# What is built from what. A new .c file in one of these folders is found by itself.
GEN_TABLES := $(wildcard cmodel/*/*.tbl tb/*.tbl rtl/*.tbl) fpga/map.tbl
GEN := $(BUILD)/gen/stamp
GEN_C := isa_table registers methods trace config

MODEL_SRC := $(wildcard cmodel/*.c $(patsubst %,cmodel/%/*.c,base isa mem sm task host trace model))
# The check, which knows nothing of Verilator, belongs to the model's library as well.
MODEL_SRC += tb/tandem_checker.c tb/tandem_report.c
DRIVER_SRC := $(wildcard cmodel/wire/*.c cmodel/backend/*.c cmodel/driver/*.c)
COMPILER_SRC := $(wildcard cmodel/compiler/*.c cmodel/compiler/*/*.c)
LIBRARY_SRC := $(wildcard cmodel/compiler/library/*.cl)
IMAGE_LIBRARY_SRC := $(addprefix cmodel/compiler/library/,images.cl image_halfs.cl texels.cl)
GENERIC_LIBRARY_SRC := $(filter %/generic_vectors.cl %/generic_halfs.cl %/generic_math.cl,$(LIBRARY_SRC))
LIBRARY_HEADERS := $(patsubst %,$(BUILD)/gen/%_library.h,device image generic half precision)
# Doubles, and halfs as a type: libraries of their own, which only programs with such numbers read.
PRECISION_SRC := $(filter %/doubles.cl $(wildcard cmodel/compiler/library/double_*.cl),$(LIBRARY_SRC))
HALF_LIBRARY_SRC := $(filter $(wildcard cmodel/compiler/library/half_*.cl),$(LIBRARY_SRC))
DEBUGGER_SRC := $(wildcard cmodel/debugger/*.c)
CLI_SRC := $(wildcard cmodel/cli/*.c)
CLI_OBJECTS := $(CLI_SRC:%.c=$(BUILD)/fast/%.o) $(BUILD)/fast/cmodel/cli/json.o
TB_SRC := $(filter-out tb/rtl_registry.c tb/tandem_checker.c tb/tandem_report.c,$(wildcard tb/*.c tb/systemc/*.c))
ANNEAL_SRC := $(wildcard fpga/anneal/*.c)
DEMO_SRC := $(wildcard tests/demo/*.c)
PROGRAM_SRC := $(wildcard tests/programs/*.c)
INCLUDES := -I$(BUILD) -Icmodel -Itb -Itests
RTL_SRC := $(wildcard rtl/*.sv rtl/host/*.sv rtl/task/*.sv rtl/mem/*.sv rtl/sm/*.sv)
RTL_INCLUDES := -I$(BUILD) -Irtl -Irtl/host -Irtl/task -Irtl/mem -Irtl/sm

# On a machine that has only make yet, set-up must run before anything is built or generated.
BUILDING := $(filter-out setup demo help clean uninstall,$(or $(MAKECMDGOALS),all))

comma := ,

# $(call remember,NAME,TEXT) is the file BUILD/flags/NAME, which is written when TEXT is not what it holds. What depends on it is made again
# when its flags, or the list of what it is made of, change.
same = $(and $(findstring |$(1)|,|$(2)|),$(findstring |$(2)|,|$(1)|))
remember = $(BUILD)/flags/$(1)$(if $(and $(BUILDING),$(if $(call same,$(strip $(2)),$(strip $(file <$(BUILD)/flags/$(1)))),,changed)),$(shell mkdir -p $(BUILD)/flags)$(file >$(BUILD)/flags/$(1),$(strip $(2))))

# What the tables say. The generator writes only what changes, so nothing is made again because of a comment in a table. What is compiled
# needs the generated files to be there first (`| $(GEN)`), and depends on those that it includes (-MMD). The generator has run before make
# looks at any of them, because make reads gen/config.mk anew first.
# PARAMETERS="nano.LANES=2 nano.VGPR_ROWS=1024": values in place of those of rtl/configs.tbl, in hardware and model alike; give it a BUILD of its own.
PARAMETERS ?=
$(GEN): $(wildcard scripts/generate.py scripts/gen_*.py scripts/tables.py) $(GEN_TABLES) cmodel/isa/save_handler.s $(call remember,parameters,of the table $(PARAMETERS))
	@mkdir -p $(BUILD)
	$(PYTHON) scripts/generate.py --out $(BUILD) $(PARAMETERS:%=--set %)
	@touch $@
$(BUILD)/gen/config.mk: $(GEN) ;
$(GEN_C:%=$(BUILD)/gen/%.c): | $(GEN) ;
$(BUILD)/gen/%.h: | $(GEN) ;
$(BUILD)/gen/%.svh: | $(GEN) ;
ifneq ($(BUILDING),)
include $(BUILD)/gen/config.mk
# Whose RTL is built, tested and measured when nothing is said. `pico`, which is what fits a small board, is nano with less of everything: it is linted
# as the others are, and rides in `make long`; CONFIGS=pico builds it.
CONFIGS := $(filter-out pico,$(ALL_CONFIGS))
# What the compilers, Verilator, Yosys and the linker have read, as they told it the last time; not of sources that have gone since.
OBJECTS_READ := $(foreach f,fast check fuzzed threaded,$(foreach d,cmodel fpga tb tests,$(BUILD)/$(f)/$(d)))
-include $(shell find $(OBJECTS_READ) -name '*.d' 2>/dev/null | while read -r d; do s=$${d%.d}; s=$${s#$(BUILD)/*/}; [ ! -e $$s.c ] && [ ! -e $$s.cpp ] || echo $$d; done) \
  $(shell find $(BUILD)/*/gen $(BUILD)/gen $(BUILD)/lint $(BUILD)/used -name '*.d' 2>/dev/null) $(wildcard $(patsubst %,$(BUILD)/%.d,tb/systemc/* examples/* rtl/*/*__read rtl/*/rtl_device rtl-unit/*/*__read rtl-unit/*/bench synth/*))
endif
