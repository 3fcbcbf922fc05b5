// What the threads of tests/opencl/threads launch.
__kernel void add(__global uint *numbers, uint value) {
    numbers[get_global_id(0)] += value;
}
