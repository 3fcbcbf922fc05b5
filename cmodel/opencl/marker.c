// Markers, barriers, migrations: commands that only have a place in the order.
#include <stdlib.h>

#include "opencl/memory.h"
#include "opencl/queue.h"

struct migration {
    struct command command;
    cl_uint count;
    cl_mem *list;
    bool to_host;
};

static cl_int run_nothing(struct command *command) {
    (void)command;
    return CL_SUCCESS;
}

static cl_int enqueue(cl_command_queue queue, cl_command_type type, bool before_all, cl_uint count,
                      const cl_event *waits, cl_event *event) {
    const cl_int error = enqueue_check(queue, NULL, count, waits);
    if (error != CL_SUCCESS) return error;
    struct command *command = command_new(queue, type, sizeof *command, run_nothing, NULL);
    if (command == NULL) return CL_OUT_OF_HOST_MEMORY;
    command->after_all = count == 0;
    command->before_all = before_all;
    return command_enqueue(command, count, waits, event, false);
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_events,
                                               const cl_event *event_wait_list, cl_event *event) {
    return enqueue(queue, CL_COMMAND_MARKER, false, num_events, event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_events,
                                                const cl_event *event_wait_list, cl_event *event) {
    return enqueue(queue, CL_COMMAND_BARRIER, true, num_events, event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    return event != NULL ? enqueue(queue, CL_COMMAND_MARKER, false, 0, NULL, event) : CL_INVALID_VALUE;
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
    return enqueue(queue, CL_COMMAND_BARRIER, true, 0, NULL, NULL);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint num_events, const cl_event *event_list) {
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (num_events == 0 || event_list == NULL) return CL_INVALID_VALUE;
    const cl_int error = enqueue(queue, CL_COMMAND_BARRIER, true, num_events, event_list, NULL);
    return error == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : error;
}

static void drop_migration(struct command *command) {
    struct migration *migration = (struct migration *)command;
    for (cl_uint k = 0; k < migration->count; k++)
        object_drop(migration->list[k]);
    free(migration->list);
}

static cl_int run_migration(struct command *command) {
    struct migration *migration = (struct migration *)command;
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < migration->count && error == CL_SUCCESS && !migration->to_host; k++)
        error = memory_bring(migration->list[k], command->queue->place, false);
    return error;
}

cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint num_mem_objects,
                                              const cl_mem *mem_objects, cl_mem_migration_flags flags,
                                              cl_uint num_events, const cl_event *event_wait_list, cl_event *event) {
    const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    if (!object_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (num_mem_objects == 0 || mem_objects == NULL || (flags & ~known) != 0) return CL_INVALID_VALUE;
    for (cl_uint k = 0; k < num_mem_objects; k++)
        if (!object_is(mem_objects[k], OBJECT_MEMORY)) return CL_INVALID_MEM_OBJECT;
    for (cl_uint k = 0; k < num_mem_objects; k++)
        if (mem_objects[k]->context != queue->context) return CL_INVALID_CONTEXT;
    const cl_int error = events_check(queue->context, num_events, event_wait_list);
    if (error != CL_SUCCESS) return error;
    cl_mem *list = malloc(num_mem_objects * sizeof *list);
    struct migration *migration = list != NULL ? command_new(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, sizeof *migration,
                                                             run_migration, drop_migration)
                                               : NULL;
    if (migration == NULL) {
        free(list);
        return CL_OUT_OF_HOST_MEMORY;
    }
    for (cl_uint k = 0; k < num_mem_objects; k++) {
        list[k] = mem_objects[k];
        object_hold(list[k]);
    }
    migration->list = list;
    migration->count = num_mem_objects;
    migration->to_host = (flags & CL_MIGRATE_MEM_OBJECT_HOST) != 0;
    return command_enqueue(&migration->command, num_events, event_wait_list, event, false);
}
