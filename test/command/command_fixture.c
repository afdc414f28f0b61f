/* command_fixture.c - posix_spawn without a shell, output into files: a run never waits for its reader, and stderr is
 * not a terminal. Signals that this process may ignore are set back, as a terminal would have them. */
#include "command_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_MAX = 32, PATIENCE_S = 1800 };

static char folder[64], captures[64], before[256], path_before[4096];
static pid_t running;
static int counter;

/** The run takes too long: it does not outlive the test. */
static void on_alarm(int number)
{
    if (running > 0) kill(running, SIGKILL);
    static const char words[] = "a run of the command does not end\n";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(2);
    _exit(1);
}

int command_set_up(void **state)
{
    const char *path = getenv("PATH");
    snprintf(path_before, sizeof path_before, "%s", path ? path : "/usr/bin:/bin");
    struct sigaction give_up = {.sa_handler = on_alarm};
    assert_int_equal(sigaction(SIGALRM, &give_up, NULL), 0);
    alarm(PATIENCE_S); /* nothing here may wait for ever */
    test_folder_make(folder);
    test_folder_make(captures);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    return 0;
}

int command_tear_down(void **state)
{
    setenv("PATH", path_before, 1);
    if (running > 0) kill(running, SIGKILL);
    running = 0;
    if (chdir(before) != 0) return -1;
    test_folder_remove(folder);
    test_folder_remove(captures);
    return 0;
}

const char *command_folder(void)
{
    return folder;
}

void command_needs_gnuplot(void)
{
    test_needs("gnuplot", "gnuplot --version");
}

void command_sanitizer_option(const char *options)
{
    char all[512];
    const char *given = getenv("ASAN_OPTIONS");
    const int length = snprintf(all, sizeof all, "%s%s%s", given ? given : "", given ? ":" : "", options);
    assert_true(length > 0 && (size_t)length < sizeof all);
    assert_int_equal(setenv("ASAN_OPTIONS", all, 1), 0);
}

/** Cut a line into words, in place. */
static void split(char *line, char **words)
{
    int n = 0;
    char *word = strtok(line, " ");
    const int is_bench = word && strcmp(word, "resida-bench") == 0;
    words[n++] = (char *)(size_t)test_environment(is_bench ? "RESIDA_BENCH" : "RESIDA_BIN");
    for (word = is_bench ? strtok(NULL, " ") : word; word; word = strtok(NULL, " ")) {
        assert_true(n < WORDS_MAX);
        words[n++] = word;
        for (char *c = word; *c; c++)
            if (*c == '~') *c = ' ';
    }
    words[n] = NULL;
}

static void direct(posix_spawn_file_actions_t *actions, int descriptor, int to, char *capture, size_t size)
{
    if (to >= 0) {
        assert_int_equal(posix_spawn_file_actions_adddup2(actions, to, descriptor), 0);
        return;
    }
    snprintf(capture, size, "%s/%d", captures, counter++);
    assert_int_equal(posix_spawn_file_actions_addopen(actions, descriptor, capture, O_WRONLY | O_CREAT | O_TRUNC, 0600),
                     0);
}

void command_start_to(command *c, const char *line, int out, int err)
{
    char copy[1024], *words[WORDS_MAX + 1];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t by_default;
    *c = (command){.pid = 0};
    assert_true(strlen(line) < sizeof copy);
    strcpy(copy, line);
    split(copy, words);
    sigfillset(&by_default);
    sigdelset(&by_default, SIGXFSZ); /* a test may want it ignored */
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &by_default);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    direct(&actions, STDOUT_FILENO, out, c->out, sizeof c->out);
    direct(&actions, STDERR_FILENO, err, c->err, sizeof c->err);
    assert_int_equal(posix_spawn(&c->pid, words[0], &actions, &attributes, words, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    running = c->pid;
}

void command_start(command *c, const char *line)
{
    command_start_to(c, line, -1, -1);
}

/* User and system time of a process [s]; < 0: it is gone. */
static double processor_time(pid_t pid)
{
    char text[1000];
    long user, system;
    FILE *file = fopen(claims_text("/proc/%ld/stat", (long)pid), "r");
    if (!file) return -1;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *behind_name = strrchr(text, ')');
    if (!behind_name ||
        sscanf(behind_name, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system) != 2)
        return -1;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

void command_let_work(const command *c, double seconds)
{
    double so_far;
    while ((so_far = processor_time(c->pid)) >= 0 && so_far < seconds)
        nanosleep(&(const struct timespec){.tv_nsec = 10000000}, NULL); /* the alarm ends it */
    if (so_far < 0) fail_msg("the command is gone");
}

static test_file read_capture(const char *path)
{
    test_file none = {0};
    if (!path[0]) return none;
    test_file file = test_file_read(path);
    unlink(path);
    return file;
}

command_result command_finish(command *c)
{
    int status = 0;
    assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
    running = 0;
    command_result r = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status)};
    r.out = read_capture(c->out);
    r.err = read_capture(c->err);
    return r;
}

