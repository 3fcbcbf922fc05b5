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

.PHONY: examples
examples: $(EXAMPLE_PROGRAMS) $(EXAMPLE_FILES) ## build and run the worked examples of tests/examples
	@$(foreach e,$(EXAMPLES),$(foreach d,$(EXAMPLE_DEVICES),$(BUILD)/examples/$(e) $(ARGUMENTS_$(e)) $(d) &&)) true
