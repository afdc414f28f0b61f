/* object.c - compiles and loads objects. The file name of an object is a hash of the preprocessed source and of the
 * compiler's name. The object is written to a temporary name and then renamed, so that two processes can compile the
 * same file at the same time. */
#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include "object.h"

#include "adapters/base/fail.h"
#include "program/base/digest.h"
#include "program/process/subprocess.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <resida_features.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 200 };

/* Generated code defines its own types only if these macros are not defined. */
#define TYPES "-Dcasadi_int=long long int", "-Dcasadi_real=double"

static const char *get_compiler(void)
{
    const char *set = getenv("CC");
    return set && *set && !strchr(set, ' ') ? set : "cc";
}

/* Return 1 if a file of this kind exists, is owned by the user, and is not writable for others. A file that others
 * could have written is not loaded. */
static int is_owned_and_private(const char *path, mode_t kind)
{
    struct stat s;
    return lstat(path, &s) == 0 && (s.st_mode & S_IFMT) == kind && s.st_uid == geteuid() &&
           (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Find or create the cache folder. If no folder is owned by the user, create a temporary folder for this object and set
 * *is_passing. @return 0; -1 with errno */
static int find_folder(char folder[PATH_MAX], int *is_passing)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *temporary = getenv("TMPDIR");
    char base[PATH_MAX] = "";
    if (cache && *cache == '/')
        snprintf(base, sizeof base, "%s", cache);
    else if (home && *home == '/')
        snprintf(base, sizeof base, "%s/.cache", home);
    const int has_base = base[0] && (mkdir(base, S_IRWXU) == 0 || errno == EEXIST);
    *is_passing = 0;
    if (has_base && snprintf(folder, PATH_MAX, "%s/resida", base) < PATH_MAX &&
        (mkdir(folder, S_IRWXU) == 0 || errno == EEXIST) && is_owned_and_private(folder, S_IFDIR))
        return 0;
    *is_passing = 1;
    if (!temporary || *temporary != '/') temporary = "/tmp";
    if (snprintf(folder, PATH_MAX, "%s/resida-XXXXXX", temporary) >= PATH_MAX) return errno = ENAMETOOLONG, -1;
    return mkdtemp(folder) ? 0 : -1;
}

/* Read the first line with "error" from the compiler's output, or else the first line. */
static void read_error_line(int pipe, char words[WORDS])
{
    FILE *f = fdopen(pipe, "r");
    char line[512];
    int found = 0;
    words[0] = 0;
    while (f && fgets(line, sizeof line, f)) {
        const int is_error = strstr(line, "error") != NULL;
        if (found || (!is_error && words[0])) continue;
        found = is_error;
        snprintf(words, WORDS, "%.*s", (int)strcspn(line, "\n"), line);
    }
    if (f) fclose(f);
}

/* Start the compiler. *end is the pipe from which its output or its errors are read. @return 0; -1 with errno */
static int start_compiler(bench_subprocess *p, const char *const *arguments, int is_output, int *end)
{
    int ends[2];
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return -1;
    int started = pipe(ends);
    if (started == 0) {
        started = bench_subprocess_execute(p, arguments, null, is_output ? ends[1] : null, is_output ? null : ends[1]);
        close(ends[1]);
        *end = ends[0];
        if (started < 0) close(ends[0]);
    }
    close(null);
    return started;
}

/* Hash the output of the preprocessor. @return 0; 1 if the preprocessor failed; -1 with errno: no such source */
static int hash_source(const char *source, uint64_t *hash)
{
    const char *const arguments[] = {get_compiler(), TYPES, "-E", "-P", "-x", "c", source, NULL};
    int end = -1;
    char block[4096];
    bench_subprocess p;
    if (access(source, R_OK) != 0) return -1;
    if (start_compiler(&p, arguments, 1, &end) < 0) return 1;
    *hash = CMD_DIGEST_OF_NOTHING;
    cmd_digest_add(hash, get_compiler(), strlen(get_compiler()));
    for (ssize_t n = 0; (n = read(end, block, sizeof block)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0) cmd_digest_add(hash, block, (size_t)n);
    close(end);
    return bench_subprocess_end(&p) != 0;
}

static int compile(const char *source, const char *object, resida_message *why)
{
    const char *const arguments[] = {get_compiler(), TYPES, "-O2",  "-shared", "-fPIC", "-x", "c",
                                     source,         "-o",  object, "-lm",     NULL};
    int end = -1;
    char words[WORDS];
    bench_subprocess p;
    if (start_compiler(&p, arguments, 0, &end) < 0)
        return errno == ENOENT ? adapter_fail(why, "compiler %.60s is not found; set CC; %s", get_compiler(),
                                              rsd_feature_of("CasADi")->remedy)
                               : adapter_fail(why, "cannot start the compiler: %s", strerror(errno));
    read_error_line(end, words);
    if (bench_subprocess_end(&p) == 0) return 0;
    unlink(object);
    return adapter_fail(why, "%.60s fails: %s", get_compiler(), words[0] ? words : "without a word");
}

/* The file of a compiled object. */
typedef struct object {
    char folder[PATH_MAX], file[PATH_MAX];
    int is_passing; /* the folder is removed after the object is loaded */
    uint64_t hash;
} object;

/* Find the object of a source in the cache, or compile it. @return 0; -1 with the reason in `why` */
static int find_object(const char *source, object *o, resida_message *why)
{
    char made[PATH_MAX];
    const int is_refused = hash_source(source, &o->hash); /* then the compiler reports the reason */
    if (is_refused < 0) return adapter_fail(why, "cannot be read: %s", strerror(errno));
    if (find_folder(o->folder, &o->is_passing) != 0)
        return adapter_fail(why, "cannot create a folder for the compiled object: %s", strerror(errno));
    if (snprintf(o->file, PATH_MAX, "%.*s/casadi-%016" PRIx64 ".so", PATH_MAX - 64, o->folder, o->hash) >= PATH_MAX ||
        snprintf(made, sizeof made, "%.*s/casadi-%016" PRIx64 ".%ld", PATH_MAX - 64, o->folder, o->hash,
                 (long)getpid()) >= PATH_MAX)
        return adapter_fail(why, "the path of the cache is too long");
    if (!is_refused && is_owned_and_private(o->file, S_IFREG)) return 0;
    if (compile(source, made, why) != 0) return -1;
    if (rename(made, o->file) == 0) return 0;
    adapter_fail(why, "cannot save the compiled object: %s", strerror(errno));
    unlink(made);
    return -1;
}

static void *load_object(const char *path, resida_message *why)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *said = library ? NULL : dlerror();
    if (!library) adapter_fail(why, "cannot be loaded: %.150s", said ? said : "no reason given");
    return library;
}

void *csd_object_open(const char *path, char identity[CSD_IDENTITY], resida_message *why)
{
    const size_t n = strlen(path);
    object o = {.is_passing = 0};
    identity[0] = 0;
    if (n <= 2 || strcmp(path + n - 2, ".c") != 0) return load_object(path, why);
    void *library = find_object(path, &o, why) == 0 ? load_object(o.file, why) : NULL;
    snprintf(identity, CSD_IDENTITY, "%016" PRIx64, o.hash);
    if (o.is_passing) {
        unlink(o.file);
        rmdir(o.folder);
    }
    return library;
}
