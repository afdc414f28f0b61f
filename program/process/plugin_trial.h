/* plugin_trial.h - an unknown plugin is loaded in a process of its own first. */
#ifndef CMD_PLUGIN_TRIAL_H
#define CMD_PLUGIN_TRIAL_H

/** Load a plugin and unload it again in a child process, which may crash, end, or never come back.
 *  @return 0: it came through, whatever the loader says of the file; CMD_EXIT_USAGE after one complaint; 128 +
 *  signal */
int cmd_plugin_trial(const char *path);

#endif
