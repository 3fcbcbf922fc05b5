// A switch by a jump table with BRX: the warp splits into eight groups, one case goes on with the next, all meet.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-7 TD-18
// arg out global 384 zero
// expect out: 100 601 302 803 504 315 706 407 108 609 310 811 512 323 714 415 116 617 318 819 520 331 722 423 124 625 326
// more: 827 528 339 730 431 132 633 334 835 536 347 738 439 140 641 342 843 544 355 746 447 148 649 350 851 552 363
// more: 754 455 156 657 358 859 560 371 762 463 164 665 366 867 568 379 770 471 172 673 374 875 576 387 778 479 180
// more: 681 382 883 584 395 786 487 188 689 390 891 592 403 794 495
//
// variant jmx: JMX for BRX
// Absolute addresses.
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    MOV R7, 5
    IMUL R5, R0, R7
    AND R5, R5, 7
    SHL R5, R5, 1                // a case has two instructions
    MOV R6, 0
    SSY end
    BRX R5, case0
case0:
    IADD R6, R6, 100
    SYNC
case1:
    IADD R6, R6, 10              // goes on with the next case
    NOP
case2:
    IADD R6, R6, 300
    SYNC
case3:
    IADD R6, R6, 400
    SYNC
case4:
    IADD R6, R6, 500
    SYNC
case5:
    IADD R6, R6, 600
    SYNC
case6:
    IADD R6, R6, 700
    SYNC
case7:
    IADD R6, R6, 800
    SYNC
end:
    BAR                          // faults unless the whole warp has met
    IADD R6, R6, R0
    STG.32 [R3], R6
    EXIT
