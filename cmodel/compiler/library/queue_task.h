// Tasks that are fed by a ring of entries, as threads append to them: said once for the driver (C) and the threads
// (OpenCL C, queue_task.cl). cmodel/task/tmd.tbl has the other words of the TMD.
#ifndef TANDEM_QUEUE_TASK_H
#define TANDEM_QUEUE_TASK_H

// Entries that threads have taken, counted as OUTER_PUT counts those that are there: word INNER_PUT of QMD 01_06, at which the
// task unit does not look.
#define QUEUE_TASK_TAKEN_WORD 3u

#endif
