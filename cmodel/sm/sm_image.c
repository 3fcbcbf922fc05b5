// An SM in a checkpoint. What has been decoded is not in it: it is found again.
#include <stdlib.h>
#include <string.h>

#include "sm_internal.h"

static void own_pointers(struct sm *to, const struct sm *from) {
    to->run = from->run;
    to->mem = from->mem;
    to->wires = from->wires;
    to->config = from->config;
    to->warps = from->warps;
    to->ctas = from->ctas;
    to->flights = from->flights;
    to->fetch_cache.held = from->fetch_cache.held;
    to->scoreboard.rows = from->scoreboard.rows;
    to->scoreboard.preds = from->scoreboard.preds;
    to->register_file = from->register_file;
    to->shared_memory = from->shared_memory;
    to->decoded = from->decoded;
    to->native = from->native;
}

static void own_pointers_of_warp(struct warp *to, const struct warp *from) {
    to->registers = from->registers;
    to->access.kept = from->access.kept;
    to->divergence.moves = from->divergence.moves;
    to->divergence.token_deque.list = from->divergence.token_deque.list;
    memcpy(to->older, from->older, sizeof to->older);
}

// Operands that were kept stand in the instruction itself.
static void older_image(struct in_flight *older, struct image *image) {
    struct in_flight copy;
    uint8_t kept = older->access.kept != NULL;
    memcpy(&copy, older, sizeof copy);
    copy.access.kept = NULL;
    image_part(image, &copy, sizeof copy);
    image_part(image, &kept, 1);
    if (image->failed || !image->loading) return;
    memcpy(older, &copy, sizeof copy);
    older->access.kept = kept != 0 ? older->kept : NULL;
}

static bool deque_fits(const struct divergence *divergence) {
    const struct token_deque *deque = &divergence->token_deque;
    return deque->places <= TOKEN_PLACES_MAX && deque->room <= TOKEN_PLACES_MAX && deque->room != 0 &&
           (deque->room & (deque->room - 1)) == 0 && deque->head <= deque->tail && deque->tail <= deque->places &&
           deque->tail - deque->head <= deque->room && divergence->move_count <= divergence->move_room &&
           divergence->move_room <= 4 * TOKEN_PLACES_MAX;
}

// What is loaded has lists as long as those that were saved. False: the host has no memory for them.
static bool take_room(struct divergence *loaded, const struct divergence *own) {
    struct token *list = calloc(loaded->token_deque.room, sizeof *list);
    struct token_move *moves = calloc(loaded->move_room, sizeof *moves);
    if (list == NULL || moves == NULL) {
        free(list);
        free(moves);
        return false;
    }
    free(own->token_deque.list);
    free(own->moves);
    loaded->token_deque.list = list;
    loaded->moves = moves;
    return true;
}

static void warp_image(struct sm *sm, uint32_t number, struct image *image) {
    static const struct warp none;
    struct warp *warp = &sm->warps[number];
    struct warp copy;
    memcpy(&copy, warp, sizeof copy);
    own_pointers_of_warp(&copy, &none);
    image_part(image, &copy, sizeof copy);
    own_pointers_of_warp(&copy, warp);
    image_must(image, copy.older_count <= IN_FLIGHT_MAX && copy.slot < sm->config->task_slots &&
                          copy.cta < sm->config->warps && deque_fits(&copy.divergence));
    if (image->failed) return;
    if (image->loading) {
        if (!take_room(&copy.divergence, &warp->divergence)) {
            image->failed = true;
            return;
        }
        memcpy(warp, &copy, sizeof copy);
        warp->registers = &sm->register_file[(size_t)number * REGISTERS_MAX * sm->config->threads];
    }
    image_part(image, warp->divergence.token_deque.list, warp->divergence.token_deque.room * sizeof(struct token));
    image_part(image, warp->divergence.moves, warp->divergence.move_room * sizeof(struct token_move));
    for (uint32_t i = 0; i < IN_FLIGHT_MAX; i++)
        older_image(warp->older[i], image);
}

void sm_image(struct sm *sm, struct image *image) {
    static const struct sm none;
    const struct ppu_config *config = sm->config;
    struct sm copy;
    memcpy(&copy, sm, sizeof copy);
    own_pointers(&copy, &none);
    image_part(image, &copy, sizeof copy);
    own_pointers(&copy, sm);
    image_must(image, copy.number == sm->number && copy.flight_room == sm->flight_room &&
                          copy.flight_count <= sm->flight_room && copy.launch_count <= LAUNCHES_MAX &&
                          copy.portions == sm->portions && copy.fetch_cache.lines == sm->fetch_cache.lines &&
                          copy.scoreboard.registers == sm->scoreboard.registers &&
                          copy.scoreboard.warps == sm->scoreboard.warps);
    if (image->failed) return;
    if (image->loading) memcpy(sm, &copy, sizeof copy);
    for (uint32_t w = 0; w < config->warps; w++)
        warp_image(sm, w, image);
    image_part(image, sm->ctas, config->warps * sizeof sm->ctas[0]);
    image_part(image, sm->flights, sm->flight_room * sizeof sm->flights[0]);
    image_part(image, sm->fetch_cache.held, sm->fetch_cache.lines * sizeof sm->fetch_cache.held[0]);
    image_part(image, sm->scoreboard.rows, sm->scoreboard.registers * sizeof sm->scoreboard.rows[0]);
    image_part(image, sm->scoreboard.preds,
               (size_t)sm->scoreboard.warps * SCOREBOARD_PREDICATES * sizeof sm->scoreboard.preds[0]);
    image_part(image, sm->register_file,
               (size_t)config->warps * REGISTERS_MAX * config->threads * sizeof sm->register_file[0]);
    image_part(image, sm->shared_memory, config->shared_bytes);
    if (image->loading) memset(sm->decoded, 0, DECODE_ENTRIES * sizeof sm->decoded[0]);
}

// Alone nobody crosses off what the last instruction of a warp has still to show, since nobody looks.
void sm_all_is_shown(struct sm *sm) {
    for (uint32_t w = 0; w < sm->config->warps; w++) {
        struct due *due = &sm->warps[w].due;
        const bool hold = due->hold;
        memset(due, 0, sizeof *due);
        due->hold = hold;
    }
}
