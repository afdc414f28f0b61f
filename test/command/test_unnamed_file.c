/* test_unnamed_file.c - results on file systems whose files cannot be named later on: as long as it is written a file
 * has no name, and then it appears whole. The link of the system is replaced by one that this file system refuses. */
#include "program/files/unnamed_file.h"
#include "program/process/signals.h"
#include "program/files/unnamed_link.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/fixtures/file_util.h"

enum { MEGABYTE = 1 << 20 };

static const char *removed_by_signals;
static int named; /* files that signals would have removed */

int cmd_unnamed_create(const char *where, mode_t mode)
{
    errno = EOPNOTSUPP;
    return -1;
}

int cmd_unnamed_link(int fd, const char *path)
{
    errno = ENOENT;
    return -1;
}

void cmd_signals_remove_file(const char *path)
{
    named += path != NULL;
    removed_by_signals = path;
}

static int set_up(void **state)
{
    alarm(60);
    named = 0;
    (void)test_folder(); /* in this process */
    return 0;
}

static int files_there(void)
{
    DIR *dir = opendir(test_folder());
    assert_non_null(dir);
    int n = -2; /* "." and ".." */
    while (readdir(dir)) n++;
    closedir(dir);
    return n;
}

static int open_with(const char *path, const char *text)
{
    int fd = cmd_unnamed_open(path, 0640);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    return fd;
}

static void expect_text(const char *path, const char *text)
{
    assert_string_equal(test_file_read(path).bytes, text);
}

CLAIM_WITH(a_file_has_no_name_until_it_gets_one, set_up, NULL)
{
    const char *path = test_path(test_folder(), "a.csv");
    int fd = open_with(path, "rows\n");
    assert_int_equal(files_there(), 0);
    assert_int_equal(cmd_unnamed_name(fd, path), 0);
    assert_int_equal(files_there(), 1);
    assert_int_equal(named, 1);
    assert_null(removed_by_signals);
    expect_text(path, "rows\n");
    close(fd);
}

CLAIM_WITH(a_name_that_is_taken_is_replaced_and_permissions_come_along, set_up, NULL)
{
    struct stat now;
    const char *path = test_path(test_folder(), "a.csv");
    test_file_write(path, "old\n", 4);
    int fd = open_with(path, "new\n");
    assert_int_equal(fchmod(fd, 0604), 0);
    expect_text(path, "old\n");
    assert_int_equal(cmd_unnamed_name(fd, path), 0);
    expect_text(path, "new\n");
    assert_int_equal(stat(path, &now), 0);
    assert_int_equal(now.st_mode & 07777, 0604);
    assert_int_equal(files_there(), 1);
    close(fd);
}

CLAIM_WITH(large_files_arrive_whole, set_up, NULL)
{
    static char block[MEGABYTE + 1];
    const char *path = test_path(test_folder(), "a.csv");
    for (int i = 0; i < MEGABYTE; i++) block[i] = (char)('a' + i % 23);
    int fd = open_with(path, block);
    assert_int_equal(cmd_unnamed_name(fd, path), 0);
    expect_text(path, block);
    close(fd);
}

CLAIM_WITH(what_cannot_be_named_leaves_nothing_behind, set_up, NULL)
{
    const char *path = test_path(test_folder(), "a.csv");
    int fd = open_with(path, "rows\n");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(cmd_unnamed_name(fd, path), -1);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(files_there(), 1);
    assert_null(removed_by_signals);
    close(fd);
    assert_int_equal(cmd_unnamed_open(test_path(test_folder(), "nowhere/a.csv"), 0600), -1);
    assert_int_equal(errno, ENOENT);
}

CLAIM_WITH(a_process_that_is_killed_leaves_nothing_behind, set_up, NULL)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int fd = cmd_unnamed_open(test_path(test_folder(), "a.csv"), 0600);
        if (fd < 0 || write(fd, "rows\n", 5) != 5) _exit(1);
        raise(SIGKILL);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    assert_int_equal(files_there(), 0);
}
