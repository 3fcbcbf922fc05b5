# make install PREFIX=/usr/local DESTDIR=: the tool, the OpenCL runtime, libtandem shared and static, its headers, its pkg-config file, manual pages.
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

# The pkg-config file, relative to where it is found.
$(BUILD)/install/tandem.pc: $(call remember,pkg_config,$(VERSION) $(LLVM_LIBS) $(SYSTEM_LIBS))
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$${pcfiledir}/../..' 'includedir=$${prefix}/include' 'libdir=$${prefix}/lib' '' 'Name: tandem' \
	    'Description: an open parallel processing unit, as a model, as simulated RTL, and both in lockstep' 'Version: $(VERSION)' \
	    'Cflags: -I$${includedir}/tandem' 'Libs: -L$${libdir} -ltandem' 'Libs.private: $(strip $(LLVM_LIBS) $(SYSTEM_LIBS) -lstdc++)' > $@

$(BUILD)/install/tandem.1: scripts/tool-manual $(BUILD)/tandem
	@mkdir -p $(@D)
	scripts/tool-manual $(BUILD)/tandem > $@.part && mv $@.part $@

INSTALLED := $(BUILD)/tandem $(LIBOPENCL) $(LIBTANDEM) $(BUILD)/libtandem.a $(BUILD)/install/tandem.pc $(BUILD)/install/tandem.1
.PHONY: install uninstall install-built
install-built: $(INSTALLED)
install: $(INSTALLED) ## tool, library, headers, pkg-config file and manual pages, below DESTDIR PREFIX (/usr/local)
	@scripts/install-files $(BUILD) '$(DESTDIR)' '$(PREFIX)' $(VERSION) $(SONAME)

uninstall: ## remove what `make install` has put there
	@scripts/install-files --remove $(BUILD) '$(DESTDIR)' '$(PREFIX)' $(VERSION) $(SONAME)
