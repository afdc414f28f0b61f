/* last_words.h - handling of crashes and exit(), and an alarm that ends the process if all else fails. */
#ifndef CMD_LAST_WORDS_H
#define CMD_LAST_WORDS_H

/** Signals of a crash, terminated by 0. */
extern const int cmd_crash_signals[];

/** Install handlers that report crashes and exit() to the watchdog. */
void cmd_crash_install(void);

/** End the process with this exit code if it has not ended after this number of seconds. */
void cmd_crash_set_alarm(unsigned seconds, int code);

/** End the process immediately with that code and one line on standard error. Safe in a signal handler. */
void cmd_crash_exit_now(void);

/** End the process by a signal with its default action. */
void cmd_crash_raise_default(int signal);

#endif
