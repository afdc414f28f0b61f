/* subprocess.c - a bidirectional socket to a child closes when the child ends. Therefore each side needs only one
 * descriptor, and the end is detected without a signal. If a program cannot be executed, errno is sent through the
 * socket; otherwise the socket closes on exec. */
#include "subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_EXECUTED = 127 }; /* exit code as in a shell */

int bench_read_all(int fd, void *bytes, size_t size)
{
    for (size_t n = 0; n < size;) {
        const ssize_t got = read(fd, (char *)bytes + n, size - n);
        if (got == 0 || (got < 0 && errno != EINTR)) return -1;
        if (got > 0) n += (size_t)got;
    }
    return 0;
}

int bench_write_all(int fd, const void *bytes, size_t size)
{
    for (size_t n = 0; n < size;) {
        const ssize_t done = write(fd, (const char *)bytes + n, size - n);
        if (done < 0 && errno != EINTR) return -1;
        if (done > 0) n += (size_t)done;
    }
    return 0;
}

/** Let the child end with its parent, which may have ended already. */
static void end_with_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) _exit(EXIT_FAILURE);
}

int bench_subprocess_start(bench_subprocess *p, bench_subprocess_fn *work, void *context)
{
    int ends[2];
    const pid_t parent = getpid();
    *p = (bench_subprocess){0};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
    const pid_t pid = fork();
    const int why = errno;
    if (pid == 0) {
        end_with_parent(parent);
        close(ends[0]);
        _exit(work(ends[1], context));
    }
    close(ends[1]);
    if (pid > 0) {
        *p = (bench_subprocess){pid, ends[0]};
        return 0;
    }
    close(ends[0]);
    errno = why;
    return -1;
}

typedef struct program {
    const char *const *arguments;
    int streams[3];
} program;

static int execute_program(int socket, void *context)
{
    const program *it = context;
    int failed = fcntl(socket, F_SETFD, FD_CLOEXEC) < 0;
    for (int i = 0; i < 3 && !failed; i++) failed = dup2(it->streams[i], i) < 0;
    if (!failed) execvp(it->arguments[0], (char *const *)(uintptr_t)it->arguments);
    const int why = errno;
    bench_write_all(socket, &why, sizeof why);
    return NOT_EXECUTED;
}

int bench_subprocess_execute(bench_subprocess *p, const char *const *arguments, int in, int out, int err)
{
    program it = {arguments, {in, out, err}};
    int why = 0;
    if (bench_subprocess_start(p, execute_program, &it) != 0) return -1;
    if (bench_read_all(p->socket, &why, sizeof why) != 0) return 0; /* socket closed: the program runs */
    bench_subprocess_end(p);
    errno = why;
    return -1;
}

int bench_subprocess_has_ended(const bench_subprocess *p)
{
    siginfo_t end = {0};
    return waitid(P_PID, (id_t)p->pid, &end, WEXITED | WNOHANG | WNOWAIT) != 0 ? errno != EINTR : end.si_pid != 0;
}

int bench_subprocess_end(bench_subprocess *p)
{
    int status = 0;
    close(p->socket);
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) continue;
    *p = (bench_subprocess){0};
    return status;
}

int bench_subprocess_kill(bench_subprocess *p)
{
    kill(p->pid, SIGKILL);
    return bench_subprocess_end(p);
}

int bench_subprocess_code(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
