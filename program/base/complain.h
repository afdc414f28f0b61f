/* complain.h - exit codes, and the one line on stderr that says what is wrong. */
#ifndef CMD_COMPLAIN_H
#define CMD_COMPLAIN_H

#include <stddef.h>
#include <stdio.h>

/** Exit codes of the command. After a signal: 128 + its number. 74 is EX_IOERR of sysexits.h. */
enum {
    CMD_EXIT_OK = 0,
    CMD_EXIT_FAILED = 1, /**< an integration or a check failed */
    CMD_EXIT_USAGE = 2,  /**< the command line asks for something that is not there or makes no sense */
    CMD_EXIT_IO = 74     /**< a file or standard output could not be written */
};

/** The program that complains, a name that stays where it is; before that it is "resida". */
void cmd_complain_as(const char *name);
const char *cmd_program_name(void);

/** Write "resida: ...", exactly one line, on stderr. @return code, so that `return cmd_complain(...)` reads well. */
int cmd_complain(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** From now on complaints go into text [size], the first one stays; NULL: to stderr again. The text is the caller's and
 *  empty before. */
void cmd_complain_divert(char *text, size_t size);

/** 1: from here on a note (code 0) that differs from one before by its numbers alone is left out, as where a model is
 *  made again with other parameters; 0: all are said. */
void cmd_complain_once(int on);

/** "resida: out of memory" @return CMD_EXIT_FAILED */
int cmd_no_memory(void);

/** "resida: MODEL: message"; the name is not repeated when the message begins with it. @return code */
int cmd_complain_model(int code, const char *model, const char *message);

/** "WHAT: built without FEATURE; install ...", by the table of meson.build. @return code */
int cmd_complain_lack(int code, const char *what, const char *feature);

/** Complain by errno about a file of the command line that cannot be read. @return CMD_EXIT_USAGE */
int cmd_complain_unread(const char *file);

/** Complain about a file or stream by errno: "cannot write traj.csv: No space left on device". A closed pipe is not
 *  worth a line: whoever reads has seen enough. @return CMD_EXIT_IO */
int cmd_complain_io(const char *verb, const char *what);

/** Complain that what was written to a stream does not arrive: "cannot write WHAT: reason". A stream keeps that a write
 *  has failed, but not why, and errno may be that of something else by now: one more byte is written, for its reason.
 *  Without a failed write, by errno. @return CMD_EXIT_IO */
int cmd_complain_unwritten(FILE *stream, const char *what);

#endif
