# Long runs, each by its name: make long LONG="quicksort chain" LONG_DEVICES="tandem:nano tandem:full". scripts/run-long has the list.
LONG ?= all
LONG_DEVICES ?= $(CONFIGS:%=tandem:%)
$(BUILD)/queue-long: $(BUILD)/fast/tests/long/queue_long.o $(BUILD)/libcompiler_fast.a $(DEVICE_LIBS_fast)
	$(CXX) -o $@ -Wl,--start-group $^ -Wl,--end-group $(LLVM_LIBS) $(SYSTEM_LIBS)

LONG_PROGRAMS := queue-long nested random-programs accuracy tests/rtl/lane__float-nano
.PHONY: long
long: $(LONG_PROGRAMS:%=$(BUILD)/%) ## hours: LONG="quicksort floats" (all) on LONG_DEVICES; what `make test` does in small
	scripts/run-long $(BUILD) "$(LONG)" "$(LONG_DEVICES)"
