# tuned.sed - a header of constants, "#define RSD_NAME 1.5 /* ... */", for a build with -Dablation=true. Those
# of the constant tables in convergence.c stay. Each compilation includes both headers, in this order, also without the
# folders of the library; therefore the include of the first one in the second is left out.
/^#include/d
/RSD_(USUAL_ITERATIONS|WORST_RATE|MAX_ITERATIONS|MAX_TO_ROUNDING|MAX_LAST_VARIABLE|MAX_LAST_CORRECTION|RENEWAL_RATE) /b
s/^#define RSD_([A-Z_]+) +([0-9][0-9.e+-]*)/#define RSD_\1 rsd_tuned("\1", \2)/
s/^(#define RSD_.*TUNING_H)$/\1\
double rsd_tuned(const char *name, double value);/
