// Code objects: what is written is read back, and every kind of malformed file is refused by name, without harm.
#include <criterion/criterion.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/code_object.h"

static uint64_t text[] = {0x0000000000000702u, 0xFEDCBA9876543210u, 0x0123456789ABCDEFu, 0x702u};
static uint8_t rodata[] = {1, 2, 3, 4, 5};
static uint32_t lines[] = {10, 11, 12, 4000000000u};
static char file[] = "blur.cl";
static struct code_format formats[] = {{(char[]){"i4fs"}, (char[]){"%d %v4hlf [%s]\n"}},
                                       {(char[]){"="}, (char[]){"\xFF\\\"#"}},
                                       {(char[]){""}, (char[]){""}}};

// Two kernels, constants and a line table; nothing in it is owned.
struct sample {
    struct code_argument arguments[2];
    struct code_kernel kernels[2];
    struct code_object object;
};
static void make_sample(struct sample *sample) {
    *sample = (struct sample){
        .arguments = {{"in", ARG_GLOBAL, 0x40, 4, "__global const uchar *", QUALIFIER_CONST | QUALIFIER_VOLATILE},
                      {"", ARG_VALUE, 0x44, 12, "", 0}},
        .kernels = {{.name = "blur",
                     .entry = 0,
                     .code_size = 24,
                     .registers = 255,
                     .shared_rows = 1,
                     .shared_bytes = 2,
                     .local_bytes = 3,
                     .barriers = 4,
                     .wavefront = 32,
                     .constant_bytes = 0x50,
                     .reqd_local = {8, 4, 2},
                     .hints = "vec_type_hint(float4) other",
                     .argument_count = 2},
                    {.name = "main", .entry = 24, .code_size = 8, .registers = 1, .constant_bytes = 64}},
        .object = {.text = text,
                   .text_words = 4,
                   .rodata = rodata,
                   .rodata_size = sizeof rodata,
                   .kernel_count = 2,
                   .formats = formats,
                   .format_count = 3,
                   .lines = lines,
                   .file = file},
    };
    sample->kernels[0].arguments = sample->arguments;
    sample->object.kernels = sample->kernels;
}

static uint8_t *write_sample(const struct sample *sample, size_t *size) {
    void *elf;
    char error[256] = "";
    cr_assert(code_object_write(&sample->object, &elf, size, error, sizeof error), "%s", error);
    return elf;
}

static void expect_equal(const struct code_object *a, const struct code_object *b) {
    cr_assert_eq(a->text_words, b->text_words);
    cr_expect_arr_eq(a->text, b->text, a->text_words * 8);
    cr_assert_eq(a->rodata_size, b->rodata_size);
    if (a->rodata_size > 0) cr_expect_arr_eq(a->rodata, b->rodata, a->rodata_size);
    cr_assert_eq(a->format_count, b->format_count);
    for (size_t i = 0; i < a->format_count; i++) {
        cr_expect_str_eq(a->formats[i].types, b->formats[i].types);
        cr_expect_str_eq(a->formats[i].text, b->formats[i].text);
    }
    cr_assert_eq(a->kernel_count, b->kernel_count);
    for (size_t i = 0; i < a->kernel_count; i++) {
        struct code_kernel one = a->kernels[i], two = b->kernels[i];
        cr_assert_eq(one.argument_count, two.argument_count);
        for (size_t j = 0; j < one.argument_count; j++) {
            const struct code_argument *x = &one.arguments[j], *y = &two.arguments[j];
            cr_expect(strcmp(x->name, y->name) == 0 && strcmp(x->type, y->type) == 0 && x->kind == y->kind &&
                          x->offset == y->offset && x->size == y->size && x->qualifiers == y->qualifiers,
                      "argument %zu of kernel %zu", j, i);
        }
        one.arguments = two.arguments = NULL;
        cr_expect_eq(memcmp(&one, &two, sizeof one), 0, "kernel %zu", i);
    }
    cr_assert_eq(a->lines == NULL, b->lines == NULL);
    if (a->lines != NULL) {
        cr_expect_arr_eq(a->lines, b->lines, a->text_words * 4);
        cr_expect_str_eq(a->file, b->file);
    }
}

