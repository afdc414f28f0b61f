/* peer_process.c - a run in a separate process. The child integrates and sends records through a socket: one for each
 * output and one at the end. Its standard output and standard error are written to an unnamed file, which is appended
 * to the message of a failure. The parent forwards the outputs. It kills a child that does not stop when requested. */
#include "peer_impl.h"

#include "program/process/stopwatch.h"

#include "program/process/subprocess.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT = 1, END = 2, POLL_MS = 50, PATH = 4096 };
static const double grace_s = 1; /* waiting time after a request to stop */

static volatile sig_atomic_t told; /* set when the child is requested to stop */

static void be_told(int signal)
{
    (void)signal;
    told = 1;
}

/** Data of the child process. */
typedef struct child {
    rsd_peer_run run;
    bench_stopwatch watch;
    int stopped; /**< the watch is stopped for good */
    int socket;
} child;

/** Data of the parent process. */
typedef struct parent {
    const rsd_peer_task *task;
    rsd_peer_result *result;
    const rsd_peer *peer;
    bench_subprocess child;
    int n, ended;          /**< ended: the last record has arrived */
    int refused;           /**< the output callback requested a stop */
    int late;              /**< the time limit has been reached */
    double deadline, told; /**< wall clock times: limit, and request to stop (infinite before it) */
    double *state;         /**< [2 n] */
    FILE *text;
} parent;

/** Implements rsd_peer_clock(). */
static void set_clock(rsd_peer_run *run, int on)
{
    child *c = (child *)run;
    if (c->stopped) return;
    if (on) c->watch = (bench_stopwatch){0};
    if (on)
        bench_stopwatch_run(&c->watch);
    else
        bench_stopwatch_pause(&c->watch);
    c->stopped = !on;
}

static int emit(rsd_peer_run *run, double t, const double *y, const double *yp)
{
    child *c = (child *)run;
    int kind = OUTPUT;
    size_t size = (size_t)run->n * sizeof *y;
    bench_stopwatch_pause(&c->watch);
    int failed = bench_write_all(c->socket, &kind, sizeof kind) || bench_write_all(c->socket, &t, sizeof t) ||
                 bench_write_all(c->socket, y, size) || bench_write_all(c->socket, yp, size);
    bench_stopwatch_run(&c->watch);
    return failed ? -1 : 0;
}

/** Redirect the output of the process to a file, and set the handlers of the signals that stop it. */
static void settle(int text)
{
    struct sigaction action = {.sa_handler = be_told};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    if (dup2(text, STDOUT_FILENO) < 0 || dup2(text, STDERR_FILENO) < 0) _exit(EXIT_FAILURE);
    setenv("GFORTRAN_UNBUFFERED_ALL", "1", 1);
}

/** Find the file of a module: in the folder of the environment variable RESIDA_PEERS (for tests), next to the program
 *  in the build tree (found by the path of the executable), or in the installation. */
static void find_module(const char *file, char path[PATH])
{
    char own[PATH / 2] = "";
    const char *set = getenv("RESIDA_PEERS"), *slash;
    const ssize_t read = readlink("/proc/self/exe", own, sizeof own - 1);
    own[read > 0 ? read : 0] = 0;
    slash = strrchr(own, '/');
    const int n = slash ? (int)(slash - own) : 0;
    snprintf(path, PATH, "%s/%s", set ? set : "", file);
    if (!set && slash) snprintf(path, PATH, "%.*s/../benchmarks/peers/%s", n, own, file);
    if (!set && access(path, R_OK) != 0) snprintf(path, PATH, "%s/%s", RSD_PEER_FOLDER, file);
}

