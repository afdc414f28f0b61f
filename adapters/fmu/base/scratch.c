/* scratch.c - folders in $TMPDIR with access only for this user, and the process that removes them, the janitor.
 *
 * A damaged binary, or the user, may end the process while a binary is loaded. All folders of a process are therefore
 * in one folder. A second process waits on a pipe for the end of this process, and then removes that folder. It has no
 * other open files and its own session, and ignores signals of the terminal. It exists as long as there are folders. */
#define _GNU_SOURCE /* asprintf(), close_range(), nftw() */
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

/* The only janitor of the process. */
static struct {
    pthread_mutex_t guard;
    int pipe;           /* to the janitor, if folders > 0 */
    int folders;        /* number of folders */
    char path[LONGEST]; /* the folder that contains them, and that the janitor removes */
} janitor = {.guard = PTHREAD_MUTEX_INITIALIZER};

/* Run the janitor. Does not return. Calls only functions that are safe after a fork of a process with threads. */
static void run_janitor(int pipe)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    char nothing;
    setsid();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    dup2(pipe, STDIN_FILENO);
    close_range(STDOUT_FILENO, ~0U, 0);
    while (read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) continue;
    execl("/bin/rm", "rm", "-rf", "--", janitor.path, (char *)NULL);
    _exit(1);
}

/* Start the janitor as a grandchild, for which this process need not wait. */
static int start_janitor(void)
{
    int ends[2], how = 1;
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        const pid_t grandchild = fork();
        if (grandchild != 0) _exit(grandchild < 0);
        close(ends[1]);
        run_janitor(ends[0]);
    }
    close(ends[0]);
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
    janitor.pipe = ends[1];
    if (child > 0 && how == 0) return 0;
    close(ends[1]);
    return -1;
}

/* Make the folder that contains all others, and start the janitor. */
static int make_common_folder(resida_message *why)
{
    const char *set = getenv("TMPDIR"), *above = set && *set ? set : "/tmp";
    if (snprintf(janitor.path, LONGEST, "%s/resida-fmu-XXXXXX", above) >= LONGEST)
        errno = ENAMETOOLONG;
    else if (mkdtemp(janitor.path)) {
        if (start_janitor() == 0) return 0;
        fmu_fail(why, "cannot start the process that deletes a temporary folder: %s", strerror(errno));
        rmdir(janitor.path);
        return -1;
    }
    return fmu_fail(why, "cannot create a temporary folder in %.200s: %s", above, strerror(errno));
}

static int make_folder(fmu_scratch *s, resida_message *why)
{
    s->path = fmu_scratch_path(&(fmu_scratch){janitor.path}, "XXXXXX");
    if (!s->path) return fmu_no_memory(why);
    if (mkdtemp(s->path)) return 0;
    fmu_fail(why, "cannot create a temporary folder in %.200s: %s", janitor.path, strerror(errno));
    free(s->path);
    s->path = NULL;
    return -1;
}

/* Count one folder less. After the last one the folder that contains them is removed, and the janitor ends. */
static void release_folder(void)
{
    if (--janitor.folders > 0) return;
    rmdir(janitor.path);
    close(janitor.pipe);
}

int fmu_scratch_make(fmu_scratch *s, resida_message *why)
{
    *s = (fmu_scratch){0};
    pthread_mutex_lock(&janitor.guard);
    int made = janitor.folders > 0 ? 0 : make_common_folder(why);
    if (made == 0) {
        janitor.folders++;
        made = make_folder(s, why);
        if (made < 0) release_folder();
    }
    pthread_mutex_unlock(&janitor.guard);
    return made;
}

char *fmu_scratch_path(const fmu_scratch *s, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", s->path, name) < 0 ? NULL : path;
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

FILE *fmu_scratch_file(const fmu_scratch *s, const char *name, resida_message *why)
{
    char *path = fmu_scratch_path(s, name);
    if (!path) return fmu_no_memory(why), NULL;
    int file = make_folders(s, path, 0);
    if (file == 0) file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRWXU);
    FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
    if (!stream) fmu_fail(why, "%.200s cannot be unpacked: %s", name, strerror(errno));
    if (!stream && file >= 0) close(file);
    free(path);
    return stream;
}

void fmu_scratch_remove(fmu_scratch *s)
{
    if (!s->path) return;
    remove_tree(s->path);
    pthread_mutex_lock(&janitor.guard);
    release_folder();
    pthread_mutex_unlock(&janitor.guard);
    free(s->path);
    *s = (fmu_scratch){0};
}
