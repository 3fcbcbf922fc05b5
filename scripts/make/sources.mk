# What is built from what. A new .c file in one of these folders is found by itself.
GEN_TABLES := cmodel/isa/isa.tbl cmodel/host/registers.tbl cmodel/host/methods.tbl cmodel/task/tmd.tbl tb/trace_events.tbl rtl/configs.tbl rtl/bundles.tbl
GEN := $(BUILD)/gen/stamp
GEN_C := isa_table registers methods trace config

MODEL_SRC := $(wildcard cmodel/*.c $(patsubst %,cmodel/%/*.c,base isa mem sm task host))
DRIVER_SRC := $(wildcard cmodel/backend/*.c cmodel/driver/*.c)
COMPILER_SRC := $(wildcard cmodel/compiler/*.c cmodel/compiler/*/*.c)
LIBRARY_SRC := $(wildcard cmodel/compiler/library/*.cl)
CLI_SRC := $(wildcard cmodel/cli/*.c)
TB_SRC := $(filter-out tb/rtl_registry.c,$(wildcard tb/*.c))
DEMO_SRC := $(wildcard tests/demo/*.c)
PROGRAM_SRC := $(wildcard tests/programs/*.c)
INCLUDES := -I$(BUILD) -Icmodel -Itb -Itests
RTL_SRC := $(wildcard rtl/*.sv rtl/host/*.sv rtl/task/*.sv rtl/mem/*.sv rtl/sm/*.sv)
RTL_HEADERS := $(wildcard rtl/*.svh rtl/*/*.svh)
RTL_INCLUDES := -I$(BUILD) -Irtl -Irtl/host -Irtl/task -Irtl/mem -Irtl/sm

$(GEN): $(wildcard scripts/generate.py scripts/gen_*.py scripts/tables.py) $(GEN_TABLES)
	@mkdir -p $(BUILD)
	$(PYTHON) scripts/generate.py --out $(BUILD)
	@touch $@
$(BUILD)/gen/config.mk: $(GEN) ;
$(GEN_C:%=$(BUILD)/gen/%.c): $(GEN) ;
# On a machine that has only make yet, set-up must run before anything is generated.
ifneq ($(filter-out setup demo help clean,$(or $(MAKECMDGOALS),all)),)
include $(BUILD)/gen/config.mk
endif
