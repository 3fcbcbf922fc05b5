// Who keeps an object, and that a handle is what it is said to be.
#include "opencl/object.h"

#include <stdlib.h>

void object_begin(struct object *object, enum object_kind kind, void (*destroy)(void *object)) {
    object->dispatch = &opencl_dispatch;
    object->kind = kind;
    object->destroy = destroy;
    atomic_init(&object->references, 1);
    atomic_init(&object->holds, 1);
    atomic_init(&object->watches, 1);
}

bool object_is(const void *object, enum object_kind kind) {
    const struct object *header = object;
    return header != NULL && header->kind == kind && atomic_load(&header->references) > 0;
}

bool object_lives(const void *object, enum object_kind kind) {
    const struct object *header = object;
    return header != NULL && header->kind == kind && atomic_load(&header->holds) > 0;
}

void object_retain(void *object) {
    if (atomic_fetch_add(&((struct object *)object)->references, 1) == 0) object_hold(object);
}

bool object_release(void *object) {
    return atomic_fetch_sub(&((struct object *)object)->references, 1) == 1;
}

void object_hold(void *object) {
    atomic_fetch_add(&((struct object *)object)->holds, 1);
}

void object_drop(void *object) {
    struct object *header = object;
    if (header == NULL || atomic_fetch_sub(&header->holds, 1) != 1) return;
    header->kind = 0;
    if (header->destroy != NULL) header->destroy(object);
}

void object_watch(void *object) {
    atomic_fetch_add(&((struct object *)object)->watches, 1);
}

void object_unwatch(void *object) {
    if (object != NULL && atomic_fetch_sub(&((struct object *)object)->watches, 1) == 1) free(object);
}

bool object_hold_living(void *object) {
    struct object *header = object;
    unsigned holds = atomic_load(&header->holds);
    while (holds > 0)
        if (atomic_compare_exchange_weak(&header->holds, &holds, holds + 1)) return true;
    return false;
}