Test(code_object, round_trip,
     .description = "a code object with everything in it comes back from memory and from a file") {
    struct sample sample;
    make_sample(&sample);
    size_t size;
    uint8_t *elf = write_sample(&sample, &size);
    struct code_object again;
    char error[256] = "", path[] = "/tmp/tandem-code-object-XXXXXX";
    cr_assert(code_object_read(elf, size, &again, error, sizeof error), "%s", error);
    expect_equal(&sample.object, &again);
    cr_expect_eq(code_object_find(&again, "main"), &again.kernels[1]);
    cr_expect_null(code_object_find(&again, "mai"));
    code_object_free(&again);
    cr_expect_null(again.kernels);

    cr_assert_geq(mkstemp(path), 0);
    cr_assert(code_object_write_file(&sample.object, path, error, sizeof error), "%s", error);
    cr_assert(code_object_read_file(path, &again, error, sizeof error), "%s", error);
    expect_equal(&sample.object, &again);
    code_object_free(&again);
    remove(path);
    free(elf);
}

Test(code_object, smallest, .description = "no kernels, no constants and no line table are good") {
    struct code_object nothing = {0}, again;
    void *elf;
    size_t size;
    char error[256] = "";
    cr_assert(code_object_write(&nothing, &elf, &size, error, sizeof error), "%s", error);
    cr_assert(code_object_read(elf, size, &again, error, sizeof error), "%s", error);
    cr_expect_eq(again.kernel_count, 0u);
    cr_expect_eq(again.text_words, 0u);
    cr_expect_null(again.lines);
    code_object_free(&again);
    free(elf);
}

Test(code_object, is_elf, .description = "the header says ELF32, little-endian, ET_EXEC, EM_TANDEM") {
    struct sample sample;
    make_sample(&sample);
    size_t size;
    uint8_t *elf = write_sample(&sample, &size);
    Elf32_Ehdr header;
    memcpy(&header, elf, sizeof header);
    cr_expect_eq(memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
    cr_expect_eq(header.e_ident[EI_CLASS], ELFCLASS32);
    cr_expect_eq(header.e_ident[EI_DATA], ELFDATA2LSB);
    cr_expect_eq(header.e_type, ET_EXEC);
    cr_expect_eq(header.e_machine, EM_TANDEM);
    free(elf);
}

Test(code_object, truncated, .description = "a file cut off at any byte is refused with a message") {
    struct sample sample;
    make_sample(&sample);
    size_t size;
    uint8_t *elf = write_sample(&sample, &size);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *part = malloc(cut + 1);  // so that a read behind the cut is found
        memcpy(part, elf, cut);
        struct code_object again;
        char error[256] = "";
        cr_expect(!code_object_read(part, cut, &again, error, sizeof error), "cut at %zu of %zu", cut, size);
        cr_expect_neq(error[0], 0, "cut at %zu", cut);
        cr_expect(again.text == NULL && again.kernels == NULL);
        free(part);
    }
    free(elf);
}

Test(code_object, any_byte_changed,
     .description = "no change of a byte makes the reader crash; what it takes is well-formed") {
    struct sample sample;
    make_sample(&sample);
    size_t size;
    uint8_t *elf = write_sample(&sample, &size);
    for (size_t at = 0; at < size; at++) {
        static const uint8_t changes[] = {0x01, 0x80, 0xFF, 0x04, 0x3A};
        for (size_t i = 0; i < sizeof changes; i++) {
            elf[at] ^= changes[i];
            struct code_object again;
            char error[256] = "";
            if (code_object_read(elf, size, &again, error, sizeof error)) {
                void *second;
                size_t second_size;
                cr_expect(code_object_write(&again, &second, &second_size, error, sizeof error), "byte %zu: %s", at,
                          error);
                free(second);
                code_object_free(&again);
            } else {
                cr_expect_neq(error[0], 0, "byte %zu", at);
            }
            elf[at] ^= changes[i];
        }
    }
    free(elf);
}

// Reads a changed file and expects a message that has this text in it.
static void expect_refused(const uint8_t *elf, size_t size, const char *why) {
    struct code_object again;
    char error[256] = "";
    cr_expect(!code_object_read(elf, size, &again, error, sizeof error), "taken, expected: %s", why);
    cr_expect_not_null(strstr(error, why), "'%s', expected '%s'", error, why);
}