/** Load the solve function of a module. Return NULL after a failure, whose message is set. */
static rsd_peer_solve_fn *load(rsd_peer_run *run, const rsd_peer *peer)
{
    char path[PATH];
    find_module(peer->module, path);
    void *module = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    rsd_peer_solve_fn *solve = NULL;
    void *symbol = module ? dlsym(module, peer->symbol) : NULL;
    memcpy(&solve, &symbol, sizeof solve); /* ISO C has no conversion of void * to a function pointer */
    if (!solve) {
        const char *why = dlerror();
        rsd_peer_fail(run, RESIDA_ERR_PLUGIN, "%s: %s", peer->module,
                      why ? why : "file is missing in the build folder and in the installation folder");
    }
    return solve;
}

/** The main function of the child. */
static int integrate(int socket, void *context)
{
    static child c;
    const parent *p = context;
    const rsd_peer *peer = p->peer;
    const rsd_peer_task *task = p->task;
    rsd_peer_result result = *p->result;
    c.socket = socket;
    c.run = (rsd_peer_run){.task = task, .o = task->options, .result = &result, .next_output = 1};
    c.run.emit = emit;
    c.run.clock = set_clock;
    c.run.told = &told;
    c.run.kinds = resida_problem_kinds(task->problem);
    settle(fileno(p->text));
    if (resida_problem_layout(task->problem, &c.run.layout) < 0) return EXIT_FAILURE;
    c.run.n = result.stats.n = c.run.layout.n;
    result.stats.residual_calls.total = 0;
    result.stats.jacobian = peer->jacobian;
    result.stats.linear_solver = peer->linear_solver;
    result.stats.jacobian_reason = NULL;
    rsd_peer_solve_fn *solve = peer->solve ? peer->solve : load(&c.run, peer);
    set_clock(&c.run, 1);
    resida_status status = solve ? solve(&c.run) : result.status;
    set_clock(&c.run, 0);
    if (status != RESIDA_OK) rsd_peer_fail(&c.run, status, "%s", "");
    result.cpu_s = c.watch.cpu_s;
    result.wall_s = c.watch.wall_s;
    fflush(NULL);
    int kind = END,
        failed = bench_write_all(socket, &kind, sizeof kind) || bench_write_all(socket, &result, sizeof result);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/** Check for a stop by the user or the time limit. Request the child to stop, and kill it after the waiting time. */
static void look_at_watch(parent *p)
{
    const resida_solver_options *o = p->task->options;
    double now = bench_wall_s();
    if (isfinite(p->told)) {
        if (now > p->told + grace_s) kill(p->child.pid, SIGKILL);
        return;
    }
    p->late = now > p->deadline;
    if (!p->late && !p->refused && !(o->monitor && o->monitor(p->result->t, o->monitor_user))) return;
    p->told = now;
    kill(p->child.pid, SIGTERM);
}

/** Read size bytes. @return 0, or -1 if the child has closed the socket */
static int read_all(parent *p, void *data, size_t size)
{
    for (char *at = data; size > 0;) {
        struct pollfd there = {.fd = p->child.socket, .events = POLLIN};
        int ready = poll(&there, 1, POLL_MS);
        look_at_watch(p);
        if (ready <= 0) continue;
        ssize_t done = read(p->child.socket, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return -1;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}

static int read_output(parent *p)
{
    double t;
    size_t size = (size_t)p->n * sizeof *p->state;
    if (read_all(p, &t, sizeof t) || read_all(p, p->state, 2 * size)) return -1;
    if (p->refused) return 0;
    p->result->t = t;
    p->refused = p->task->output && p->task->output(t, p->state, p->state + p->n, p->task->user) != 0;
    return 0;
}

static void read_records(parent *p)
{
    int kind;
    while (!p->ended && read_all(p, &kind, sizeof kind) == 0) {
        if (kind == END)
            p->ended = read_all(p, p->result, sizeof *p->result) == 0;
        else if (read_output(p) != 0)
            return;
    }
}

/** Append the child's output to the message, with each sequence of blanks and line ends as one blank. */
static void add_text(parent *p)
{
    char *message = p->result->message;
    size_t n = strlen(message), first = n;
    int blank = 1, c;
    rewind(p->text);
    while (n + 1 < sizeof p->result->message && (c = fgetc(p->text)) != EOF) {
        int is_blank = c <= ' ' || c > '~';
        if (is_blank && blank) continue;
        if (n == first && first > 0) n += (size_t)snprintf(message + n, sizeof p->result->message - n, ": ");
        if (n + 1 < sizeof p->result->message) message[n++] = is_blank ? ' ' : (char)c;
        blank = is_blank;
    }
    while (n > 0 && message[n - 1] == ' ') n--;
    message[n] = 0;
}

/** Return 1 if the parent requested the end. The child's output about its end is then redundant. */
static int is_ours(resida_status status)
{
    return status >= 0 || status == RESIDA_ERR_USER || status == RESIDA_ERR_LIMIT_STEPS ||
           status == RESIDA_ERR_LIMIT_RESIDUALS || status == RESIDA_ERR_LIMIT_TIME;
}

/** Set status and message for a child that did not send its last record. */
static void explain_end(parent *p, int how)
{
    rsd_peer_result *r = p->result;
    r->status = isfinite(p->told) ? RESIDA_INTERRUPTED : RESIDA_ERR_INTERNAL;
    if (isfinite(p->told)) {
        snprintf(r->message, sizeof r->message, "terminated after t = %.10g", r->t);
    } else if (WIFSIGNALED(how)) {
        snprintf(r->message, sizeof r->message, "terminated by signal %d (%s)", WTERMSIG(how),
                 strsignal(WTERMSIG(how)));
    } else {
        snprintf(r->message, sizeof r->message, "its process exited with code %d", WEXITSTATUS(how));
    }
}

/** Read records until the child has ended, and set the final status. */
static void attend(parent *p)
{
    read_records(p);
    const int how = bench_subprocess_end(&p->child);
    if (!p->ended) explain_end(p, how);
    if (p->refused) p->result->status = RESIDA_INTERRUPTED;
    if (p->late && p->result->status == RESIDA_INTERRUPTED) {
        p->result->status = RESIDA_ERR_LIMIT_TIME;
        snprintf(p->result->message, sizeof p->result->message, "the time limit of %g s is exceeded at t = %.10g",
                 p->task->options->time_limit_s, p->result->t);
    }
    if (!is_ours(p->result->status)) add_text(p);
}

/** Set all results to unknown. */
static void blank(rsd_peer_result *result, double t0)
{
    *result = (rsd_peer_result){.status = RESIDA_OK, .t = t0, .cpu_s = NAN, .wall_s = NAN};
    memset(&result->stats, 0xff, sizeof result->stats); /* -1 in each counter, in two's complement */
    result->stats.size = sizeof result->stats;
    result->stats.h = NAN;
    result->stats.jacobian = result->stats.jacobian_reason = result->stats.linear_solver = NULL;
}

static resida_status out_of(rsd_peer_result *result, const char *what)
{
    snprintf(result->message, sizeof result->message, "cannot create the %s for the process of a peer: %s", what,
             strerror(errno));
    return result->status = RESIDA_ERR_MEMORY;
}

static void run_child(parent *p)
{
    fflush(NULL); /* otherwise the child would print the buffered text again */
    if (bench_subprocess_start(&p->child, integrate, p) == 0)
        attend(p);
    else
        (void)out_of(p->result, "process");
}

resida_status rsd_peer_solve(const rsd_peer *peer, const rsd_peer_task *task, rsd_peer_result *result)
{
    resida_layout layout;
    blank(result, task->t0);
    if (resida_problem_layout(task->problem, &layout) < 0) return result->status = RESIDA_ERR_ARGUMENT;
    parent p = {.peer = peer, .task = task, .result = result, .n = layout.n, .told = INFINITY};
    p.deadline = bench_wall_s() + task->options->time_limit_s;
    p.state = calloc(2 * (size_t)layout.n + 1, sizeof *p.state);
    p.text = tmpfile();
    if (!p.state || !p.text)
        (void)out_of(result, "memory");
    else
        run_child(&p);
    if (p.text) fclose(p.text);
    free(p.state);
    return result->status;
}
