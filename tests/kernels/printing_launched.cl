// printf by work that threads launch (-cl-std=CL2.0), which has the program's variables as well.
__global int total = 100;

__kernel void parent(int n) {
    const int i = (int)get_global_id(0);
    printf("parent %d\n", i);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{
      const int old = atomic_add(&total, 1);
      printf("child %d.%d %s\n", i, (int)get_global_id(0), old >= 100 ? "counted" : "lost");
    });
}
