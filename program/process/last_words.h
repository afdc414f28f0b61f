/* last_words.h - crashes and exit() are caught, and a last resort ends the process when nothing else works. */
#ifndef CMD_LAST_WORDS_H
#define CMD_LAST_WORDS_H

/** Signals of a crash, closed by 0. */
extern const int cmd_crash_signals[];

/** Have crashes and exit() reported to the watchdog. */
void cmd_last_words_install(void);

/** Should the process not have ended by itself in so many seconds, end it with this exit code. */
void cmd_last_words_in(unsigned seconds, int code);

/** End it now, with that code, with nothing but a line on standard error. Safe in a signal handler. */
void cmd_last_words_now(void);

/** Die by a signal, as if it had not been caught. */
void cmd_last_words_die(int signal);

#endif
