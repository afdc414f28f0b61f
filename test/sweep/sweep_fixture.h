/* sweep_fixture.h - plans and tables of sweeps. Every failure ends the test. */
#ifndef RESIDA_TEST_SWEEP_FIXTURE_H
#define RESIDA_TEST_SWEEP_FIXTURE_H

#include "test/command/command_fixture.h"

/** Write a text into a file of the current folder; %s stands for the path of plugin_faults.so. */
void sweep_write_plan(const char *path, const char *text);

/** All cells of the table of cases, types and bytes, in their order: equal texts are equal tables. To be freed. */
char *sweep_table(const char *path);

/** The first cell of the first row of an answer as a number, or as a word in a buffer that the next call overwrites. */
double sweep_number(const char *path, const char *sql);
const char *sweep_word(const char *path, const char *sql);

/** Which of the cases [n] have a row, 0 or 1 each; none without a file or tables; has may be NULL with n = 0.
 *  @return how many have */
int sweep_rows(const char *path, char *has, int n);

/** Process ids of the children of a process, most at most. @return how many */
int sweep_children(pid_t pid, pid_t *children, int most);

/** The same, as soon as there are n of them; a test that waits too long ends. */
void sweep_wait_for_children(pid_t pid, pid_t *children, int n);

/** Wait so many microseconds, less than a second. */
void sweep_nap(long us);

#endif