command_result command_run_to(const char *line, int out)
{
    command c;
    command_start_to(&c, line, out, -1);
    return command_finish(&c);
}

command_result command_run(const char *line)
{
    return command_run_to(line, -1);
}

command_result command_run_well(const char *line)
{
    command_result r = command_run(line);
    if (r.code != 0 || r.err.size > 0) fail_msg("resida %s: exit code %d, %s", line, r.code, r.err.bytes);
    return r;
}

const char *command_about_variant(const char *verb, int variant, const char *rest)
{
    static char line[512];
    int n = snprintf(line, sizeof line, "%s %s/plugin_variants.so -p variant=%d %s", verb,
                     test_environment("RESIDA_TEST_MODULES"), variant, rest);
    assert_true(n > 0 && n < (int)sizeof line);
    return line;
}

int command_lines(const char *text)
{
    int n = 0;
    for (; *text; text++) n += *text == '\n';
    return n;
}

int command_csv_row(const char *text, int k, double *x, int n)
{
    for (; k >= 0; k--) {
        text = strchr(text, '\n');
        if (!text) return 0;
        text++;
    }
    int count = 0;
    while (*text && *text != '\n') {
        char *end;
        double value = strtod(text, &end);
        assert_true(end != text && (*end == ',' || *end == '\n'));
        if (count < n) x[count] = value;
        count++;
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

void command_expect_whole_rows(const char *path, int n)
{
    double x[64];
    test_file csv = test_file_read(path);
    int rows = command_lines(csv.bytes) - 1;
    assert_true(rows > 10);
    assert_int_equal(csv.bytes[csv.size - 1], '\n');
    assert_int_equal(command_csv_row(csv.bytes, 0, x, 64), n);
    assert_int_equal(command_csv_row(csv.bytes, rows - 1, x, 64), n);
    assert_true(fabs(x[0] - 0.01 * (rows - 1)) <= 1e-9 * rows);
}

/** Bytes in the largest unnamed file that the process has open in the folder; Linux shows descriptors as links. */
static long unnamed_bytes(pid_t pid)
{
    char target[320], here[256];
    long most = -1;
    assert_non_null(getcwd(here, sizeof here));
    const char *path = claims_text("/proc/%ld/fd", (long)pid);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        struct stat now;
        path = claims_text("/proc/%ld/fd/%.16s", (long)pid, entry->d_name);
        ssize_t n = readlink(path, target, sizeof target - 1);
        if (n < 0 || strncmp(target, here, strlen(here)) != 0) continue;
        if (stat(path, &now) == 0 && now.st_nlink == 0 && now.st_size > most) most = (long)now.st_size;
    }
    if (dir) closedir(dir);
    return most;
}

void command_wait_for_rows(const command *c, long bytes)
{
    const struct timespec pause = {0, 5000000};
    while (unnamed_bytes(c->pid) < bytes) nanosleep(&pause, NULL);
}

int command_files(void)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int n = -2; /* "." and ".." */
    while (readdir(dir)) n++;
    closedir(dir);
    return n;
}

