// Stores a warp that has to leave the machine, and brings it back: the instructions at the beginning of every program whose kernels save
// (`.saves`). rtl/sm/trap.md says what a trap is, scripts/gen_handler.py what the lines with % and { } are.
//
// All threads of the warp come here together. TPC says why: 0, the CTA has just come back; else the instruction in front of which the warp
// was stopped. Twelve registers are put into the first 48 bytes of local memory, which belong to this handler. Then
//   R11 predicates   R10 TPC   R9 TMD   R8 the record of the CTA   R7 the part of this warp there   R6 .. of this thread
//   P1 the warp's thread 0, which alone writes what is alike for all
// The pool, one for all tasks whose records have its size; the driver makes it, the handlers take records and give them back:
%name LOCK 0
%name FREE 4
%name REST 8
%name END 12
%name RECORD_BYTES 16
%name TOKENS 20
%name THREADS 24
%name POOL_BYTES 32
// .. LOCK: 1 while a handler is at work on pool or lists; FREE: records that came back, linked by NEXT, 0 the end; REST to END: never used;
// TOKENS: that a record holds of a warp; THREADS: of a warp.
// A record: what a CTA was. NEXT, then TO_COME: warps that are still to be brought back; WARPS_SAVED: bit i: warp i of the CTA is in it.
%name NEXT 0
%name TO_COME 4
%name X 8
%name YZ 12
%name WARPS_SAVED 16
%name SHARED 32
// Behind the shared memory of the CTA a part for each warp: TPC, the number of tokens, S0 to S15, the planes of reasons, 16 bytes for each
// token {kind and address, its threads low, high}; and then for each thread predicates, registers, local memory behind that of the handler.
%name TPC 0
%name COUNT 4
%name SCALARS 8
%name REASONS 72
%name WARP_BYTES 128
%name PREDICATES 0
%name REGISTERS 16
%name OWN_BYTES 48
%name LEAST_REGISTERS 12
%name REGISTER_STEP 4
.kernel save_handler
    STL.32 [0], R0
    STL.32 [4], R1
    STL.32 [8], R2
    STL.32 [12], R3
    STL.32 [16], R4
    STL.32 [20], R5
    STL.32 [24], R6
    STL.32 [28], R7
    STL.32 [32], R8
    STL.32 [36], R9
    STL.32 [40], R10
    STL.32 [44], R11
    P2R R11
    SRD R10, TPC
    S2R R9, SR_TMD
    S2R R0, SR_LANEID
    ISETP.EQ P1, R0, 0
    ISETP.EQ P2, R10, 0
    SRD R8, CTA_RECORD
    ISETP.NE P0, R8, 0
    @P0 BRA have                        // another warp of the CTA was here

    // ---- the CTA's first warp: a record, from the pool or from the task's list; one SM at a time ----
    LDG.32 R7, [R9 + {TANDEM_SAVE_POOL}]
    MOV R1, 1
lock:
    MOV R0, 0
    @P1 ATOMG.XCHG R0, [R7 + {LOCK}], R1
    SHFL R0, R0, 0
    ISETP.NE P0, R0, 0
    @P0 BRA lock
    @P2 BRA comes_back
    LDG.32 R8, [R7 + {FREE}]
    ISETP.EQ P0, R8, 0
    @P0 BRA from_the_rest
    LDG.32 R1, [R8 + {NEXT}]
    @P1 STG.32 [R7 + {FREE}], R1
    BRA taken
from_the_rest:
    LDG.32 R8, [R7 + {REST}]
    LDG.32 R1, [R7 + {RECORD_BYTES}]
    LDG.32 R2, [R7 + {END}]
    ISUB R2, R2, R8
    ISETP.ULT P0, R2, R1
    @P0 BRA no_memory
    IADD R1, R1, R8
    @P1 STG.32 [R7 + {REST}], R1
taken:
    S2R R0, SR_CTAID_X
    S2R R1, SR_CTAID_Y
    S2R R2, SR_CTAID_Z
    SHL R2, R2, 16
    OR R1, R1, R2
    @P1 STG.32 [R8 + {X}], R0
    @P1 STG.32 [R8 + {YZ}], R1
    @P1 STG.32 [R8 + {WARPS_SAVED}], RZ
    BRA unlock
no_memory:
    MEMBAR
    @P1 STG.32 [R7 + {LOCK}], RZ
    MEMBAR
    TFAIL
