/* subprocess.h - child processes: a function of this program with a socket, or another program. */
#ifndef BENCH_SUBPROCESS_H
#define BENCH_SUBPROCESS_H

#include <stddef.h>
#include <sys/types.h>

/** A child, and this end of its socket. A zeroed struct has none. */
typedef struct bench_subprocess {
    pid_t pid;
    int socket;
} bench_subprocess;

/** The function of a child, with its end of the socket. @return its exit code */
typedef int bench_subprocess_fn(int socket, void *context);

/** Fork a child that calls `work`. It ends with this process and runs no exit handlers.
 *  @return 0; -1 with errno, and *p is zeroed */
int bench_subprocess_start(bench_subprocess *p, bench_subprocess_fn *work, void *context);

/** Start a program, searched in PATH, with these standard streams.
 *  @param[in] arguments  terminated by NULL; the first one is the program
 *  @return 0; -1 with errno, also if it cannot be executed, and *p is zeroed */
int bench_subprocess_execute(bench_subprocess *p, const char *const *arguments, int in, int out, int err);

/** Return 1 if the child has ended, so that bench_subprocess_end() does not wait. */
int bench_subprocess_has_ended(const bench_subprocess *p);

/** Close the socket and wait for the end. @return status of waitpid() */
int bench_subprocess_end(bench_subprocess *p);

/** Kill the child, close the socket and wait for the end. @return status of waitpid() */
int bench_subprocess_kill(bench_subprocess *p);

/** Return the exit code; 128 + signal if a signal ended the child. */
int bench_subprocess_code(int status);

/** Read or write all bytes, despite interrupts. @return 0; -1 if the other end is closed, or with errno */
int bench_read_all(int fd, void *bytes, size_t size);
int bench_write_all(int fd, const void *bytes, size_t size);

#endif
