/* signals.c - the first SIGINT, SIGTERM or SIGHUP sets a flag, which the monitor of the solver reads before every step
 * attempt, and wakes the watchdog, which waits for that to help. The second one removes the unfinished file and takes
 * its default action. Handlers use nothing but sig_atomic_t, sem_post(), unlink(), sigaction() and raise(), all safe in
 * a handler (POSIX.1-2008). */
#include "signals.h"

#include "watchdog.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static volatile sig_atomic_t file_is_set;
static char file[PATH_MAX];

void bench_signals_remove_now(void)
{
    if (file_is_set) unlink(file);
}

static void on_signal(int number)
{
    if (!caught) {
        int kept = errno;
        caught = number;
        bench_watchdog_wake();
        errno = kept;
        return;
    }
    bench_signals_remove_now();
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

void bench_signals_install(void)
{
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    catch_signal(SIGHUP);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
}

int bench_signal_caught(void)
{
    return caught;
}

int bench_signal_monitor(double t, void *user)
{
    (void)t, (void)user;
    return caught != 0;
}

void bench_signals_remove_file(const char *path)
{
    file_is_set = 0;
    if (!path || strlen(path) >= sizeof file) return;
    strcpy(file, path);
    file_is_set = 1;
}
