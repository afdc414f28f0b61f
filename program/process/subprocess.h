/* subprocess.h - child processes: a function of this program, joined by a socket, or another program. */
#ifndef BENCH_SUBPROCESS_H
#define BENCH_SUBPROCESS_H

#include <stddef.h>
#include <sys/types.h>

/** A child, and this end of the socket to it. Zeroed: none. */
typedef struct bench_subprocess {
    pid_t pid;
    int socket;
} bench_subprocess;

/** What a child does with its end of the socket. @return its exit code */
typedef int bench_subprocess_fn(int socket, void *context);

/** Fork a child that does `work`. It does not outlive this process, and runs no exit handler.
 *  @return 0; -1 and errno, and *p is zeroed */
int bench_subprocess_start(bench_subprocess *p, bench_subprocess_fn *work, void *context);

/** Start a program, found along PATH, with these standard streams.
 *  @param[in] arguments  closed by NULL; the first one is the program
 *  @return 0; -1 and errno, also where it cannot be executed, and *p is zeroed */
int bench_subprocess_execute(bench_subprocess *p, const char *const *arguments, int in, int out, int err);

/** 1: it has ended, and bench_subprocess_end() does not wait. */
int bench_subprocess_has_ended(const bench_subprocess *p);

/** Close the socket and wait for the end. @return as waitpid() gives it */
int bench_subprocess_end(bench_subprocess *p);

/** The same, where it is to end now. */
int bench_subprocess_kill(bench_subprocess *p);

/** The exit code; 128 + the signal that ended it. */
int bench_subprocess_code(int status);

/** All bytes, whatever interrupts. @return 0; -1: the other end is gone, or errno */
int bench_read_all(int fd, void *bytes, size_t size);
int bench_write_all(int fd, const void *bytes, size_t size);

#endif
