/* complain.h - exit codes, and error messages of one line on stderr. */
#ifndef CMD_COMPLAIN_H
#define CMD_COMPLAIN_H

#include <stddef.h>
#include <stdio.h>

/** Exit codes of the command. After a signal: 128 + its number. 74 is EX_IOERR of sysexits.h. */
enum {
    CMD_EXIT_OK = 0,
    CMD_EXIT_FAILED = 1, /**< an integration or a check failed */
    CMD_EXIT_USAGE = 2,  /**< the command line is invalid or refers to something that does not exist */
    CMD_EXIT_IO = 74     /**< a file or standard output could not be written */
};

/** Set the name of the program in complaints, which must remain valid. The default is "resida". */
void cmd_complain_as(const char *name);
const char *cmd_program_name(void);

/** Write "resida: ..." as exactly one line on stderr. @return code, for use as `return cmd_complain(...)` */
int cmd_complain(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Write complaints to text [size] instead of stderr, or to stderr again if text is NULL. Only the first one is kept.
 *  The caller owns the text, which must be empty. */
void cmd_complain_to_text(char *text, size_t size);

/** If on is 1, omit notes (code 0) that equal a previous one except for numbers, for example if a model is created
 *  again with other parameters. If on is 0, write all notes. */
void cmd_complain_skip_repeated(int on);

/** Write "resida: out of memory". @return CMD_EXIT_FAILED */
int cmd_no_memory(void);

/** Write "resida: MODEL: message". The name is not repeated if the message begins with it. @return code */
int cmd_complain_model(int code, const char *model, const char *message);

/** Write "WHAT: built without FEATURE; install ...", from the table of meson.build. @return code */
int cmd_complain_missing(int code, const char *what, const char *feature);

/** Complain about a file of the command line that cannot be read, with errno. @return CMD_EXIT_USAGE */
int cmd_complain_unread(const char *file);

/** Complain about a file or stream with errno: "cannot write traj.csv: No space left on device". A closed pipe gives no
 *  line, because its reader has closed it on purpose. @return CMD_EXIT_IO */
int cmd_complain_io(const char *verb, const char *what);

/** Complain about a failed write to a stream: "cannot write WHAT: reason". A stream does not store the reason, and
 *  errno may have changed. Therefore another byte is written to get it. If the stream has no error, errno is used.
 *  @return CMD_EXIT_IO */
int cmd_complain_unwritten(FILE *stream, const char *what);

#endif
