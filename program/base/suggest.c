/* suggest.c - edit distance with transpositions of neighbours (optimal string alignment; Damerau: A technique for
 * computer detection and correction of spelling errors, 1964). Upper and lower case are equivalent. */
#include "suggest.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

enum { WORD_MAX = 48 }; /* longer words are not compared */

static int min3(int a, int b, int c)
{
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static int get_lower_letter(const char *word, int i)
{
    return tolower((unsigned char)word[i]);
}

static int compute_edit_distance(const char *a, int n_a, const char *b, int n_b)
{
    int d[WORD_MAX + 1][WORD_MAX + 1];
    for (int i = 0; i <= n_a; i++) d[i][0] = i;
    for (int j = 0; j <= n_b; j++) d[0][j] = j;
    for (int i = 1; i <= n_a; i++)
        for (int j = 1; j <= n_b; j++) {
            int differ = get_lower_letter(a, i - 1) != get_lower_letter(b, j - 1);
            d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + differ);
            int swapped = i > 1 && j > 1 && get_lower_letter(a, i - 1) == get_lower_letter(b, j - 2) &&
                          get_lower_letter(a, i - 2) == get_lower_letter(b, j - 1);
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j]) d[i][j] = d[i - 2][j - 2] + 1;
        }
    return d[n_a][n_b];
}

const char *cmd_nearest(const char *word, const char *const *names, int n)
{
    size_t length = strlen(word);
    if (length < 2 || length > WORD_MAX) return NULL;
    int allowed = length < 6 ? 1 : (int)length / 3;
    const char *nearest = NULL;
    for (int i = 0; i < n; i++) {
        if (!names[i] || strlen(names[i]) > WORD_MAX) continue;
        int d = compute_edit_distance(word, (int)length, names[i], (int)strlen(names[i]));
        if (d > allowed) continue;
        nearest = names[i];
        allowed = d - 1; /* only a smaller distance is better */
    }
    return nearest;
}

int cmd_word_matches(const char *word, const char *name)
{
    enum { WORD = 256 };
    char escaped[2 * WORD + 1];
    int n = 0;
    if (!strpbrk(word, "*?")) return strcmp(word, name) == 0;
    for (; *word && n < 2 * WORD - 1; word++) {
        if (*word == '[' || *word == '\\') escaped[n++] = '\\';
        escaped[n++] = *word;
    }
    escaped[n] = 0;
    return fnmatch(escaped, name, 0) == 0;
}
