/* options.h - the table of all options: name, meaning, range, where the value goes, which commands know it. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stddef.h>

typedef enum bench_option_kind {
    BENCH_FLAG,      /**< int = 1 */
    BENCH_NO_FLAG,   /**< int = 0 */
    BENCH_REAL,      /**< double in its range */
    BENCH_WHOLE,     /**< long in its range; 1e6 is one too */
    BENCH_INT,       /**< int in its range */
    BENCH_CHOICE,    /**< int = index of the word */
    BENCH_NAME,      /**< const char * = the word */
    BENCH_STRING,    /**< char *, a copy */
    BENCH_TOLERANCE, /**< double in its range, or NAME=X */
    BENCH_GUESS,     /**< NAME=X, a double in its range */
    BENCH_PARAMETER  /**< NAME=VALUE */
} bench_option_kind;

typedef struct bench_option {
    const char *name;
    char letter; /**< 0: none */
    bench_option_kind kind;
    unsigned commands;        /**< bits of settings.h */
    size_t offset;            /**< of the value in bench_settings */
    double min, max;          /**< BENCH_REAL, BENCH_WHOLE */
    int above_min;            /**< 1: min itself is not allowed */
    const char *const *words; /**< BENCH_CHOICE, BENCH_NAME: closed by NULL */
    const char *value;        /**< in the help: "X", NULL for a flag */
    const char *text;
    const char *(*names)(int i); /**< of the library, listed in the place of "%s" in the text; or NULL */
    const char *feature;         /**< without which it has no effect (resida_features.h); or NULL */
    const char
        *option; /**< its name in resida/option.h, whose table says with what it has an effect; NULL: of the command
                     alone */
} bench_option;

extern const bench_option bench_options[];
extern const int bench_n_options;

/** Ask the library for the words of --form; before anything else is done with the table. */
void bench_options_prepare(void);

/** Does a command of these bits know it, and show it? */
int bench_option_shows(const bench_option *o, unsigned commands);

/** What the option is, and with what it has an effect. Cut to size. */
void bench_option_words(const bench_option *o, char *text, size_t size);

#endif
