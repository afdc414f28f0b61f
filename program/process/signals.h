/* signals.h - Ctrl-C ends cleanly, a second one at once; see watchdog.h for a model that does not let it. */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

/** Catch SIGINT, SIGTERM, SIGHUP (unless they are ignored already, as under nohup); let writes to a closed pipe fail
 *  with EPIPE instead of killing. */
void cmd_signals_install(void);

/** The signal that asked to stop, 0 if none did. */
int cmd_signal_caught(void);

/** The same as a monitor of a solver (resida_monitor_fn), which needs neither argument. */
int cmd_signal_monitor(double t, void *user);

/** What a child that runs code of models does first: crashes are its own, without a core file, signals of the terminal
 *  are not for it, and it reads and writes nothing. */
void cmd_signals_settle_child(void);

/** Remove the file that is set. Safe in a signal handler. */
void cmd_signals_remove_now(void);

/** A file to remove when a second signal kills the process; NULL: none any more. */
void cmd_signals_remove_file(const char *path);

#endif