comes_back:
    LDG.32 R8, [R9 + {TANDEM_SAVED_LIST}]
    LDG.32 R0, [R8 + {NEXT}]
    @P1 STG.32 [R9 + {TANDEM_SAVED_LIST}], R0
    SRD R0, CTA_ALIVE
    @P1 STG.32 [R8 + {TO_COME}], R0
    LDG.32 R0, [R8 + {X}]
    R2S CTA_X, R0
    LDG.32 R0, [R8 + {YZ}]
    R2S CTA_YZ, R0
unlock:
    MEMBAR
    @P1 STG.32 [R7 + {LOCK}], RZ
    R2S CTA_RECORD, R8
    @!P2 BRA have
    // Nobody of the CTA runs yet: its shared memory.
    LDG.32 R5, [R9 + {SHARED_MEMORY_SIZE}]
    AND R5, R5, 0x3FFFF
    LDG.32 R2, [R7 + {THREADS}]
    SHL R2, R2, 2
    MOV R3, 0
    S2R R0, SR_LANEID
    SHL R0, R0, 2
    IADD R1, R0, R8
shared_back:
    ISETP.UGE P0, R3, R5
    @P0 BRA have
    ISETP.ULT P3, R0, R5
    @P3 LDG.32 R4, [R1 + {SHARED}]
    @P3 STS.32 [R0], R4
    IADD R0, R0, R2
    IADD R1, R1, R2
    IADD R3, R3, R2
    BRA shared_back

    // ---- where this warp's part of the record is, and this thread's ----
have:
    LDG.32 R7, [R9 + {TANDEM_SAVE_POOL}]
    LDG.32 R0, [R9 + {LOCAL_MEMORY_LOW}]
    AND R0, R0, 0xFFFFFF
    LDG.32 R1, [R9 + {REGISTER_COUNT}]
    SHR R1, R1, 24
    SHL R1, R1, 2
    IADD R6, R0, R1
    IADD R6, R6, {REGISTERS - OWN_BYTES} // bytes of a thread
    LDG.32 R2, [R7 + {TOKENS}]
    SHL R2, R2, 4
    IADD R2, R2, {WARP_BYTES}                    // bytes of a warp in front of its threads
    LDG.32 R3, [R7 + {THREADS}]
    IMAD R3, R3, R6, R2
    S2R R4, SR_WARPID
    LDG.32 R5, [R9 + {SHARED_MEMORY_SIZE}]
    AND R5, R5, 0x3FFFF
    IADD R5, R5, {SHARED + 15}
    AND R5, R5, 0x7FFFFFF0              // .. and what is before it
    IMAD R3, R3, R4, R5
    IADD R7, R3, R8
    S2R R4, SR_LANEID
    IMAD R6, R4, R6, R2
    IADD R6, R6, R7
    @P2 BRA restore

    // ---- save ----
    STG.32 [R6 + {PREDICATES}], R11
    @P1 STG.32 [R7 + {TPC}], R10
    IADD R5, R6, R1                     // local memory goes behind the registers
    MOV R4, {OWN_BYTES}
save_local:
    ISETP.UGE P0, R4, R0
    @P0 BRA saved_local
    LDL.32 R2, [R4]
    IADD R3, R5, R4
    STG.32 [R3 + {REGISTERS - OWN_BYTES}], R2
    IADD R4, R4, 4
    BRA save_local
saved_local:
    MOV R5, R1                          // bytes of registers
    LDL.32 R0, [0]
    LDL.32 R1, [4]
    LDL.32 R2, [8]
    LDL.32 R3, [12]
    STG.128 [R6 + {REGISTERS + 0}], R0
    LDL.32 R0, [16]
    LDL.32 R1, [20]
    LDL.32 R2, [24]
    LDL.32 R3, [28]
    STG.128 [R6 + {REGISTERS + 16}], R0
    LDL.32 R0, [32]
    LDL.32 R1, [36]
    LDL.32 R2, [40]
    LDL.32 R3, [44]
    STG.128 [R6 + {REGISTERS + 32}], R0
%for R 12 252 4
    ISETP.ULE P0, R5, {4*R}
    @P0 BRA saved_registers
    STG.128 [R6 + {REGISTERS + 4*R}], R{R}
%end
saved_registers:
%for S 0 16 1
    SRD R0, S{S}
    @P1 STG.32 [R7 + {SCALARS + 4*S}], R0
%end
%for K 0 4 1
    SRD R0, REASON{K}_LO
    @P1 STG.32 [R7 + {REASONS + 8*K}], R0
    SRD R0, REASON{K}_HI
    @P1 STG.32 [R7 + {REASONS + 8*K + 4}], R0
%end
    // The tokens, from the first to the last.
    LDG.32 R5, [R9 + {TANDEM_SAVE_POOL}]
    LDG.32 R5, [R5 + {TOKENS}]
    IADD R1, R7, {WARP_BYTES}
    MOV R2, 0
