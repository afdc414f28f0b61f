/* fmu_drive.h - an importer of FMUs for Co-Simulation that does not use the adapter: it unpacks the archive, loads the
 * binary and calls the C interface in the order in which FMPy does (FMI 2.0 and 3.0). */
#ifndef TEST_FMU_DRIVE_H
#define TEST_FMU_DRIVE_H

#include <stddef.h>

/** Status of FMI. */
enum { DRIVE_OK = 0, DRIVE_WARNING = 1, DRIVE_DISCARD = 2, DRIVE_ERROR = 3 };

/** An unpacked FMU and its loaded binary. */
typedef struct drive_fmu {
    int version; /**< 2 or 3 */
    char folder[128], resources[256], token[128];
    char *description;
    void *library;
} drive_fmu;

/** An instance, and what it reported. */
typedef struct drive {
    const drive_fmu *fmu;
    void *instance;
    int n_lines;      /**< reported errors, warnings and discarded steps */
    char line[512];   /**< the last of them */
    int ends;         /**< 1: the last step ended the run */
    double t_reached; /**< [s] by the last step */
} drive;

/** Unpack and load; every failure ends the test. It is closed with the claim. */
void drive_open(drive_fmu *fmu, const char *path);

/** Make an instance with this token, or that of the FMU (NULL). `d->instance` is NULL if the FMU refused. It
 *  is freed with the claim. */
void drive_make(drive *d, const drive_fmu *fmu, const char *token);

/** Set up the experiment and enter initialization. @return status */
int drive_enter(drive *d, double tolerance, double t0, double t_stop);
int drive_exit(drive *d);

/** From drive_make() to the first step; every failure ends the test. */
void drive_start(drive *d, const drive_fmu *fmu, double tolerance, double t_stop);

/** Set and get a variable by name. @return status */
int drive_set(drive *d, const char *name, double value);
int drive_set_text(drive *d, const char *name, const char *text);
int drive_get(drive *d, const char *name, double *value);
double drive_value(drive *d, const char *name);

/** Get the derivative of an output by an input. @return status */
int drive_derivative(drive *d, const char *output, const char *input, double *value);

/** Set the first derivative of an input; FMI 2.0. */
int drive_set_rate(drive *d, const char *name, double value);

int drive_step(drive *d, double t, double h);

/** Take n steps of h from t, which have to succeed. @return the end */
double drive_run(drive *d, double t, double h, int n);

int drive_terminate(drive *d);
int drive_reset(drive *d);

/** Save, restore and free a state; copy it through its serialized form. @return status */
int drive_save(drive *d, void **state);
int drive_load(drive *d, void *state);
int drive_free_state(drive *d, void **state);
void drive_copy_state(drive *from, void *state, drive *to, void **copy);

#endif
