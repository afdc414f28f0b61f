/* interface.h - what the functions of FMI 2.0 and 3.0 share: the instance of the importer, and its reports. */
#ifndef FMU_INTERFACE_H
#define FMU_INTERFACE_H

#include "component.h"

/** Exported functions. The headers of FMI, which a build does not need, declare them. ALSO exports a function under a
 *  second name. Arguments after those of the function are not read. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define FMI        __attribute__((visibility("default")))
#define ALSO(name) __attribute__((visibility("default"), alias(name)))

/** A function that the description excludes. */
#define MISSING(name)                                                                                                  \
    FMI int name(const fmu *f)                                                                                         \
    {                                                                                                                  \
        return fmu_refuse(f, #name);                                                                                   \
    }

/** Status of FMI 2.0 and 3.0. */
enum { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR };

/** An instance of the importer. */
typedef struct fmu fmu;
struct fmu {
    component *c;
    /** Pass a line to the logger of this version. */
    void (*report)(const fmu *f, int status, const char *category, const char *text);
    void (*logger)(void);
    void *environment;
    char *name;
    int logs; /**< 1: warnings are reported too */
};

/** Make an instance of `about`. @return NULL after a report */
fmu *fmu_make(fmu about, const char *resources, const char *token, int is_possible);

/** Report a line. @return status */
int fmu_report(const fmu *f, int status, const char *text);

/** Return FMU_OK, or FMU_ERROR after a report of `said`, if result < 0. */
int fmu_result(const fmu *f, int result);

/** Compute directional derivatives; failures discard the call. @return status */
int fmu_derivative(fmu *f, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns, size_t n_knowns,
                   const double *seed, double *sensitivity);

/** Report a call that is not possible in this phase, or that the description excludes. @return FMU_ERROR */
int fmu_refuse(const fmu *f, const char *function);

#endif
