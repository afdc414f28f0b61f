/* last_words.c - handlers of crashes and exit(), which report to the watchdog. They have their own stack, because a
 * crash may be a stack overflow. The search for the callback may crash, too; the second crash is then reported without
 * a callback. A crash of the watchdog, and its alarm, end the process by functions that are safe in handlers: write(),
 * unlink(), _exit(). */
#define _XOPEN_SOURCE 700 /* sigaltstack() */

#include "last_words.h"

#include "program/base/complain.h"
#include "signals.h"
#include "watchdog.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const int cmd_crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, 0};

enum { STACK_SIZE = 1 << 17 };

static pid_t process;
static volatile sig_atomic_t crashes, exit_code = CMD_EXIT_FAILED;

void cmd_crash_raise_default(int number)
{
    sigset_t only;
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

static void print_and_exit(const char *words)
{
    cmd_signals_remove_now();
    const char *name = cmd_program_name();
    if (write(STDERR_FILENO, name, strlen(name)) < 0 || write(STDERR_FILENO, words, strlen(words)) < 0)
        _exit(CMD_EXIT_IO);
    _exit(exit_code);
}

void cmd_crash_exit_now(void)
{
    print_and_exit(": it crashed again while it ended; data that are not written are lost\n");
}

static void on_alarm(int number)
{
    (void)number;
    print_and_exit(": it does not end; data that are not written are lost\n");
}

void cmd_crash_set_alarm(unsigned seconds, int code)
{
    struct sigaction end = {.sa_handler = on_alarm};
    sigset_t only;
    exit_code = code;
    sigaction(SIGALRM, &end, NULL);
    sigemptyset(&only);
    sigaddset(&only, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    alarm(seconds);
}

static void on_crash(int number)
{
    cmd_place nowhere = {.callback = NULL};
    if (process != getpid()) cmd_crash_raise_default(number); /* a forked child has no result to save */
    int is_first = crashes++ == 0;
    cmd_watchdog_crashed(number, is_first ? cmd_whereabouts_find() : nowhere);
}

static void on_exit_called(void)
{
    if (process == getpid()) cmd_watchdog_exits(cmd_whereabouts_find());
}

void cmd_crash_install(void)
{
    static char room[STACK_SIZE];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    process = getpid();
    sigaltstack(&stack, NULL);
    for (const int *number = cmd_crash_signals; *number; number++) sigaction(*number, &crash, NULL);
    (void)atexit(on_exit_called); /* if this fails, exit() in a model ends the process with its code */
}
