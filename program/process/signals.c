/* signals.c - the first SIGINT, SIGTERM or SIGHUP sets a flag, which the monitor of the solver reads before each step
 * attempt, and wakes the watchdog. The second signal removes the unfinished file and has its default action. Two
 * threads may handle two signals simultaneously; an atomic exchange determines the second one. Handlers use only
 * lock-free atomics, sem_post(), unlink(), sigaction() and raise(), all safe in a handler (POSIX.1-2008, C11). */
#include "signals.h"

#include "last_words.h"
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

static atomic_int caught;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a handler may use no lock");
static volatile sig_atomic_t file_is_set;
static char file[PATH_MAX];

void cmd_signals_remove_now(void)
{
    if (file_is_set) unlink(file);
}

static void on_signal(int number)
{
    int nothing = 0;
    if (atomic_compare_exchange_strong(&caught, &nothing, number)) {
        int kept = errno;
        cmd_watchdog_wake();
        errno = kept;
        return;
    }
    cmd_signals_remove_now();
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    sigaction(number, &by_default, NULL);
    raise(number);
}

static void catch_signal(int number)
{
    struct sigaction now, ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN) return;
    sigaction(number, &ours, NULL);
}

void cmd_signals_install(void)
{
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    catch_signal(SIGHUP);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL); /* then a write fails and is reported; SIGXFSZ: the same at ulimit -f */
    sigaction(SIGXFSZ, &ignore, NULL);
}

int cmd_signal_caught(void)
{
    return atomic_load(&caught);
}

int cmd_signal_monitor(double t, void *user)
{
    (void)t, (void)user;
    return atomic_load(&caught) != 0;
}

void cmd_signals_prepare_child(void)
{
    static const int theirs[] = {SIGINT, SIGHUP};
    const int null = open("/dev/null", O_RDWR);
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0);
#endif
    for (const int *number = cmd_crash_signals; *number; number++) signal(*number, SIG_DFL);
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) signal(theirs[i], SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (null < 0 || dup2(null, stream) < 0) _exit(EXIT_FAILURE);
}

void cmd_signals_remove_file(const char *path)
{
    file_is_set = 0;
    if (!path || strlen(path) >= sizeof file) return;
    strcpy(file, path);
    file_is_set = 1;
}
