// The program of the picture in divergence.md: a loop with a branch in it, which its threads leave after different turns.
// Thread 0 leaves after the first turn, 1 and 2 after the second, 3 after the third. Odd and even threads go different ways in each.
.kernel main
    S2R R0, SR_LANEID
    AND R2, R0, 1
    ISETP.NE P1, R2, 0
    MOV R1, -1
    PBRK out                 // who breaks goes on at out
loop:
    SSY join                 // who synchronizes goes on at join
    @P1 BRA odd
    IADD R3, R3, 2
    SYNC
odd:
    IADD R3, R3, 1
    SYNC
join:
    IADD R1, R1, 2
    ISETP.GT P0, R1, R0
    @P0 BRK
    BRA loop
out:
    EXIT