take:
    TPOP
    SRD R3, TOKEN
    SHR R4, R3, 28
    ISETP.EQ P0, R4, 0
    @P0 BRA all_taken
    ISETP.UGE P0, R2, R5
    @P0 BRA too_many
    SRD R4, TOKEN_LO
    SRD R0, TOKEN_HI
    @P1 STG.32 [R1], R3
    @P1 STG.32 [R1 + 4], R4
    @P1 STG.32 [R1 + 8], R0
    IADD R1, R1, 16
    IADD R2, R2, 1
    BRA take
too_many:
    TFAIL
all_taken:
    @P1 STG.32 [R7 + {COUNT}], R2
    S2R R0, SR_WARPID
    MOV R1, 1
    SHL R1, R1, R0
    @P1 ATOMG.OR RZ, [R8 + {WARPS_SAVED}], R1

    ISETP.EQ P4, R0, R0                 // this warp leaves
    // The last warp of the CTA stores its shared memory, and puts the record into the task's list.
leave:
    SRD R0, CTA_ALIVE
    ISETP.NE P0, R0, 1
    @P0 BRA out
    LDG.32 R0, [R8 + {WARPS_SAVED}]
    ISETP.EQ P0, R0, 0
    @P0 BRA out                         // nobody is in it: the CTA has ended
    ISETP.EQ P4, R0, R0
    LDG.32 R7, [R9 + {TANDEM_SAVE_POOL}]
    LDG.32 R5, [R9 + {SHARED_MEMORY_SIZE}]
    AND R5, R5, 0x3FFFF
    LDG.32 R2, [R7 + {THREADS}]
    SHL R2, R2, 2
    MOV R3, 0
    S2R R0, SR_LANEID
    SHL R0, R0, 2
    IADD R1, R0, R8
shared_out:
    ISETP.UGE P0, R3, R5
    @P0 BRA into_the_list
    ISETP.ULT P3, R0, R5
    @P3 LDS.32 R4, [R0]
    @P3 STG.32 [R1 + {SHARED}], R4
    IADD R0, R0, R2
    IADD R1, R1, R2
    IADD R3, R3, R2
    BRA shared_out
into_the_list:
    MOV R1, 1
lock_list:
    MOV R0, 0
    @P1 ATOMG.XCHG R0, [R7 + {LOCK}], R1
    SHFL R0, R0, 0
    ISETP.NE P0, R0, 0
    @P0 BRA lock_list
    LDG.32 R0, [R9 + {TANDEM_SAVED_LIST}]
    @P1 STG.32 [R8 + {NEXT}], R0
    @P1 STG.32 [R9 + {TANDEM_SAVED_LIST}], R8
    MEMBAR
    @P1 STG.32 [R7 + {LOCK}], RZ
out:
    @P4 TLEAVE
    TEXIT                               // it had ended before its CTA left, and ends again

    // ---- restore ----
restore:
    MOV R5, R1                          // bytes of registers
    LDG.32 R2, [R8 + {WARPS_SAVED}]
    S2R R3, SR_WARPID
    SHR R2, R2, R3
    AND R2, R2, 1
    ISETP.NE P3, R2, 0                  // the warp is among the saved; else it had ended before
    ISETP.NE P4, R0, R0
    @!P3 BRA back
    LDG.32 R11, [R6 + {PREDICATES}]
    LDG.32 R10, [R7 + {TPC}]
    IADD R1, R6, R5
    MOV R4, {OWN_BYTES}
local_back:
    ISETP.UGE P0, R4, R0
    @P0 BRA local_is_back
    IADD R3, R1, R4
    LDG.32 R2, [R3 + {REGISTERS - OWN_BYTES}]
    STL.32 [R4], R2
    IADD R4, R4, 4
    BRA local_back
local_is_back:
    LDG.128 R0, [R6 + {REGISTERS + 0}]
    STL.32 [0], R0
    STL.32 [4], R1
    STL.32 [8], R2
    STL.32 [12], R3
    LDG.128 R0, [R6 + {REGISTERS + 16}]
    STL.32 [16], R0
    STL.32 [20], R1
    STL.32 [24], R2
    STL.32 [28], R3
    LDG.128 R0, [R6 + {REGISTERS + 32}]
    STL.32 [32], R0
    STL.32 [36], R1
    STL.32 [40], R2
    STL.32 [44], R3
%for R 12 252 4
    ISETP.ULE P0, R5, {4*R}
    @P0 BRA registers_are_back
    LDG.128 R{R}, [R6 + {REGISTERS + 4*R}]