static Elf32_Shdr *section_header(uint8_t *elf, const char *name) {
    Elf32_Ehdr *header = (Elf32_Ehdr *)(void *)elf;
    Elf32_Shdr *sections = (Elf32_Shdr *)(void *)(elf + header->e_shoff);
    const char *names = (const char *)elf + sections[header->e_shstrndx].sh_offset;
    for (unsigned i = 1; i < header->e_shnum; i++) {
        if (strcmp(names + sections[i].sh_name, name) == 0) return &sections[i];
    }
    cr_assert_fail("no section %s", name);
    return NULL;
}

Test(code_object, bad_header, .description = "each field of the ELF header that is wrong is named") {
    struct sample sample;
    make_sample(&sample);
    size_t size;
    uint8_t *elf = write_sample(&sample, &size);
    Elf32_Ehdr *header = (Elf32_Ehdr *)(void *)elf;
    const Elf32_Ehdr saved = *header;
    expect_refused((const uint8_t *)"short", 5, "not an ELF32 file");
    header->e_ident[0] = 0;
    expect_refused(elf, size, "not an ELF32 file");
    *header = saved;
    header->e_ident[EI_CLASS] = ELFCLASS64;
    expect_refused(elf, size, "not an ELF32 file");
    *header = saved;
    header->e_ident[EI_DATA] = ELFDATA2MSB;
    expect_refused(elf, size, "not little-endian");
    *header = saved;
    header->e_machine = EM_386;
    expect_refused(elf, size, "machine 0x3 is not Tandem (0x544D)");
    *header = saved;
    header->e_type = ET_REL;
    expect_refused(elf, size, "ELF type 1 is not ET_EXEC");
    *header = saved;
    header->e_version = 2;
    expect_refused(elf, size, "ELF version 2");
    *header = saved;
    header->e_shentsize = 64;
    expect_refused(elf, size, "section headers have 64 bytes");
    *header = saved;
    header->e_shoff = 0xFFFFFFF0u;
    expect_refused(elf, size, "the section headers (offset 4294967280");
    *header = saved;
    header->e_shnum++;
    expect_refused(elf, size, "the section headers");
    *header = saved;
    header->e_shnum = 0;
    expect_refused(elf, size, "the section headers");
    *header = saved;
    header->e_shstrndx = header->e_shnum;
    expect_refused(elf, size, "the section names' section does not exist");
    *header = saved;
    struct code_object again;
    char error[256];
    cr_assert(code_object_read(elf, size, &again, error, sizeof error), "the unchanged file must be good: %s", error);
    code_object_free(&again);
    free(elf);
}