void command_expect_complaint_at(const command_result *r, const char *line, int code, const char *file, int where)
{
    static const char bench[] = "resida-bench";
    const char *said = r->err.bytes, *name = strncmp(line, bench, strlen(bench)) == 0 ? bench : "resida";
    int good = r->code == code && command_lines(said) == 1 && strncmp(said, name, strlen(name)) == 0 &&
               strncmp(said + strlen(name), ": ", 2) == 0 && said[strlen(said) - 1] == '\n' &&
               (!r->out.bytes || r->out.size == 0);
    if (good) return;
    print_error("resida %s\nexit code %d (%d expected), stdout %zu bytes, stderr: %s\n", line, r->code, code,
                r->out.size, said);
    _fail(file, where);
}

void command_expect_words(const char *text, const char *words)
{
    assert_non_null(text);
    if (!strstr(text, words)) fail_msg("no \"%s\" in %s", words, text);
}

void command_expect_refusal(const char *line, int code, const char *words)
{
    command_result r = command_run(line);
    command_expect_complaint(&r, line, code);
    if (!strstr(r.err.bytes, words)) fail_msg("resida %s: no \"%s\" in %s", line, words, r.err.bytes);
}

void command_expect_refusals(const command_refusal *of, size_t n)
{
    const int files = command_files();
    for (size_t i = 0; i < n; i++) command_expect_refusal(of[i].line, of[i].code, of[i].words);
    assert_int_equal(command_files(), files);
}

void command_expect_interruption(const char *line)
{
    command c;
    command_start(&c, line);
    sleep(1);
    kill(c.pid, SIGINT);
    command_result r = command_finish(&c);
    assert_int_equal(r.code, 128 + SIGINT);
    assert_int_equal(r.out.size, 0);
    assert_int_equal(command_files(), 0);
}

/* A test may have given up its reference. */
static void end_row(void *row)
{
    for (size_t n = ((const json_t *)row)->refcount; n > 0; n--) json_decref(row);
}

/* Two references: that of the test, and that of the claim. */
static json_t *own_row(json_t *row)
{
    claims_own(json_incref(row), end_row);
    return row;
}

json_t *command_json_at(const char *text)
{
    json_error_t error;
    assert_non_null(text);
    json_t *row = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DISABLE_EOF_CHECK, &error);
    if (!row) fail_msg("not JSON: %s in %s", error.text, text);
    return own_row(row);
}

json_t *command_row(const command_result *r)
{
    assert_int_equal(command_lines(r->out.bytes), 1);
    return command_json_at(r->out.bytes);
}

json_t *command_next_row(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');
    assert_non_null(end);
    *end = 0;
    *rest = end + 1;
    return command_json_at(line);
}

json_t *command_json(const char *line, int code)
{
    command_result r = command_run(line);
    if (r.code != code || (code == 0 && r.err.size > 0))
        fail_msg("resida %s: exit code %d, %s", line, r.code, r.err.bytes);
    return command_row(&r);
}

json_t *command_member(const json_t *row, const char *path)
{
    char copy[128], *rest;
    snprintf(copy, sizeof copy, "%s", path);
    json_t *value = (json_t *)(size_t)row;
    for (char *key = strtok_r(copy, ".", &rest); key; key = strtok_r(NULL, ".", &rest)) {
        value = json_object_get(value, key);
        if (!value) fail_msg("the row has no %s", path);
    }
    return value;
}

double command_number(const json_t *row, const char *path)
{
    json_t *value = command_member(row, path);
    if (!json_is_number(value)) fail_msg("%s is not a number", path);
    return json_number_value(value);
}

const char *command_word(const json_t *row, const char *path)
{
    json_t *value = command_member(row, path);
    if (!json_is_string(value)) fail_msg("%s is not a string", path);
    return json_string_value(value);
}

json_t *command_page_data(const char *path)
{
    test_file file = test_file_read(path);
    char *from = strstr(file.bytes, "id=\"data\">"), *to = from ? strstr(from, "</script>") : NULL;
    if (!to) fail_msg("%s has no data", path);
    *to = 0;
    return command_json_at(strchr(from, '{'));
}
