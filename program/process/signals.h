/* signals.h - clean termination after Ctrl-C, immediate after a second one; see watchdog.h for stuck models. */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

/** Catch SIGINT, SIGTERM, SIGHUP unless they are ignored, as under nohup. Ignore SIGPIPE, so that writes to a closed
 *  pipe fail with EPIPE. */
void cmd_signals_install(void);

/** Return the signal that requested termination, or 0. */
int cmd_signal_caught(void);

/** A monitor of a solver (resida_monitor_fn) that returns 1 after a signal. Both arguments are unused. */
int cmd_signal_monitor(double t, void *user);

/** Prepare a child that executes code of models: crashes have their default actions and no core file, signals of the
 *  terminal are ignored, standard streams are connected to /dev/null. */
void cmd_signals_prepare_child(void);

/** Remove the file set by cmd_signals_remove_file(). Safe in a signal handler. */
void cmd_signals_remove_now(void);

/** Set a file to remove when a second signal ends the process, or NULL for none. */
void cmd_signals_remove_file(const char *path);

#endif
