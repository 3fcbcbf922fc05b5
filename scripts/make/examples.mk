# Worked examples (tests/examples): programs on the device API, also what a program outside the tree is built from.
EXAMPLES := $(patsubst tests/examples/%.c,%,$(wildcard tests/examples/*.c))
EXAMPLE_PROGRAMS := $(EXAMPLES:%=$(BUILD)/examples/%)
$(EXAMPLE_PROGRAMS): $(BUILD)/examples/%: $(BUILD)/fast/tests/examples/%.o $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

# What an example takes besides the device; each runs on the model and in tandem.
ARGUMENTS_locked_record := tests/examples/locked_record.s
ARGUMENTS_steps := $(BUILD)/examples/steps.elf
$(BUILD)/examples/%.elf: tests/examples/%.cl $(BUILD)/tandem
	@mkdir -p $(@D)
	$(BUILD)/tandem cc $< -o $@
EXAMPLE_FILES := $(filter $(BUILD)/%,$(foreach e,$(EXAMPLES),$(ARGUMENTS_$(e))))
EXAMPLE_DEVICES := model:nano tandem:nano
EXAMPLE_SUITES = $(foreach e,$(EXAMPLES),$(foreach d,$(EXAMPLE_DEVICES),$(call program_suite,examples/$(e)-$(subst :,-,$(d)),$(BUILD)/examples/$(e) $(ARGUMENTS_$(e)) $(d))))

# C++ with SystemC parts of its own, where SystemC is.
SYSTEMC_EXAMPLES := $(if $(SYSTEMC_LIBS),$(patsubst tests/examples/systemc/%.cpp,$(BUILD)/examples/%,$(wildcard tests/examples/systemc/*.cpp)))
$(BUILD)/examples/%.o: tests/examples/systemc/%.cpp $(call remember,systemc,$(CXX) $(SYSTEMC_CXXFLAGS) $(INCLUDES)) | $(GEN)
	@mkdir -p $(@D)
	$(CXX) $(SYSTEMC_CXXFLAGS) $(INCLUDES) -MMD -MP -MT $@ -c $< -o $@
$(SYSTEMC_EXAMPLES): $(BUILD)/examples/%: $(BUILD)/examples/%.o $(filter-out %/equalize.o,$(DEMO_SRC:%.c=$(BUILD)/fast/%.o)) $(DEVICE_RTL) $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,,$(LLVM_LIBS) $(SYSTEM_LIBS))

.PHONY: examples
examples: $(SYSTEMC_EXAMPLES) $(EXAMPLE_PROGRAMS) $(EXAMPLE_FILES) ## build and run the worked examples of tests/examples
	@$(foreach e,$(EXAMPLES),$(foreach d,$(EXAMPLE_DEVICES),$(BUILD)/examples/$(e) $(ARGUMENTS_$(e)) $(d) &&)) true
