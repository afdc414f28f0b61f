/* fmu_fixture.h - FMUs of the tests: their archives, made of descriptions and of binaries that the build made. */
#ifndef TEST_FMU_FIXTURE_H
#define TEST_FMU_FIXTURE_H

#include <stddef.h>

#include "test/fixtures/file_util.h"

/** A file of an archive. */
typedef struct fmu_entry {
    const char *name;
    const void *bytes;
    size_t size;
    unsigned mode; /**< of Unix, with its kind; 0: nothing is said */
} fmu_entry;

/** Write an archive. */
void fmu_pack(const char *path, const fmu_entry *entries, int n);

/** An FMU as a table: description, binary of the build ("fmu_ball3"), its name, and its manifest. */
typedef struct fmu_recipe {
    const char *description;
    const char *identifier; /**< of the description */
    const char *binary;     /**< NULL: none */
    const char *platform;   /**< NULL: of this machine */
    const char *manifest;   /**< NULL: none */
    const char *resource;   /**< words of resources/words.txt; NULL: none */
} fmu_recipe;

void fmu_write(const char *path, const fmu_recipe *recipe);

/** The recipes that the tests begin with. */
extern const char fmu_oscillator_2[], fmu_oscillator_3[], fmu_ball_2[], fmu_ball_3[], fmu_pendulum_3[],
    fmu_pendulum_manifest[], fmu_pendulum_draft[], fmu_rod_array[], fmu_pendulum_implicit[], fmu_levels_2[],
    fmu_levels_3[], fmu_types_3[], fmu_mass_2[], fmu_mass_3[], fmu_habits_2[];
const char *fmu_rod_3(int with_dependencies);

/** Write NAME.fmu in the current folder, with NAME one of: oscillator2, oscillator3, ball2, ball3, rod, rod-bare,
 *  rod-array, levels2, levels3, types3, mass2, mass3, habits2, pendulum, pendulum-draft, pendulum-implicit; the last
 *  three with ", directed" behind them provide directional derivatives. */
void fmu_make(const char *name);

/** Write an SSP: SystemStructure.ssd with these elements of a system named "sys" and of what follows it, and FMUs
 *  [n] that lie in the current folder, as resources/NAME.fmu. */
void fmu_write_system(const char *path, const char *system, const char *behind, const char *const *names, int n);

/** Row `row` of a.csv, from 0 on, x [n], after a run that has to succeed. */
void fmu_run_row(const char *line, int row, double *x, int n);

/** Files in the folder of temporary files that FMUs left there. */
int fmu_left_behind(const char *folder);

#endif
