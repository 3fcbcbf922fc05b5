// One function called from both arms of an if, and again behind it; CAL and JCAL, nested calls, an early return.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-6 TD-8 TD-18
// arg out global 384 zero
// expect out: 22 2 24 4 26 6 28 8 30 10 32 12 34 14 36 16 38 18 40 20 42 22 44 24 46 26 48 28 157 30 484 32 502 34 520 36 538
// more: 38 556 40 574 42 592 44 610 46 628 48 646 157 664 490 682 508 700 526 718 544 736 562 754 580 772 598 790 616 808 634
// more: 826 652 844 670 862 688 880 706 898 724 916 742 934 760 952 778 970 796 988 814 1006 832 1024 850 1042 868 1060 886
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    MOV R5, R0
    AND R6, R0, 1
    SSY join
    ISETP.EQ P0, R6, 0
    @P0 BRA even
    CAL R10, function
    IADD R5, R5, 1
    SYNC
even:
    IADD R5, R5, 20
    JCAL R10, function
    IADD R5, R5, 2
    SYNC
join:
    CAL R10, outer
    STG.32 [R3], R5
    EXIT
outer:
    CAL R11, function
    RET R10
function:                        // R5 = R5 < 50 ? R5 : 3 * R5 + 7
    ISETP.LT P1, R5, 50
    @P1 RET R11
    IMUL R5, R5, 3
    IADD R5, R5, 7
    RET R11
