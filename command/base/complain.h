/* complain.h - exit codes, and the one line on stderr that says what is wrong. */
#ifndef BENCH_COMPLAIN_H
#define BENCH_COMPLAIN_H

#include <stddef.h>

/** Exit codes of the command. After a signal: 128 + its number. 74 is EX_IOERR of sysexits.h. */
enum {
    BENCH_EXIT_OK = 0,
    BENCH_EXIT_FAILED = 1, /**< an integration or a check failed */
    BENCH_EXIT_USAGE = 2,  /**< the command line asks for something that is not there or makes no sense */
    BENCH_EXIT_IO = 74     /**< a file or standard output could not be written */
};

/** Write "resida: ...", exactly one line, on stderr. @return code, so that `return bench_complain(...)` reads well. */
int bench_complain(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** From now on complaints go into text [size], the first one stays; NULL: to stderr again. The text is the caller's and
 *  empty before. */
void bench_complain_divert(char *text, size_t size);

/** "resida: out of memory" @return BENCH_EXIT_FAILED */
int bench_no_memory(void);

/** "resida: MODEL: message"; the name is not repeated when the message begins with it. @return code */
int bench_complain_model(int code, const char *model, const char *message);

/** "WHAT: built without FEATURE; install ...", by the table of meson.build. @return code */
int bench_complain_lack(int code, const char *what, const char *feature);

/** Complain about a file or stream by errno: "cannot write traj.csv: No space left on device". A closed pipe is not
 *  worth a line: whoever reads has seen enough. @return BENCH_EXIT_IO */
int bench_complain_io(const char *verb, const char *what);

#endif