Test(code_object, bad_sections,
     .description = "sections missing, doubled, of the wrong type or outside the file are named") {
    static const struct {
        const char *section;
        size_t field;
        uint32_t value;
        const char *why;
    } changes[] = {
        {".text", offsetof(Elf32_Shdr, sh_offset), 0xFFFFFFF8u,
         ".text (offset 4294967288, size 32) is outside the file"},
        {".text", offsetof(Elf32_Shdr, sh_size), 0xFFFFFFF8u, ".text (offset "},
        {".text", offsetof(Elf32_Shdr, sh_size), 31, ".text: 31 bytes is not a multiple of 8"},
        {".text", offsetof(Elf32_Shdr, sh_size), 24, "kernel main: entry 24, code_size 8 is outside .text (24 bytes)"},
        {".text", offsetof(Elf32_Shdr, sh_type), SHT_NOBITS, ".text: section type 8 is not 1"},
        {".text", offsetof(Elf32_Shdr, sh_name), 0xFFFFFF, "section 1: its name is outside the section names"},
        {".text", offsetof(Elf32_Shdr, sh_name), 0, "no section .text"},
        {".rodata", offsetof(Elf32_Shdr, sh_size), 0x7FFFFFFF, ".rodata (offset "},
        {".tandem.kernels", offsetof(Elf32_Shdr, sh_name), 0, "no section .tandem.kernels"},
        {".tandem.kernels", offsetof(Elf32_Shdr, sh_size), 0, ".tandem.kernels: ends before 'tandem-kernels 2'"},
        {".tandem.kernels", offsetof(Elf32_Shdr, sh_size), 20, ".tandem.kernels line 2: the line does not end"},
        {".tandem.lines", offsetof(Elf32_Shdr, sh_size), 16, ".tandem.lines: 16 bytes is too short"},
        {".tandem.lines", offsetof(Elf32_Shdr, sh_size), 20, "the file name does not end at the section's end"},
        {".tandem.printf", offsetof(Elf32_Shdr, sh_size), 4, ".tandem.printf: entry 0 is cut off"},
        {".tandem.printf", offsetof(Elf32_Shdr, sh_size), 6, ".tandem.printf: entry 0 is cut off"},
        {".tandem.printf", offsetof(Elf32_Shdr, sh_type), SHT_NOBITS, ".tandem.printf: section type 8 is not 1"},
        {".symtab", offsetof(Elf32_Shdr, sh_type), SHT_DYNSYM, ".symtab: section type 11 is not 2"},
        {".symtab", offsetof(Elf32_Shdr, sh_size), 47, ".symtab cannot be read"},
        {".symtab", offsetof(Elf32_Shdr, sh_size), 32, "kernel main: .symtab has no function of that name"},
        {".symtab", offsetof(Elf32_Shdr, sh_link), 0, ".symtab: its string section does not exist"},
        {".symtab", offsetof(Elf32_Shdr, sh_link), 99, ".symtab: its string section does not exist"},
        {".strtab", offsetof(Elf32_Shdr, sh_size), 3, ".symtab: symbol 1: its name is outside .strtab"},
        {".shstrtab", offsetof(Elf32_Shdr, sh_offset), 0x10000000, "the section names (offset "},
    };
    struct sample sample;
    make_sample(&sample);
    size_t size;
    uint8_t *elf = write_sample(&sample, &size), *changed = malloc(size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        memcpy(changed, elf, size);
        memcpy((uint8_t *)section_header(changed, changes[i].section) + changes[i].field, &changes[i].value, 4);
        expect_refused(changed, size, changes[i].why);
    }
    memcpy(changed, elf, size);
    section_header(changed, ".rodata")->sh_name = section_header(elf, ".text")->sh_name;
    expect_refused(changed, size, ".text stands twice");
    memcpy(changed, elf, size);
    Elf32_Sym *symbols = (Elf32_Sym *)(void *)(changed + section_header(changed, ".symtab")->sh_offset);
    symbols[1].st_value = 8;
    expect_refused(changed, size, "kernel blur: .symtab says another entry or size");
    free(changed);
    free(elf);
}

