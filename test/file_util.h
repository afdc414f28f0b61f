/* file_util.h - files, folders and environment of the tests. Every failure ends the test that asked. */
#ifndef RESIDA_TEST_FILE_UTIL_H
#define RESIDA_TEST_FILE_UTIL_H

#include <stddef.h>

/** cmocka's header with what it wants before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/** A file in memory: bytes [size], closed by a 0 that does not count. Free with test_file_free(). */
typedef struct test_file {
    char *bytes;
    size_t size;
} test_file;

test_file test_file_read(const char *path);
void test_file_write(const char *path, const void *bytes, size_t size);
void test_file_free(test_file *file);

/** The value of an environment variable that the build sets; fails the test when it is missing. */
const char *test_environment(const char *name);

/** A new empty folder; path [64]. Removed with its files by test_folder_remove(). */
void test_folder_make(char *path);
void test_folder_remove(const char *path);

/** "folder/name" in a buffer that the next four calls keep. */
const char *test_path(const char *folder, const char *name);

/** Read every C or C++ source below a folder of the project; paths count from its root (RESIDA_SOURCE). */
void test_each_source(const char *folder, void (*visit)(const char *path, const char *text, void *context),
                      void *context);

/** Make the locale "comma" in a folder, whose numbers have a decimal comma: a machine need not have one installed. A process takes
 *  it by LOCPATH=folder LC_NUMERIC=comma. */
void test_comma_locale(const char *folder);

/** Run a command without a shell, its output thrown away. @return its exit code, 127 when it is not there */
int test_run(const char *const *arguments);

#endif
