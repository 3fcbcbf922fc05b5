# make install PREFIX=/usr/local DESTDIR=: the tool, the OpenCL runtime, libtandem and libtandem-model shared and static, its headers, its pkg-config file, manual pages.
PREFIX ?= /usr/local
DESTDIR ?=
# What may break a program that was built before: MAJOR, and before 1.0.0 MINOR as well (.github/CHANGELOG.md).
ABI := $(patsubst %.$(lastword $(subst ., ,$(VERSION))),%,$(VERSION))
ABI := $(if $(filter 0.%,$(VERSION)),$(ABI),$(firstword $(subst ., ,$(VERSION))))
SONAME := libtandem.so.$(ABI)
LIBTANDEM := $(BUILD)/libtandem.so.$(VERSION)
LIBTANDEM_RTL := $(BUILD)/fast/tb/rtl_registry.o $(RTL_LIBS)

# What the public headers declare is exported, all else stays inside (scripts/public-api).
$(BUILD)/install/version-script: scripts/public-api $(wildcard cmodel/*/*.h cmodel/*/*/*.h) $(call remember,version,$(VERSION))
	@mkdir -p $(@D)
	scripts/public-api version-script TANDEM_$(ABI) > $@.part && mv $@.part $@
$(BUILD)/install/symbols: scripts/public-api $(wildcard cmodel/*/*.h cmodel/*/*/*.h)
	@mkdir -p $(@D)
	scripts/public-api symbols > $@.part && mv $@.part $@

SHARED_FLAGS := -shared -Wl,-soname,$(SONAME) -Wl,--version-script=$(BUILD)/install/version-script -Wl,-z,defs -Wl,--whole-archive
$(LIBTANDEM): $(call remember,shared,$(SHARED_FLAGS)) $(LIBTANDEM_RTL) $(BUILD)/install/version-script $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,$(SHARED_FLAGS),-Wl$(comma)--no-whole-archive $(LLVM_LIBS) $(SYSTEM_LIBS))
# The static library is one object, in which what is not public is local: it meets no name of the program. (Names of C++ keep their weak ways.)
$(BUILD)/install/libtandem.o: $(LIBTANDEM_RTL) $(BUILD)/install/symbols $(LINK_FLAGS) | $(COMPILER_LIBS)
	$(call link,-r -nostdlib -Wl$(comma)--whole-archive,)
	objcopy --wildcard --keep-global-symbols=$(BUILD)/install/symbols --keep-global-symbol='_Z*' $@
$(BUILD)/libtandem.a: $(BUILD)/install/libtandem.o
	@rm -f $@
	ar rcs $@ $<

# The model alone, with versions of its own (tandem_model.h): no driver, no compiler, no RTL.
MODEL_API := $(shell sed -n 's/^.define TANDEM_MODEL_M[AI][JN]OR \([0-9]*\)$$/\1/p' cmodel/model/tandem_model.h)
MODEL_VERSION := $(word 1,$(MODEL_API)).$(word 2,$(MODEL_API))
MODEL_SONAME := libtandem-model.so.$(word 1,$(MODEL_API))
LIBMODEL := $(BUILD)/libtandem-model.so.$(MODEL_VERSION)
LIBMODEL_FACE := $(patsubst %.c,$(BUILD)/fast/%.o,$(wildcard cmodel/model/*.c))
$(BUILD)/install/model-version-script: scripts/public-api cmodel/model/tandem_model.h
	@mkdir -p $(@D)
	scripts/public-api tandem-model version-script TANDEM_MODEL_$(word 1,$(MODEL_API)) > $@.part && mv $@.part $@
$(BUILD)/install/model-symbols: scripts/public-api cmodel/model/tandem_model.h
	@mkdir -p $(@D)
	scripts/public-api tandem-model symbols > $@.part && mv $@.part $@
MODEL_SHARED_FLAGS := -shared -Wl,-soname,$(MODEL_SONAME) -Wl,--version-script=$(BUILD)/install/model-version-script -Wl,-z,defs
$(LIBMODEL) $(BUILD)/install/libtandem-model.o: LINKER = $(CC)
$(LIBMODEL): $(LIBMODEL_FACE) $(call remember,model_shared,$(MODEL_SHARED_FLAGS)) $(BUILD)/install/model-version-script $(LINK_FLAGS) | $(BUILD)/libmodel_fast.a
	$(call link,$(MODEL_SHARED_FLAGS),-lm)
$(BUILD)/install/libtandem-model.o: $(LIBMODEL_FACE) $(BUILD)/install/model-symbols $(LINK_FLAGS) | $(BUILD)/libmodel_fast.a
	$(call link,-r -nostdlib,)
	objcopy --keep-global-symbols=$(BUILD)/install/model-symbols $@
$(BUILD)/libtandem-model.a: $(BUILD)/install/libtandem-model.o
	@rm -f $@
	ar rcs $@ $<
$(BUILD)/install/tandem-model.pc: $(call remember,model_pkg_config,$(MODEL_VERSION))
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$${pcfiledir}/../..' 'includedir=$${prefix}/include' 'libdir=$${prefix}/lib' '' 'Name: tandem-model' \
	    'Description: the golden model of the Tandem parallel processing unit' 'Version: $(MODEL_VERSION)' \
	    'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -ltandem-model' 'Libs.private: -lm' > $@

# The pkg-config file, relative to where it is found.
$(BUILD)/install/tandem.pc: $(call remember,pkg_config,$(VERSION) $(LLVM_LIBS) $(SYSTEM_LIBS))
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$${pcfiledir}/../..' 'includedir=$${prefix}/include' 'libdir=$${prefix}/lib' '' 'Name: tandem' \
	    'Description: an open parallel processing unit, as a model, as simulated RTL, and both in lockstep' 'Version: $(VERSION)' \
	    'Cflags: -I$${includedir}/tandem' 'Libs: -L$${libdir} -ltandem' 'Libs.private: $(strip $(LLVM_LIBS) $(SYSTEM_LIBS) -lstdc++)' > $@

$(BUILD)/install/tandem.1: scripts/tool-manual $(BUILD)/tandem
	@mkdir -p $(@D)
	scripts/tool-manual $(BUILD)/tandem > $@.part && mv $@.part $@

INSTALLED := $(LIBMODEL) $(BUILD)/libtandem-model.a $(BUILD)/install/tandem-model.pc $(BUILD)/tandem $(LIBOPENCL) $(LIBTANDEM) $(BUILD)/libtandem.a $(BUILD)/install/tandem.pc $(BUILD)/install/tandem.1
.PHONY: install uninstall install-built
install-built: $(INSTALLED)
install: $(INSTALLED) ## tool, library, headers, pkg-config file and manual pages, below DESTDIR PREFIX (/usr/local)
	@scripts/install-files $(BUILD) '$(DESTDIR)' '$(PREFIX)' $(VERSION) $(SONAME) $(MODEL_VERSION) $(MODEL_SONAME)

uninstall: ## remove what `make install` has put there
	@scripts/install-files --remove $(BUILD) '$(DESTDIR)' '$(PREFIX)' $(VERSION) $(SONAME) $(MODEL_VERSION) $(MODEL_SONAME)
