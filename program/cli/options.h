/* options.h - the table of all options of a program: name, meaning, range, where the value goes, which commands
 * know it. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stddef.h>

typedef enum cmd_option_kind {
    CMD_FLAG,      /**< int = 1 */
    CMD_NO_FLAG,   /**< int = 0 */
    CMD_REAL,      /**< double in its range */
    CMD_WHOLE,     /**< long in its range; 1e6 is one too */
    CMD_INT,       /**< int in its range */
    CMD_CHOICE,    /**< int = index of the word */
    CMD_NAME,      /**< const char * = the word */
    CMD_STRING,    /**< char *, a copy */
    CMD_TOLERANCE, /**< double in its range, or NAME=X */
    CMD_GUESS,     /**< NAME=X, a double in its range */
    CMD_PARAMETER, /**< NAME=VALUE */
    CMD_OF_MODEL   /**< of a model (model_options.h): the value of its parameter; a flag stands for 1 */
} cmd_option_kind;

typedef struct cmd_option {
    const char *name;
    char letter; /**< 0: none */
    cmd_option_kind kind;
    unsigned commands;        /**< bits of settings.h */
    size_t offset;            /**< of the value in cmd_settings; of an option of a model its number */
    double min, max;          /**< CMD_REAL, CMD_WHOLE */
    int above_min;            /**< 1: min itself is not allowed */
    const char *const *words; /**< CMD_CHOICE, CMD_NAME: closed by NULL */
    const char *value;        /**< in the help: "X", NULL for a flag */
    const char *text;
    const char *(*names)(int i); /**< of the library, listed in the place of "%s" in the text; or NULL */
    const char *feature;         /**< without which it has no effect (resida_features.h); or NULL */
    const char
        *option; /**< its name in resida/option.h, whose table says with what it has an effect; NULL: of the command
                     alone */
} cmd_option;

/** Those of the program, then those of both; as many as cmd_settings.given has room for. */
extern cmd_option cmd_options[];
extern int cmd_n_options;

/** Fill the table, before anything else is done with it; the library has the words of --form.
 *  @param[in] own  [n_own] options of this program alone */
void cmd_options_prepare(const cmd_option *own, int n_own);

/** Does a command of these bits know it, and show it? */
int cmd_option_shows(const cmd_option *o, unsigned commands);

/** What the option is, and with what it has an effect. Cut to size. */
void cmd_option_words(const cmd_option *o, char *text, size_t size);

#endif
