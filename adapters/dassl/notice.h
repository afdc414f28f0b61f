/* notice.h - what the library says: one line on stderr, as the routines themselves print, and what it did, into a file
 * that the environment names: RESIDA_DASSL_LOG=FILE. */
#ifndef DAS_NOTICE_H
#define DAS_NOTICE_H

#include "arguments.h"

/** What an integration has done. */
typedef struct das_counts {
    long steps, residuals, jacobians, root_calls, error_fails, newton_fails, iterations;
} das_counts;

/** "DDASSL: text" */
void das_say(das_routine routine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** What is said once in a process. */
typedef enum das_said { DAS_SAID_GIVEN_UP, DAS_SAID_DDANRM, DAS_SAID_DDWNRM, DAS_SAYINGS } das_said;

void das_say_once(das_said what, das_routine routine, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** A call is over: what it added. began: it was the first one of an integration; anew: one began anew. At the end of
 *  the process the sums go into the file. */
void das_note(das_routine routine, int began, int anew, const das_counts *before, const das_counts *after);

#endif
