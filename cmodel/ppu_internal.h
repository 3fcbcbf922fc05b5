// The units of a device. Each owns its state and knows only the units that it is given at creation, those it stands on:
//
//   host -> task -> sm -> mem -> base
//
// What goes the other way, signals and reports, is connected once by ppu.c: struct *_wires of each unit.
#ifndef TANDEM_CMODEL_PPU_INTERNAL_H
#define TANDEM_CMODEL_PPU_INTERNAL_H

#include "base/run.h"
#include "host/host.h"
#include "mem/mem.h"
#include "ppu.h"
#include "sm/sm.h"
#include "task/task.h"

struct ppu {
    struct run run;
    struct mem *mem;
    struct sm **sm;  // run.config.sms of them
    struct task *task;
    struct host *host;
};

#endif
