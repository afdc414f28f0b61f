/* plugin_trial.c - loading a shared object runs code of it, and the loader believes its tables. So a child loads it
 * first: what that does to the child is said in words, and the command never tries. The child says by a byte how far it
 * came: exit() in the plugin does not. A file that is refused in words is fine here: the command finds the same words
 * again.
 *
 * It costs a fork and a second loading, a few milliseconds. */
#include "plugin_trial.h"

#include "complain.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <resida/model.h>
#include <signal.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 20, POLL_MS = 50, PATIENCE = PATIENCE_S * 1000 / POLL_MS };
enum { LOADING = 'l', UNLOADING = 'u', REFUSED = 'r', DONE = 'd' };

typedef struct trial {
    const char *path;
    pid_t pid;
    int pipe;
    char stage;  /**< the last byte */
    int gave_up; /**< it was ended from here */
} trial;

/** No core file for a crash that is reported, no words of the plugin (it says them again), no life of its own. */
static void settle(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0) _exit(BENCH_EXIT_FAILED);
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static void tell(int pipe, char stage)
{
    if (write(pipe, &stage, 1) != 1) _exit(BENCH_EXIT_FAILED);
}

/** Everything in the child, which does not return. */
static void load(const char *path, int pipe)
{
    resida_plugin_handle *plugin = NULL;
    const resida_model_class *cls = NULL;
    settle();
    tell(pipe, LOADING);
    int refused = resida_plugin_open(&plugin, path, &cls, NULL) < 0;
    if (!refused) tell(pipe, UNLOADING);
    resida_plugin_close(plugin);
    tell(pipe, refused ? REFUSED : DONE);
    _exit(BENCH_EXIT_OK);
}

/** Read until the child has ended, the user has seen enough, or it takes too long; then it is ended. */
static void attend(trial *t)
{
    struct pollfd there = {.fd = t->pipe, .events = POLLIN};
    for (int polls = 0;;) { /* not by the clock: it may have been stopped in between */
        int ready = poll(&there, 1, POLL_MS);
        if (ready > 0 && read(t->pipe, &t->stage, 1) == 0) return;
        polls += ready == 0;
        if (!bench_signal_caught() && polls < PATIENCE) continue;
        t->gave_up = 1;
        kill(t->pid, SIGKILL);
        return;
    }
}

/** What has become of it. */
static int judge(const trial *t, int how)
{
    const char *when = t->stage == LOADING ? "when it is loaded" : "when it is unloaded";
    if (bench_signal_caught()) return 128 + bench_signal_caught();
    if (t->gave_up)
        return bench_complain(BENCH_EXIT_USAGE, "%s: does not return %s, in %d s", t->path, when, PATIENCE_S);
    if (WIFSIGNALED(how))
        return bench_complain(BENCH_EXIT_USAGE, "%s: crashes %s: signal %d (%s)", t->path, when, WTERMSIG(how),
                              strsignal(WTERMSIG(how)));
    if (t->stage == REFUSED || t->stage == DONE) return 0;
    return bench_complain(BENCH_EXIT_USAGE, "%s: ends the process %s, with code %d", t->path, when, WEXITSTATUS(how));
}

int bench_plugin_trial(const char *path)
{
    int ends[2], how = 0;
    if (pipe(ends) != 0) return bench_complain(BENCH_EXIT_FAILED, "no pipe to try %s: %s", path, strerror(errno));
    trial t = {.path = path, .pipe = ends[0], .stage = LOADING};
    t.pid = fork();
    if (t.pid == 0) load(path, ends[1]);
    close(ends[1]);
    if (t.pid > 0) attend(&t);
    int failed = t.pid < 0 ? errno : 0;
    close(ends[0]);
    if (failed) return bench_complain(BENCH_EXIT_FAILED, "no process to try %s: %s", path, strerror(failed));
    while (waitpid(t.pid, &how, 0) < 0 && errno == EINTR) continue;
    return judge(&t, how);
}