%end
registers_are_back:
%for S 0 16 1
    LDG.32 R0, [R7 + {SCALARS + 4*S}]
    R2S S{S}, R0
%end
    // Tokens: those of YIELD from the first to the last, behind each other; then the others, from the last to the first.
    LDG.32 R2, [R7 + {COUNT}]
    IADD R1, R7, {WARP_BYTES}
    MOV R5, 0
    S2R R6, SR_LANEID
yields:
    ISETP.UGE P0, R5, R2
    @P0 BRA others
    LDG.32 R3, [R1]
    SHR R4, R3, 28
    ISETP.NE P0, R4, 8                  // YIELD
    @P0 BRA no_yield
    R2S TPC, R3
    LDG.32 R3, [R1 + 4]
    LDG.32 R4, [R1 + 8]
    ISETP.GE P0, R6, 32
    SEL R3, R4, R3, P0
    AND R4, R6, 31
    SHR R3, R3, R4
    AND R3, R3, 1
    ISETP.EQ P0, R3, 1
    @P0 TPUSH.YIELD
no_yield:
    IADD R1, R1, 16
    IADD R5, R5, 1
    BRA yields
others:
    ISETP.EQ P0, R5, 0
    @P0 BRA tokens_are_back
    ISUB R5, R5, 1
    ISUB R1, R1, 16
    LDG.32 R3, [R1]
    SHR R4, R3, 28
    ISETP.EQ P0, R4, 8
    @P0 BRA others
    R2S TPC, R3
    LDG.32 R3, [R1 + 4]
    LDG.32 R2, [R1 + 8]
    ISETP.GE P0, R6, 32
    SEL R3, R2, R3, P0
    AND R2, R6, 31
    SHR R3, R3, R2
    AND R3, R3, 1
    ISETP.EQ P3, R3, 1
%kinds
    ISETP.EQ P0, R4, {NUMBER}
    PSETP.AND P0, P0, P3
    @P0 TPUSH.{KIND}
%end
    BRA others
tokens_are_back:
    // Why each thread is off: bit i of it is in plane i.
    MOV R5, 0
%for K 0 4 1
    LDG.32 R3, [R7 + {REASONS + 8*K}]
    LDG.32 R4, [R7 + {REASONS + 8*K + 4}]
    ISETP.GE P0, R6, 32
    SEL R3, R4, R3, P0
    AND R4, R6, 31
    SHR R3, R3, R4
    AND R3, R3, 1
    SHL R3, R3, {K}
    OR R5, R5, R3
%end
%reasons
    ISETP.EQ P0, R5, {NUMBER}
    @P0 TREASON.{KIND}
%end
    R2S TPC, R10
    S2R R0, SR_WARPID
    MOV R1, 1
    SHL R1, R1, R0
    XOR R1, R1, 0xFFFFFFFF
    @P1 ATOMG.AND RZ, [R8 + {WARPS_SAVED}], R1     // it is no longer among the saved
    ISETP.EQ P3, R0, R0

    // The last warp to come back gives the record back, unless others have left again meanwhile.
back:
    MOV R1, 0xFFFFFFFF
    MOV R0, 0
    @P1 ATOMG.ADD R0, [R8 + {TO_COME}], R1
    SHFL R0, R0, 0
    ISETP.NE P0, R0, 1
    @P0 BRA on
    LDG.32 R0, [R8 + {WARPS_SAVED}]
    ISETP.NE P0, R0, 0
    @P0 BRA on
    LDG.32 R7, [R9 + {TANDEM_SAVE_POOL}]
    MOV R1, 1
lock_free:
    MOV R0, 0
    @P1 ATOMG.XCHG R0, [R7 + {LOCK}], R1
    SHFL R0, R0, 0
    ISETP.NE P0, R0, 0
    @P0 BRA lock_free
    LDG.32 R0, [R7 + {FREE}]
    @P1 STG.32 [R8 + {NEXT}], R0
    @P1 STG.32 [R7 + {FREE}], R8
    MEMBAR
    @P1 STG.32 [R7 + {LOCK}], RZ
    R2S CTA_RECORD, RZ
    @!P3 BRA out
on:
    @!P3 BRA leave
    R2P R11, 0x7F
    LDL.32 R0, [0]
    LDL.32 R1, [4]
    LDL.32 R2, [8]
    LDL.32 R3, [12]
    LDL.32 R4, [16]
    LDL.32 R5, [20]
    LDL.32 R6, [24]
    LDL.32 R7, [28]
    LDL.32 R8, [32]
    LDL.32 R9, [36]
    LDL.32 R10, [40]
    LDL.32 R11, [44]
    TRET
