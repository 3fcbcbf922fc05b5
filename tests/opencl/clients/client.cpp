// A host program on opencl-clhpp: errors are exceptions, a kernel functor, an out-of-order queue, a callback.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#include <CL/opencl.hpp>
#include <atomic>
#include <iostream>
#include <numeric>
#include <vector>

static const char source[] =
    "__kernel void scale(__global float *numbers, float by, __local float *tmp) {\n"
    "    int i = get_local_id(0);\n"
    "    tmp[i] = numbers[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    numbers[get_global_id(0)] = by * tmp[get_local_size(0) - 1 - i];\n"
    "}\n";

int main() {
    try {
        std::atomic<int> calls{0};
        const cl::Device device = cl::Device::getDefault();
        const cl::Context context(device);
        cl::CommandQueue queue(context, device, cl::QueueProperties::OutOfOrder);
        const cl::Program program(context, source, true);
        std::vector<float> numbers(96), result(96);
        std::iota(numbers.begin(), numbers.end(), 1.0f);
        cl::Buffer buffer(context, numbers.begin(), numbers.end(), false);
        cl::KernelFunctor<cl::Buffer, float, cl::LocalSpaceArg> scale(program, "scale");
        cl::Event event = scale(cl::EnqueueArgs(queue, cl::NDRange(96), cl::NDRange(32)), buffer, 2.0f, cl::Local(128));
        event.setCallback(
            CL_COMPLETE, [](cl_event, cl_int, void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls);
        const std::vector<cl::Event> before{event};
        queue.enqueueReadBuffer(buffer, CL_TRUE, 0, 96 * sizeof(float), result.data(), &before);
        queue.finish();
        for (int k = 0; k < 96; k++)
            if (result[static_cast<size_t>(k)] != 2.0f * static_cast<float>(k / 32 * 32 + 32 - k % 32))
                throw cl::Error(k, "a wrong number");
        try {
            const cl::Program wrong(context, "__kernel void k(int x) { y = x; }", true);
            throw cl::Error(0, "a wrong program was built");
        } catch (const cl::BuildError &error) {
            if (error.getBuildLog().at(0).second.find("program.cl:1:") == std::string::npos)
                throw cl::Error(0, "the log has no line");
        }
        while (calls == 0)
            continue;
        std::cout << "ok" << std::endl;
        return 0;
    } catch (const cl::Error &error) {
        std::cerr << error.what() << ": " << error.err() << std::endl;
        return 1;
    }
}
