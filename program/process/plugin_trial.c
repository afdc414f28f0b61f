/* plugin_trial.c - loading a shared object executes its code, and the loader trusts its tables. Therefore a child
 * process loads it first. If the child fails, the failure is reported and the command does not load the file. The child
 * sends a byte for each stage; a plugin that calls exit() does not reach the next stage. A file that the library
 * refuses passes this trial: the command then gets the same message.
 *
 * The trial costs a fork and a second loading, a few milliseconds. */
#include "plugin_trial.h"

#include "program/base/complain.h"
#include "signals.h"

#include "subprocess.h"

#include <errno.h>
#include <poll.h>
#include <resida/model.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 20, POLL_MS = 50, PATIENCE = PATIENCE_S * 1000 / POLL_MS };
enum { LOADING = 'l', UNLOADING = 'u', REFUSED = 'r', DONE = 'd' };

typedef struct trial {
    const char *path;
    bench_subprocess child;
    char stage;  /**< last stage received */
    int gave_up; /**< 1 if the child was killed */
} trial;

static void send_stage(int socket, char stage)
{
    if (write(socket, &stage, 1) != 1) _exit(CMD_EXIT_FAILED);
}

/** Load and unload the plugin. Runs in the child. */
static int load_in_child(int socket, void *context)
{
    const trial *t = context;
    resida_plugin_handle *plugin = NULL;
    const resida_model_class *cls = NULL;
    cmd_signals_prepare_child(); /* suppresses output of the plugin, which is repeated in the command */
    send_stage(socket, LOADING);
    int refused = resida_plugin_open(&plugin, t->path, &cls, NULL) < 0;
    if (!refused) send_stage(socket, UNLOADING);
    resida_plugin_close(plugin);
    send_stage(socket, refused ? REFUSED : DONE);
    return CMD_EXIT_OK;
}

/** Read stages until the child ends, a signal arrives, or the time limit is exceeded. Then kill the child. */
static void wait_for_stages(trial *t)
{
    struct pollfd there = {.fd = t->child.socket, .events = POLLIN};
    for (int polls = 0;;) { /* counts polls, not time, because the process may be stopped */
        int ready = poll(&there, 1, POLL_MS);
        if (ready > 0 && read(t->child.socket, &t->stage, 1) == 0) return;
        polls += ready == 0;
        if (!cmd_signal_caught() && polls < PATIENCE) continue;
        t->gave_up = 1;
        kill(t->child.pid, SIGKILL);
        return;
    }
}

/** Report the result of the trial. */
static int report_trial(const trial *t, int how)
{
    const char *when = t->stage == LOADING ? "when it is loaded" : "when it is unloaded";
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    if (t->gave_up)
        return cmd_complain(CMD_EXIT_USAGE, "%s: does not return %s within %d s", t->path, when, PATIENCE_S);
    if (WIFSIGNALED(how))
        return cmd_complain(CMD_EXIT_USAGE, "%s: crashes %s: signal %d (%s)", t->path, when, WTERMSIG(how),
                            strsignal(WTERMSIG(how)));
    if (t->stage == REFUSED || t->stage == DONE) return 0;
    return cmd_complain(CMD_EXIT_USAGE, "%s: ends the process %s, with code %d", t->path, when, WEXITSTATUS(how));
}

int cmd_plugin_trial(const char *path)
{
    trial t = {.path = path, .stage = LOADING};
    if (bench_subprocess_start(&t.child, load_in_child, &t) != 0)
        return cmd_complain(CMD_EXIT_FAILED, "cannot start a process to load %s: %s", path, strerror(errno));
    wait_for_stages(&t);
    return report_trial(&t, bench_subprocess_end(&t.child));
}
