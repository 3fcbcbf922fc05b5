#include "jobs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

bool jobs_run(uint64_t jobs, job_function *job, job_died *died, void *context) {
    pid_t children[JOBS_MAX];
    bool good = true;
    fflush(stdout);  // or each child would say it again
    for (uint64_t j = 0; j < jobs; j++) {
        children[j] = fork();
        if (children[j] == 0) {
            const int status = job(context, j);
            fflush(stdout);
            _exit(status);
        }
        if (children[j] > 0) continue;
        fprintf(stderr, "cannot start job %llu: %s\n", (unsigned long long)j, strerror(errno));
        good = false;
    }
    for (uint64_t j = 0; j < jobs; j++) {
        int status = 0;
        if (children[j] < 0) continue;
        while (waitpid(children[j], &status, 0) < 0 && errno == EINTR) {
        }
        if (WIFSIGNALED(status) && died != NULL) died(context, j, WTERMSIG(status));
        good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return good;
}

void *jobs_memory(size_t count, size_t size) {
    void *memory = mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

void jobs_memory_free(void *memory, size_t count, size_t size) {
    if (memory != NULL) (void)munmap(memory, count * size);
}
