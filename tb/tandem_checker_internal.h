// State shared by tandem_checker.c (checks) and tandem_report.c (writes the report).
#ifndef TANDEM_TB_TANDEM_CHECKER_INTERNAL_H
#define TANDEM_TB_TANDEM_CHECKER_INTERNAL_H

#include "tandem_checker.h"

#define PAGE_BYTES 4096u
#define REPORT_BYTES 32u  // of memory around the first difference

struct tandem_checker {
    struct tandem_checker_options options;
    char *device, *replay;

    enum tandem_verdict verdict;
    char line[1024];                // the verdict in one line
    char why[512];                  // ILLEGAL, MISSING: the model's reason
    struct trace_event rtl, model;  // of the verdict, when it is about an event
    int field;                      // DIFFERS: which
    uint64_t memory_address;        // MEMORY: first byte that differs
    uint64_t line_address;          // MEMORY: what the report shows around it
    size_t line_bytes;
    uint8_t rtl_line[REPORT_BYTES];
    char path[400];  // of the report
    bool reported;

    struct trace_event history[TANDEM_HISTORY];  // ring; the newest is number seen - 1
    uint64_t seen;
    uint64_t compared[TRACE_KIND_COUNT];
    uint64_t cycle;    // the newest known
    uint64_t headway;  // cycle of the last event that shows that work goes on
    uint64_t stirred;  // of the last register write or try of an acquire: no headway, but something may be due by it
    uint64_t doubted;  // since when something has been missing at the end of a silence
    unsigned doubts;   // and how often in turn it was; 0: it is not
    uint8_t *dirty;    // a byte a page: written since the last comparison
    size_t pages;
};

void tandem_report_write(struct tandem_checker *self, FILE *to);

#endif
