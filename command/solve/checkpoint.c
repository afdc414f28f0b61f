/* checkpoint.c - see checkpoint.h. The note of a checkpoint contains lengths, the progress of the run, texts that end
 * with 0 (folder, events, fingerprint, words), and the rows of the trajectory. */
#define _XOPEN_SOURCE 700 /* getcwd(), pread() */

#include "checkpoint.h"

#include <resida/checkpoint.h>

#include "program/base/complain.h"
#include "program/process/signals.h"
#include "program/process/stopwatch.h"
#include "program/base/digest.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WORDS = 100000, DIGITS = 17 };

/** The head of the note, before the texts. */
typedef struct note_head {
    cmd_way way;
    uint64_t texts, n_words, trajectory;
} note_head;

/* --- files of the model --- */

int cmd_checkpoint_fingerprint(const cmd_model *model, char fingerprint[32])
{
    const char *plugin = resida_plugin_file(model->word);
    uint64_t hash = CMD_DIGEST_OF_NOTHING;
    int code = plugin ? cmd_digest_add_file(&hash, plugin) : 0;
    cmd_digest_add(&hash, model->cls->text, strlen(model->cls->text)); /* for a model from source the text includes
                                                                        * its dependencies */
    for (int i = 0; i < model->cls->n_parameters && code == 0; i++) {
        const char *word = model->values[i].word;
        struct stat there;
        if (word && stat(word, &there) == 0 && S_ISREG(there.st_mode)) code = cmd_digest_add_file(&hash, word);
    }
    snprintf(fingerprint, 32, "%016" PRIx64, hash);
    return code;
}

/* --- writing --- */

static size_t put_text(char *at, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (at) memcpy(at, text, size);
    return size;
}

/** Write all texts to `at`, or only compute their size if `at` is NULL. @return size */
static size_t put_texts(char *at, const cmd_checkpoint *c, const char *folder, const char *happened)
{
    size_t size = put_text(at, folder);
    size += put_text(at ? at + size : NULL, happened);
    size += put_text(at ? at + size : NULL, c->fingerprint);
    for (int i = 0; i < c->argc; i++) size += put_text(at ? at + size : NULL, c->argv[i]);
    return size;
}

