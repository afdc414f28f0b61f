/* file_util.c - files, folders and environment of the tests. */
#include "file_util.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

test_file test_file_read(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("cannot read %s", path);
    test_file file = {NULL, 0};
    size_t room = 0, got = 1;
    while (got > 0) {
        if (file.size + 1 >= room) file.bytes = realloc(file.bytes, room = room ? 2 * room : 65536);
        assert_non_null(file.bytes);
        got = fread(file.bytes + file.size, 1, room - file.size - 1, stream);
        file.size += got;
    }
    assert_int_equal(ferror(stream), 0);
    fclose(stream);
    file.bytes[file.size] = 0;
    return file;
}

void test_file_write(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    if (!stream) fail_msg("cannot write %s", path);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

void test_file_free(test_file *file)
{
    free(file->bytes);
    *file = (test_file){NULL, 0};
}

const char *test_environment(const char *name)
{
    const char *value = getenv(name);
    if (!value || !*value) fail_msg("%s is not set; run the tests with: meson test", name);
    return value;
}

void test_folder_make(char *path)
{
    const char *top = getenv("TMPDIR");
    snprintf(path, 64, "%s/resida-test-XXXXXX", top && strlen(top) < 40 ? top : "/tmp");
    assert_non_null(mkdtemp(path));
}

/* One level of folders below is enough for these tests. */
static void remove_files(const char *path, int depth)
{
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char child[512];
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        if (unlink(child) != 0 && depth > 0) remove_files(child, depth - 1);
    }
    closedir(folder);
    rmdir(path);
}

void test_folder_remove(const char *path)
{
    remove_files(path, 3);
}

const char *test_path(const char *folder, const char *name)
{
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    assert_true(snprintf(path, sizeof paths[0], "%s/%s", folder, name) < (int)sizeof paths[0]);
    return path;
}

static int is_source(const char *name)
{
    static const char *const kinds[] = {".c", ".h", ".cpp", ".hpp"};
    const char *kind = strrchr(name, '.');
    for (int i = 0; kind && i < 4; i++)
        if (strcmp(kind, kinds[i]) == 0) return 1;
    return 0;
}

void test_each_source(const char *folder, void (*visit)(const char *path, const char *text, void *context),
                      void *context)
{
    const char *root = test_environment("RESIDA_SOURCE");
    DIR *open_folder = opendir(test_path(root, folder));
    if (!open_folder) fail_msg("no folder %s in RESIDA_SOURCE", folder);
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        char path[300];
        if (entry->d_name[0] == '.') continue;
        assert_true(snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path);
        DIR *below = opendir(test_path(root, path));
        if (below) {
            closedir(below);
            test_each_source(path, visit, context);
        } else if (is_source(path)) {
            test_file source = test_file_read(test_path(root, path));
            visit(path, source.bytes, context);
            test_file_free(&source);
        }
    }
    closedir(open_folder);
}

int test_run(const char *const *arguments)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) _exit(126);
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void test_comma_locale(const char *folder)
{
    char charmap[128 * 24 + 200] = "<code_set_name> ANSI_X3.4-1968\n<escape_char> /\n<comment_char> %\nCHARMAP\n";
    for (unsigned c = 0; c < 128; c++) {
        size_t used = strlen(charmap);
        snprintf(charmap + used, sizeof charmap - used, "<U%04X> /x%02x c\n", c, c);
    }
    strcat(charmap, "END CHARMAP\n");
    static const char source[] = "escape_char /\ncomment_char %\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
                                 "grouping 3;3\nEND LC_NUMERIC\n";
    const char *map_path = test_path(folder, "charmap"), *source_path = test_path(folder, "source");
    test_file_write(map_path, charmap, strlen(charmap));
    test_file_write(source_path, source, strlen(source));
    const char *const command[] = {"localedef", "-c", "-f", map_path, "-i", source_path, test_path(folder, "comma"),
                                   NULL};
    test_run(command); /* ends with 1: it warns of the categories that are not there */
}
