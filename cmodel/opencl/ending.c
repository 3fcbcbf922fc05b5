// The end of the process, or of the library in it: what runs stops; waves, traces and timelines become whole.
#include "opencl/context.h"
#include "opencl/environment.h"
#include "opencl/statistics.h"

#define END_SECONDS 5

__attribute__((destructor)) static void end_all(void) {
    cl_uint count = 0;
    cl_device_id *list = devices_open(&count);
    devices_stop();
    for (cl_uint k = 0; k < count; k++)
        channels_wake(list[k]);
    contexts_wake();
    if (!devices_wait(END_SECONDS)) return;
    for (cl_uint k = 0; k < count; k++) {
        statistics_print(list[k]);
        channels_close(list[k]);
        if (tandem_close(list[k]->device) == TANDEM_MISMATCH) tell_user("%s: model and RTL differ", list[k]->name);
        list[k]->object.kind = 0;
    }
}