// The text of .tandem.kernels is changed without changing its length.
Test(code_object, bad_kernels_text,
     .description = "each malformed line of .tandem.kernels is refused with its number") {
    static const struct {
        const char *from, *to, *why;
    } changes[] = {
        {"tandem-kernels 2", "tandem-kernels 1", "line 1: expected 'tandem-kernels 2'"},
        {"kernel blur", "kennel blur", "line 2: expected 'kernel'"},
        {"kernel blur", "kernel     ", "line 2: the kernel's name is missing"},
        {"kernel blur", "kernel b ur", "line 2: something stands behind the last word"},
        {"kernel blur", "kernel b\tur", "line 2: it has a control character"},
        {"code_size 24", "code_size  4", "line 4: a number is missing"},
        {"code_size 24", "code_size -4", "line 4: expected a decimal number"},
        {"code_size 24", "code_sizes 4", "line 4: expected 'code_size'"},
        {"code_size 24", "code_size 20", "kernel blur: code_size 20 is zero or not a multiple of 8"},
        {"code_size 24", "code_size 00", "kernel blur: code_size 0 is zero"},
        {"code_size 24", "code_size 40", "kernel blur: entry 0, code_size 40 is outside .text (32 bytes)"},
        {"entry 24", "entry 20", "kernel main: entry 20 is not a multiple of 8"},
        {"entry 24", "entry 96", "kernel main: entry 96, code_size 8 is outside .text"},
        {"registers 255", "registers 256", "kernel blur: registers 256 is outside 1..255"},
        {"registers 255", "registers 000", "kernel blur: registers 0 is outside 1..255"},
        {"wavefront 32", "wavefront 65", "kernel blur: wavefront 65 is above 64"},
        {"constant_bytes 80", "constant_bytes 63", "kernel blur: constant_bytes 63 is outside 64..65536"},
        {"constant_bytes 80", "constant_bytes 79",
         "kernel blur: argument 1: offset 68, size 12 is past constant_bytes 79"},
        {"reqd_local 8 4 2", "reqd_local 8 0 2", "kernel blur: reqd_local has a zero beside other sizes"},
        {"reqd_local 8 4 2", "reqd_local 8 412", "a number is missing"},
        {"hints vec_", "hunts vec_", "expected 'argument'"},
        {"hints vec_", "hints\nvec_", "expected 'argument'"},
        {"hints vec_", "hints v\tc_", "it has a control character"},
        {"argument global", "argument globul", "unknown kind of argument"},
        {"+const", "+cunst", "unknown kind of argument"},
        {"volatile 64 4", "volatile 64 8", "an address has 4 bytes"},
        {"volatile 64 4", "volatile 60 4", "kernel blur: argument 0: offset 60 overlaps what is before it (up to 64)"},
        {"value 68 12", "value 66 12", "kernel blur: argument 1: offset 66 overlaps what is before it (up to 68)"},
        {"value 68 12", "value 68 00", "kernel blur: argument 1: size 0"},
        {"kernel main", "kernel blur", "kernel blur stands twice"},
        {"\nend\nkernel main", "\nEnd\nkernel main", "expected 'argument'"},
    };
    struct sample sample;
    make_sample(&sample);
    size_t size;
    uint8_t *elf = write_sample(&sample, &size), *changed = malloc(size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        memcpy(changed, elf, size);
        const Elf32_Shdr *section = section_header(changed, ".tandem.kernels");
        char *kernels = (char *)changed + section->sh_offset;
        char *found = memmem(kernels, section->sh_size, changes[i].from, strlen(changes[i].from));
        cr_assert_not_null(found, "no '%s'", changes[i].from);
        memcpy(found, changes[i].to, strlen(changes[i].to));
        if (strlen(changes[i].to) != strlen(changes[i].from)) found[strlen(changes[i].to)] = '\n';
        expect_refused(changed, size, changes[i].why);
    }
    free(changed);
    free(elf);
}

Test(code_object, refuses_to_write, .description = "what could not be read is not written") {
    struct sample sample;
    void *elf;
    size_t size;
    char error[256] = "";
    make_sample(&sample);
    sample.kernels[0].registers = 0;
    cr_expect(!code_object_write(&sample.object, &elf, &size, error, sizeof error));
    cr_expect_str_eq(error, "kernel blur: registers 0 is outside 1..255");
    cr_expect_null(elf);
    make_sample(&sample);
    memset(sample.kernels[1].name, 'x', sizeof sample.kernels[1].name);
    cr_expect(!code_object_write(&sample.object, &elf, &size, error, sizeof error));
    cr_expect_str_eq(error, "kernel 1: bad name");
    make_sample(&sample);
    strcpy(sample.kernels[1].name, "two words");
    cr_expect(!code_object_write(&sample.object, &elf, &size, error, sizeof error));
    cr_expect_str_eq(error, "kernel 1: bad name");
    make_sample(&sample);
    strcpy(sample.arguments[1].type, "a\nb");
    cr_expect(!code_object_write(&sample.object, &elf, &size, error, sizeof error));
    cr_expect_str_eq(error, "kernel blur: argument 1: bad name or type");
    make_sample(&sample);
    sample.arguments[0].kind = (enum code_argument_kind)9;
    cr_expect(!code_object_write(&sample.object, &elf, &size, error, sizeof error));
    cr_expect_str_eq(error, "kernel blur: argument 0: unknown kind 9");
    make_sample(&sample);
    sample.object.text_words = (1u << 22) + 1;
    cr_expect(!code_object_write(&sample.object, &elf, &size, error, sizeof error));
    cr_expect_str_eq(error, ".text has more than 4194304 instructions");
}

