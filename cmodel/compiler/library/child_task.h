// Tasks that threads copy: what the driver (C) and the threads (OpenCL C, child_task.cl) say alike.
#ifndef TANDEM_CHILD_TASK_H
#define TANDEM_CHILD_TASK_H

#define CHILD_TMD_BYTES 256u
#define CHILD_ARGUMENTS 0x40u  // where arguments begin in constant buffer 0

#endif