/** Read the rows written so far. @return 0; -1 with errno */
static int read_rows(const cmd_checkpoint *c, char *at, size_t size)
{
    const int fd = c->trajectory->stream ? fileno(c->trajectory->stream) : -1;
    for (size_t done = 0; done < size;) {
        const ssize_t got = pread(fd, at + done, size - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return -1;
        done += (size_t)got;
    }
    return 0;
}

static char *make_note(const cmd_checkpoint *c, const cmd_way *way, const char *happened, size_t *size)
{
    char folder[PATH_MAX];
    struct stat file = {.st_size = 0};
    note_head head;
    if (!getcwd(folder, sizeof folder)) return NULL;
    if (c->trajectory->stream &&
        (fflush(c->trajectory->stream) != 0 || fstat(fileno(c->trajectory->stream), &file) != 0))
        return NULL;
    memset(&head, 0, sizeof head);
    head.way = *way;
    head.way.rows = *c->rows;
    head.way.happened = *c->n_happened;
    head.texts = put_texts(NULL, c, folder, happened);
    head.n_words = (uint64_t)c->argc;
    head.trajectory = (uint64_t)file.st_size;
    *size = sizeof head + head.texts + head.trajectory;
    char *note = malloc(*size);
    if (!note) return NULL;
    memcpy(note, &head, sizeof head);
    (void)put_texts(note + sizeof head, c, folder, happened);
    if (read_rows(c, note + sizeof head + head.texts, head.trajectory) == 0) return note;
    free(note);
    return NULL;
}

/* Create the note of a checkpoint. @return NULL if memory is exhausted or the trajectory cannot be read */
static char *make_note_of_run(const cmd_checkpoint *c, const cmd_way *way, size_t *size)
{
    char *happened = c->happened ? json_dumps(c->happened, JSON_REAL_PRECISION(DIGITS)) : strdup("");
    char *note = happened ? make_note(c, way, happened, size) : NULL;
    free(happened);
    return note;
}

static int write_state(void *self, const void *bytes, size_t size)
{
    cmd_checkpoint *c = self;
    cmd_out out;
    int code = cmd_out_open(&out, c->file);
    if (code == 0) code = fwrite(bytes, 1, size, out.stream) == size ? cmd_out_commit(&out) : cmd_out_fail(&out);
    if (code != 0 && !c->is_failing)
        cmd_complain(0, "the run continues; %s keeps the last checkpoint until it can be written", c->file);
    c->is_failing = code != 0;
    c->is_there |= code == 0;
    c->written = bench_wall_s();
    return code;
}

/* --- replacing the handles --- */

static void begin_checkpoint(void *self)
{
    cmd_checkpoint *c = self;
    c->written = bench_wall_s();
}

static int save_and_replace(void *self, const cmd_way *way, const cmd_job *job, cmd_handles *handles,
                            resida_monitor_fn *monitor, void *user, cmd_state_bytes *state)
{
    const cmd_checkpoint *c = self;
    const int is_due = cmd_signal_caught() || bench_wall_s() - c->written >= c->every_s;
    size_t n = 0;
    resida_message why = {""};
    cmd_handles fresh;
    *state = (cmd_state_bytes){.bytes = NULL};
    char *note = is_due ? make_note_of_run(c, way, &n) : NULL;
    if (c->trajectory->stream && ferror(c->trajectory->stream)) {
        free(note);
        return cmd_out_fail(c->trajectory);
    }
    int is_saved = (!is_due || note) && resida_run_save(handles->run, note, n, NULL, 0, &state->size) >= 0;
    if (is_saved) state->bytes = malloc(state->size);
    is_saved = state->bytes && resida_run_save(handles->run, note, n, state->bytes, state->size, &state->size) >= 0;
    free(note);
    if (!is_saved) return -1;
    const int is_there = cmd_handles_open(&fresh, job, monitor, user, &why) >= 0 &&
                         resida_run_load(fresh.run, &job->settings->start, state->bytes, state->size) >= 0;
    cmd_handles old = is_there ? *handles : fresh;
    if (is_there) *handles = fresh;
    cmd_handles_close(&old);
    state->is_due = is_due && is_there;
    return 0;
}

/* --- reading --- */

static int complain_damaged(const char *file)
{
    return cmd_complain(CMD_EXIT_USAGE, "%s: not a checkpoint of 'resida solve'", file);
}

static int read_all(cmd_saved *s, const char *file)
{
    FILE *f = fopen(file, "rb");
    struct stat there;
    if (!f) return cmd_complain_unread(file);
    int code = 0;
    if (fstat(fileno(f), &there) != 0)
        code = cmd_complain_unread(file);
    else if (!S_ISREG(there.st_mode))
        code = cmd_complain(CMD_EXIT_USAGE, "%s: not a regular file", file);
    else if (!(s->bytes = malloc((size_t)there.st_size + 1)))
        code = cmd_no_memory();
    else {
        s->size = fread(s->bytes, 1, (size_t)there.st_size, f);
        if (ferror(f)) code = cmd_complain_unread(file);
    }
    fclose(f);
    return code;
}

/** Return the next text within [*at, end) and advance *at; NULL if there is none. */
static char *next_text(char **at, const char *end)
{
    char *text = *at, *close = memchr(text, 0, (size_t)(end - text));
    if (!close) return NULL;
    *at = close + 1;
    return text;
}

/** Read the texts of the note. @return 0; -1 if a text is missing; -2 without memory */
static int read_texts(cmd_saved *s, char *at, const char *end, uint64_t n_words)
{
    s->folder = next_text(&at, end);
    s->happened = s->folder ? next_text(&at, end) : NULL;
    const char *fingerprint = s->happened ? next_text(&at, end) : NULL;
    if (!fingerprint || strlen(fingerprint) >= sizeof s->fingerprint) return -1;
    strcpy(s->fingerprint, fingerprint);
    s->argv = calloc((size_t)n_words + 1, sizeof *s->argv);
    if (!s->argv) return -2;
    for (; s->argc < (int)n_words; s->argc++)
        if (!(s->argv[s->argc] = next_text(&at, end))) return -1;
    return 0;
}

int cmd_saved_read(cmd_saved *s, const char *file)
{
    const void *note = NULL;
    size_t size = 0;
    note_head head;
    resida_message why = {""};
    *s = (cmd_saved){.bytes = NULL};
    int code = read_all(s, file);
    if (code != 0) return code;
    if (resida_checkpoint_note(s->bytes, s->size, &note, &size, &why) < 0)
        return cmd_complain(CMD_EXIT_USAGE, "%s: %s", file, why.text);
    if (size < sizeof head) return complain_damaged(file);
    memcpy(&head, note, sizeof head);
    if (head.texts > size - sizeof head || head.trajectory != size - sizeof head - head.texts ||
        head.n_words > MAX_WORDS)
        return complain_damaged(file);
    char *texts = s->bytes + ((const char *)note - s->bytes) + sizeof head;
    const int verdict = read_texts(s, texts, texts + head.texts, head.n_words);
    if (verdict == -1) return complain_damaged(file);
    if (verdict != 0) return cmd_no_memory();
    s->way = head.way;
    s->trajectory = texts + head.texts;
    s->trajectory_size = head.trajectory;
    return 0;
}

void cmd_saved_free(cmd_saved *s)
{
    free(s->argv);
    free(s->bytes);
    *s = (cmd_saved){.bytes = NULL};
}

static resida_status load_saved(void *self, const cmd_job *job, resida_run *run)
{
    const cmd_checkpoint *c = self;
    return resida_run_load(run, &job->settings->start, c->from->bytes, c->from->size);
}

static int restore_rows(void *self)
{
    cmd_checkpoint *c = self;
    const cmd_saved *s = c->from;
    FILE *f = c->trajectory->stream;
    json_t *list = c->happened && s->happened[0] ? json_loads(s->happened, 0, NULL) : NULL;
    if (c->happened && s->happened[0] && (!list || json_array_extend(c->happened, list) != 0)) return cmd_no_memory();
    json_decref(list);
    *c->n_happened = s->way.happened;
    *c->rows = s->way.rows;
    if (!f) return 0;
    if (fflush(f) != 0 || ftruncate(fileno(f), 0) != 0 || fseek(f, 0, SEEK_SET) != 0 ||
        fwrite(s->trajectory, 1, s->trajectory_size, f) != s->trajectory_size)
        return cmd_out_fail(c->trajectory);
    return 0;
}

const cmd_moments cmd_moments_of_checkpoint = {.begin = begin_checkpoint,
                                               .pass = save_and_replace,
                                               .write = write_state,
                                               .load = load_saved,
                                               .restore = restore_rows};