Test(code_object, pointers,
     .description = "CL-2 words of variables that are addresses come back; those that are none are refused by place") {
    static const struct {
        uint8_t pointers[8];
        size_t size;
        const char *why;  // NULL: good
    } cases[] = {
        {{4, 0, 0, 0, 0, 0, 0, 0}, 8, NULL},
        {{4, 0, 0, 0}, 3, ".tandem.pointers: 3 bytes"},
        {{2, 0, 0, 0}, 4, "offset 2 is no word of .data (12 bytes)"},
        {{12, 0, 0, 0}, 4, "offset 12 is no word"},
        {{0, 0, 0, 0xFC}, 4, "is no word"},
        {{8, 0, 0, 0}, 4, ".data: the address at 8 is 13, outside (12 bytes)"},
    };
    uint8_t data[12] = {12, 0, 0, 0, 4, 0, 0, 0, 13, 0, 0, 0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint8_t pointers[8];
        memcpy(pointers, cases[k].pointers, sizeof pointers);
        struct code_object again,
            from = {.data = data, .data_size = 12, .pointers = pointers, .pointers_size = cases[k].size};
        void *elf;
        size_t size;
        char error[256] = "";
        const bool good = code_object_write(&from, &elf, &size, error, sizeof error);
        cr_assert_eq(good, cases[k].why == NULL, "case %zu: %s", k, error);
        if (!good) {
            cr_expect(strstr(error, cases[k].why) != NULL, "case %zu: %s", k, error);
            continue;
        }
        cr_assert(code_object_read(elf, size, &again, error, sizeof error), "%s", error);
        cr_assert_eq(again.pointers_size, 8);
        cr_expect_arr_eq(again.pointers, pointers, 8);
        code_object_free(&again);
        free(elf);
    }
}

Test(code_object, formats_that_do_not_fit,
     .description = "a format of printf with conversions or types that do not fit is refused with its number") {
    static const struct {
        const char *types, *text, *why;
    } wrong[] = {
        {"", "%d", "format 1 of printf: '%d' has no fitting type"},
        {"f", "%d", "format 1 of printf: '%d' has no fitting type"},
        {"2i", "%v3hld", "format 1 of printf: '%v3hld' has no fitting type"},
        {"i", "%v2hld", "format 1 of printf: '%v2hld' has no fitting type"},
        {"17i", "%d", "format 1 of printf: '%d' has no fitting type"},
        {"ii", "%d", "there are more types than conversions"},
        {"i", "%q", "'%q': there is no conversion 'q'"},
        {"x", "text", "there are more types than conversions, or unknown ones"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct sample sample;
        make_sample(&sample);
        char types[16], text_[16], error[256] = "";
        strcpy(types, wrong[i].types);
        strcpy(text_, wrong[i].text);
        struct code_format two[] = {{(char[]){"i"}, (char[]){"%d"}}, {types, text_}};
        sample.object.formats = two;
        sample.object.format_count = 2;
        void *elf;
        size_t size;
        cr_expect(!code_object_write(&sample.object, &elf, &size, error, sizeof error), "%s %s", types, text_);
        cr_expect_not_null(strstr(error, wrong[i].why), "'%s' is not in: %s", wrong[i].why, error);
    }
}

Test(code_object, files, .description = "files that are not there or not ELF are refused by name") {
    struct code_object object;
    char error[256] = "";
    cr_expect(!code_object_read_file("/does/not/exist", &object, error, sizeof error));
    cr_expect_str_eq(error, "/does/not/exist: cannot be opened: No such file or directory");
    cr_expect(!code_object_read_file("/", &object, error, sizeof error));
    cr_expect_not_null(strstr(error, "/: cannot be read: "), "%s", error);
    cr_expect(!code_object_read_file("/dev/null", &object, error, sizeof error));
    cr_expect_str_eq(error, "/dev/null: not an ELF32 file, or its header is cut off");
    struct sample sample;
    make_sample(&sample);
    cr_expect(!code_object_write_file(&sample.object, "/does/not/exist", error, sizeof error));
    cr_expect_str_eq(error, "/does/not/exist: cannot be written: No such file or directory");
}
