// Each thread enters its number into a record of four words that belong together: how many, their sum, the smallest, the
// largest. No single atomic can do that, so a lock guards the record.
.kernel locked_record
.arg global lock                 // one word, 0: free
.arg global record               // count, sum, smallest, largest
.arg global numbers              // one for each thread
    S2R R0, SR_CTAID_X
    S2R R1, SR_NTID_X
    S2R R2, SR_TID_X
    IMAD R0, R0, R1, R2          // number of this thread
    LDC.32 R3, c[0][0x40]        // &lock
    LDC.32 R4, c[0][0x44]        // &record
    LDC.32 R5, c[0][0x48]        // numbers
    SHL R6, R0, 2
    IADD R5, R5, R6
    LDG.32 R7, [R5]              // the thread's number
    MOV R8, 1
    SSY done                     // the threads of a warp part in the loop, and meet again at done
take:
    ATOMG.CAS R9, [R3], RZ, R8   // the lock was free, and is ours now?
    ISETP.EQ P0, R9, 0
    @P0 BRA inside
    YIELD                        // no: let the other threads of the warp go on, one of them may hold it
    BRA take
inside:
    LDG.32 R10, [R4]
    LDG.32 R11, [R4 + 4]
    LDG.32 R12, [R4 + 8]
    LDG.32 R13, [R4 + 12]
    IADD R10, R10, 1
    IADD R11, R11, R7
    ISETP.ULT P1, R7, R12
    @P1 MOV R12, R7
    ISETP.UGT P1, R7, R13
    @P1 MOV R13, R7
    STG.32 [R4], R10
    STG.32 [R4 + 4], R11
    STG.32 [R4 + 8], R12
    STG.32 [R4 + 12], R13
    MEMBAR                       // the record is written before the lock is free
    ATOMG.XCHG RZ, [R3], RZ
    SYNC done
done:
    EXIT
