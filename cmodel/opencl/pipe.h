// Pipes as memory objects.
#ifndef TANDEM_OPENCL_PIPE_H
#define TANDEM_OPENCL_PIPE_H

#define PIPE_PACKET_MOST 65536u    // bytes of a packet
#define PIPE_ARGUMENTS_MOST 64u    // of a kernel
#define PIPE_RESERVATIONS_MOST 1u  // of a work-item and a pipe: more work as well, but none is promised

#endif
