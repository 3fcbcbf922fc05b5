// Which variables are in scope: DWARF's tree of functions and blocks. See variables.h.
#include "debugger/variables.h"

#include <dwarf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"
#include "variables_internal.h"

struct variables *variables_open(const struct debugger *debugger, const struct code_object *object, char *why,
                                 size_t why_size) {
    struct variables *variables = calloc(1, sizeof *variables);
    (void)snprintf(why, why_size, "the program has no variables; compile it with -g");
    if (variables == NULL || object->image == NULL) {
        free(variables);
        return NULL;
    }
    variables->debugger = debugger;
    variables->object = object;
    variables->image = malloc(object->image_size);  // libelf wants memory that it may write to
    if (variables->image != NULL) memcpy(variables->image, object->image, object->image_size);
    if (variables->image != NULL && elf_version(EV_CURRENT) != EV_NONE)
        variables->elf = elf_memory(variables->image, object->image_size);
    if (variables->elf != NULL) variables->dwarf = dwarf_begin_elf(variables->elf, DWARF_C_READ, NULL);
    if (variables->dwarf != NULL) return variables;
    (void)snprintf(why, why_size, "the program's debug information cannot be read: %s", dwarf_errmsg(-1));
    variables_close(variables);
    return NULL;
}

void variables_close(struct variables *variables) {
    if (variables == NULL) return;
    if (variables->dwarf != NULL) dwarf_end(variables->dwarf);
    if (variables->elf != NULL) elf_end(variables->elf);
    free(variables->image);
    free(variables);
}

// A thread that is off goes on where the token is that holds it.
bool variables_place(const struct debugger *debugger, const struct debugger_thread *who, uint32_t *address) {
    struct warp_look warp;
    struct token_look token;
    if (!ppu_look_warp(debugger->ppu, who->sm, who->warp, &warp)) return false;
    *address = 8 * warp.place.pc;
    if ((warp.reason[0] >> who->thread & 1u) != 0) return true;
    unsigned kind = 1;
    while (kind < 16 && (warp.reason[kind] >> who->thread & 1u) == 0)
        kind++;
    for (unsigned n = 0; ppu_look_token(debugger->ppu, who->sm, who->warp, n, &token); n++) {
        if (token.kind != kind || (token.mask >> who->thread & 1u) == 0) continue;
        *address = 8 * token.addr;
        return true;
    }
    return false;
}

// ---- scopes

struct scopes {
    Dwarf_Die list[SCOPES_MAX];
    size_t count;  // the program first, the innermost block last
};

static bool is_scope(Dwarf_Die *die) {
    const int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
}

static void go_in(struct scopes *to, Dwarf_Die *from, uint32_t address) {
    Dwarf_Die child;
    to->list[to->count++] = *from;
    if (to->count == SCOPES_MAX || dwarf_child(from, &child) != 0) return;
    do {
        if (!is_scope(&child) || dwarf_haspc(&child, address) != 1) continue;
        go_in(to, &child, address);
        return;
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void find_scopes(struct variables *variables, uint32_t address, struct scopes *to) {
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    to->count = 0;
    while (to->count == 0 && dwarf_get_units(variables->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        if (dwarf_tag(&die) == DW_TAG_compile_unit) go_in(to, &die, address);
}

static bool is_variable(Dwarf_Die *die) {
    const int tag = dwarf_tag(die);
    return (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && dwarf_diename(die) != NULL;
}

// The n-th variable of the scope, or that of the name. False: there is none.
static bool variable_in(Dwarf_Die *scope, const char *name, size_t n, Dwarf_Die *found) {
    if (dwarf_child(scope, found) != 0) return false;
    do {
        if (!is_variable(found)) continue;
        if (name != NULL ? strcmp(dwarf_diename(found), name) == 0 : n-- == 0) return true;
    } while (dwarf_siblingof(found, found) == 0);
    return false;
}

bool variables_find(struct variables *variables, uint32_t address, const char *name, Dwarf_Die *found) {
    struct scopes scopes;
    find_scopes(variables, address, &scopes);
    while (scopes.count-- > 0)
        if (variable_in(&scopes.list[scopes.count], name, 0, found)) return true;
    return false;
}

bool variables_has(struct variables *variables, const struct debugger_thread *who, const char *name) {
    uint32_t address;
    Dwarf_Die found;
    return variables != NULL && variables_place(variables->debugger, who, &address) &&
           variables_find(variables, address, name, &found);
}

bool variables_listed(struct variables *variables, const struct debugger_thread *who, size_t n, char *name,
                      size_t name_size, bool *argument) {
    struct scopes scopes;
    Dwarf_Die found, inner;
    uint32_t address;
    if (!variables_place(variables->debugger, who, &address)) return false;
    find_scopes(variables, address, &scopes);
    for (size_t s = scopes.count; s-- > 0;) {
        for (size_t k = 0; variable_in(&scopes.list[s], NULL, k, &found); k++) {
            // One of the same name further in hides it.
            if (!variables_find(variables, address, dwarf_diename(&found), &inner) ||
                dwarf_dieoffset(&inner) != dwarf_dieoffset(&found) || n-- != 0)
                continue;
            (void)snprintf(name, name_size, "%s", dwarf_diename(&found));
            *argument = dwarf_tag(&found) == DW_TAG_formal_parameter && dwarf_tag(&scopes.list[s]) == DW_TAG_subprogram;
            return true;
        }
    }
    return false;
}
