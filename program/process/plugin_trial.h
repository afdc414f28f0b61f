/* plugin_trial.h - loads an unknown plugin first in a child process. */
#ifndef CMD_PLUGIN_TRIAL_H
#define CMD_PLUGIN_TRIAL_H

/** Load and unload a plugin in a child process, which may crash, exit or hang.
 *  @return 0 if the child has completed, also if the library refuses the file; CMD_EXIT_USAGE after one complaint; 128
 *  + signal */
int cmd_plugin_trial(const char *path);

#endif
