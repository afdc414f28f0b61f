/* scratch.c - folders in $TMPDIR with access only for this user, and the process that removes them, the janitor.
 *
 * A damaged binary, or the user, may end the process while a binary is loaded. A second process therefore waits on a
 * pipe for the end of this process, and then removes the folders of which it has been notified. It has no other open
 * files and its own session, and ignores signals of the terminal. It exists as long as there are folders. */
#define _GNU_SOURCE /* close_range(), nftw() */
#include "scratch.h"

#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    OPEN_FOLDERS = 16, /* open at the same time, when a tree is removed */
    MAX_FOLDERS = 64,  /* of a process */
    LONGEST = 1024     /* path */
};

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static void remove_tree(const char *path)
{
    nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* A message to the janitor that a folder was made or removed. It is small enough for an atomic write to a pipe. */
typedef struct notice {
    char what; /* '+' or '-' */
    char path[LONGEST];
} notice;

/* The only janitor of the process. */
static struct {
    pthread_mutex_t guard;
    int pipe;    /* to the janitor, if folders > 0 */
    int folders; /* number of folders that it would remove */
} janitor = {PTHREAD_MUTEX_INITIALIZER, -1, 0};

static int read_notice(notice *n)
{
    size_t got = 0;
    while (got < sizeof *n) {
        const ssize_t more = read(STDIN_FILENO, (char *)n + got, sizeof *n - got);
        if (more == 0 || (more < 0 && errno != EINTR)) return 0;
        if (more > 0) got += (size_t)more;
    }
    return 1;
}

/* Remove a folder by a program in a child process, because only few functions are safe in a forked process. */
static void remove_by_program(const char *path)
{
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/rm", "rm", "-rf", "--", path, (char *)NULL);
        _exit(1);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

/* Run the janitor. Does not return. Calls only functions that are safe after a fork of a process with threads. */
static void run_janitor(int pipe)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    static char paths[MAX_FOLDERS][LONGEST];
    notice n;
    setsid();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    dup2(pipe, STDIN_FILENO);
    close_range(STDOUT_FILENO, ~0U, 0);
    while (read_notice(&n)) {
        int at = 0;
        while (at < MAX_FOLDERS && strcmp(paths[at], n.what == '+' ? "" : n.path) != 0) at++;
        if (at < MAX_FOLDERS) memcpy(paths[at], n.what == '+' ? n.path : (char[LONGEST]){""}, LONGEST);
    }
    for (int at = 0; at < MAX_FOLDERS; at++)
        if (paths[at][0]) remove_by_program(paths[at]);
    _exit(0);
}

/* Start the janitor as a grandchild, for which this process need not wait. */
static int start_janitor(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        const pid_t grandchild = fork();
        if (grandchild != 0) _exit(grandchild < 0);
        close(ends[1]);
        run_janitor(ends[0]);
    }
    int how = 1;
    close(ends[0]);
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
    if (child > 0 && how == 0) {
        janitor.pipe = ends[1];
        return 0;
    }
    close(ends[1]);
    return -1;
}

/* Notify the janitor. If the janitor was killed, SIGPIPE must not end this process. */
static int notify_janitor(char what, const char *path)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    notice n = {.what = what};
    snprintf(n.path, sizeof n.path, "%s", path);
    sigaction(SIGPIPE, &ignore, &before);
    const ssize_t told = write(janitor.pipe, &n, sizeof n);
    sigaction(SIGPIPE, &before, NULL);
    return told == (ssize_t)sizeof n ? 0 : -1;
}

enum { MADE, WITHOUT_JANITOR, WITHOUT_FOLDER };

/* Make a new folder, which the janitor removes if this process does not. The name follows from the template in `path`.
 * The janitor starts before the folder exists. */
static int make_watched_folder(char *path)
{
    int how = WITHOUT_JANITOR;
    pthread_mutex_lock(&janitor.guard);
    if (strlen(path) < LONGEST && janitor.folders < MAX_FOLDERS && (janitor.folders > 0 || start_janitor() == 0)) {
        how = mkdtemp(path) ? MADE : WITHOUT_FOLDER;
        if (how == MADE && notify_janitor('+', path) != 0) {
            remove_tree(path);
            how = WITHOUT_JANITOR;
        }
        janitor.folders += how == MADE;
        if (janitor.folders == 0) close(janitor.pipe);
    }
    pthread_mutex_unlock(&janitor.guard);
    return how;
}

static void remove_watched_folder(const char *path)
{
    pthread_mutex_lock(&janitor.guard);
    (void)notify_janitor('-', path); /* else the janitor tries to remove a missing folder */
    if (--janitor.folders == 0) close(janitor.pipe);
    pthread_mutex_unlock(&janitor.guard);
}

int fmu_scratch_make(fmu_scratch *s, resida_message *why)
{
    static const char name[] = "/resida-fmu-XXXXXX";
    const char *set = getenv("TMPDIR"), *above = set && *set ? set : "/tmp";
    const size_t room = strlen(above) + sizeof name;
    *s = (fmu_scratch){.path = malloc(room)};
    if (!s->path) return fmu_no_memory(why);
    snprintf(s->path, room, "%s%s", above, name);
    const int how = make_watched_folder(s->path);
    if (how == MADE) return 0;
    if (how == WITHOUT_FOLDER)
        fmu_fail(why, "cannot create a temporary folder in %.200s: %s", above, strerror(errno));
    else
        fmu_fail(why, "cannot start the process that deletes a temporary folder: %s", strerror(errno));
    free(s->path);
    s->path = NULL;
    return -1;
}

char *fmu_scratch_path(const fmu_scratch *s, const char *name)
{
    const size_t room = strlen(s->path) + strlen(name) + 2;
    char *path = malloc(room);
    if (path) snprintf(path, room, "%s/%s", s->path, name);
    return path;
}

/* Make missing folders of a path in the scratch folder. `whole` = 1: including its last part */
static int make_folders(const fmu_scratch *s, char *path, int whole)
{
    for (char *c = path + strlen(s->path) + 1;; c++) {
        if (*c && *c != '/') continue;
        const char kept = *c;
        if (!kept && !whole) return 0;
        *c = 0;
        const int made = mkdir(path, S_IRWXU);
        const int failed = made != 0 && errno != EEXIST;
        *c = kept;
        if (failed) return -1;
        if (!kept) return 0;
    }
}

int fmu_scratch_folder(const fmu_scratch *s, const char *name, resida_message *why)
{
    char *path = fmu_scratch_path(s, name);
    if (!path) return fmu_no_memory(why);
    const int made = make_folders(s, path, 1);
    if (made < 0) fmu_fail(why, "%.200s cannot be unpacked: %s", name, strerror(errno));
    free(path);
    return made;
}

int fmu_scratch_file(const fmu_scratch *s, const char *name, resida_message *why)
{
    char *path = fmu_scratch_path(s, name);
    if (!path) return fmu_no_memory(why);
    int file = make_folders(s, path, 0);
    if (file == 0) file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRWXU);
    if (file < 0) fmu_fail(why, "%.200s cannot be unpacked: %s", name, strerror(errno));
    free(path);
    return file;
}

void fmu_scratch_remove(fmu_scratch *s)
{
    if (!s->path) return;
    remove_tree(s->path);
    remove_watched_folder(s->path);
    free(s->path);
    *s = (fmu_scratch){0};
}
