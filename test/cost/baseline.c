/* baseline.c - see baseline.h. The file: comments, a line with the names of the columns, then the rows, words between
 * blanks. */
#include "baseline.h"
#include "test/fixtures/file_util.h"

enum { LINE = 512 };

/** The next word of a line, ended by a 0; "" at its end. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t\r\n");
    *at = word + strcspn(word, " \t\r\n");
    if (**at) *(*at)++ = 0;
    return word;
}

static int read_figure(const char *word, double *figure, int *loose)
{
    char *end;
    *loose = word[0] == '(';
    *figure = strtod(word + *loose, &end);
    if (end == word + *loose || !(*figure >= 0) || isinf(*figure)) return -1;
    return strcmp(end, *loose ? ")" : "") == 0 ? 0 : -1;
}

static int names_columns(const baseline *b, char *line)
{
    for (int i = 0; i < b->n_words + b->n_figures; i++)
        if (strcmp(next_word(&line), b->columns[i]) != 0) return 0;
    return *next_word(&line) == 0;
}

static int read_row(const baseline *b, char *line, baseline_row *row)
{
    size_t used = 0;
    for (int i = 0; i < b->n_words; i++) {
        const char *word = next_word(&line);
        int n = snprintf(row->key + used, sizeof row->key - used, "%s%s", i > 0 ? " " : "", word);
        if (*word == 0 || (size_t)n >= sizeof row->key - used) return -1;
        used += (size_t)n;
    }
    for (int k = 0; k < b->n_figures; k++)
        if (read_figure(next_word(&line), &row->figure[k], &row->loose[k]) < 0) return -1;
    return *next_word(&line) == 0 ? 0 : -1;
}

static int read_rows(baseline *b, FILE *in, const char *path, char *why)
{
    char line[LINE];
    int named = 0, number = 0;
    while (fgets(line, sizeof line, in)) {
        char *at = line;
        number++;
        if (line[0] == '#' || line[strspn(line, " \t\r\n")] == 0) continue;
        int good = !named ? names_columns(b, at)
                          : b->n_rows < BASELINE_MAX_ROWS && read_row(b, at, &b->row[b->n_rows]) == 0 &&
                                !baseline_find(b, b->row[b->n_rows].key);
        if (!good) {
            snprintf(why, BASELINE_TEXT, "%s: line %d: %s", path, number,
                     named ? "not a row of words and figures, or one there was before"
                           : "not the names of the columns");
            return -1;
        }
        b->n_rows += named;
        named = 1;
    }
    if (b->n_rows == 0) snprintf(why, BASELINE_TEXT, "%s: no rows", path);
    return b->n_rows == 0 || ferror(in) ? -1 : 0;
}

int baseline_read(baseline *b, const char *path, char *why)
{
    FILE *in = fopen(path, "r");
    b->n_rows = 0;
    snprintf(why, BASELINE_TEXT, "%s: cannot be read", path);
    if (!in) return -1;
    int failed = read_rows(b, in, path, why);
    fclose(in);
    return failed;
}

/** A column as text. @param[out] text [BASELINE_KEY] */
static void cell(const baseline *b, int row, int column, char *text)
{
    const int k = column - b->n_words;
    if (row < 0) {
        snprintf(text, BASELINE_KEY, "%s", b->columns[column]);
    } else if (k < 0) {
        char key[BASELINE_KEY], *at = key;
        memcpy(key, b->row[row].key, sizeof key);
        for (int i = 0; i < column; i++) next_word(&at);
        snprintf(text, BASELINE_KEY, "%s", next_word(&at));
    } else {
        const int loose = b->row[row].loose[k];
        snprintf(text, BASELINE_KEY, "%s%.2f%s", loose ? "(" : "", b->row[row].figure[k], loose ? ")" : "");
    }
}

static int width(const baseline *b, int column)
{
    char text[BASELINE_KEY];
    int most = 0;
    for (int i = -1; i < b->n_rows; i++) {
        cell(b, i, column, text);
        if ((int)strlen(text) > most) most = (int)strlen(text);
    }
    return most;
}

int baseline_write(const baseline *b, const char *path)
{
    char text[BASELINE_KEY];
    FILE *out = fopen(path, "w");
    if (!out) return -1;
    fputs(b->heading, out);
    for (int i = -1; i < b->n_rows; i++) {
        for (int c = 0; c < b->n_words + b->n_figures; c++) {
            cell(b, i, c, text);
            fprintf(out, "%s%*s", c > 0 ? "  " : "", c < b->n_words ? -width(b, c) : width(b, c), text);
        }
        fputc('\n', out);
    }
    int failed = ferror(out);
    return fclose(out) != 0 || failed ? -1 : 0;
}

const baseline_row *baseline_find(const baseline *b, const char *key)
{
    for (int i = 0; i < b->n_rows; i++)
        if (strcmp(b->row[i].key, key) == 0) return &b->row[i];
    return NULL;
}

/** Add a line; what does not fit is left out. */
static void add_line(char *text, const char *line)
{
    size_t used = strlen(text);
    snprintf(text + used, BASELINE_TEXT - used, "%s\n", line);
}

static int judge_row(const baseline *b, const baseline_row *then, const baseline_row *now, int sign, char *text)
{
    int found = 0;
    for (int k = 0; k < b->n_figures; k++) {
        const double before = then->figure[k], percent = 100 * (now->figure[k] / before - 1);
        const int same = now->figure[k] == before || sign * percent <= BASELINE_PERCENT || (isnan(percent) && sign < 0);
        if (then->loose[k] || same) continue;
        const char *line = claims_text("%s: %s %.2f, was %.2f (%+.1f %%)", now->key, b->columns[b->n_words + k],
                                       now->figure[k], before, percent);
        add_line(text, line);
        found++;
    }
    return found;
}

int baseline_judge(const baseline *then, const baseline *now, int sign, char *text)
{
    int found = 0;
    text[0] = 0;
    for (int i = 0; i < now->n_rows; i++) {
        const baseline_row *before = baseline_find(then, now->row[i].key);
        if (before) {
            found += judge_row(then, before, &now->row[i], sign, text);
        } else if (sign > 0) {
            add_line(text, claims_text("%s: not in the table", now->row[i].key));
            found++;
        }
    }
    return found;
}

void baseline_expect_none(const baseline *then, const baseline *now, int sign, const char *table, const char *advice)
{
    static char text[BASELINE_TEXT];
    if (baseline_judge(then, now, sign, text) == 0) return;
    fputs(text, stderr); /* a message of cmocka ends after 1,023 characters */
    fail_msg("%s than in %s (above)\n%s", sign > 0 ? "more expensive" : "cheaper", table, advice);
}

double baseline_mean_percent(const baseline *then, const baseline *now, int first, int k)
{
    double sum = 0;
    for (int i = first; i < now->n_rows; i++) {
        const baseline_row *before = baseline_find(then, now->row[i].key);
        sum += log(now->row[i].figure[k] / (before ? before->figure[k] : NAN));
    }
    return 100 * (exp(sum / (now->n_rows - first)) - 1);
}
