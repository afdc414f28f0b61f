/* options.h - the table of all options of a program: name, text, range, destination of the value, commands. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stddef.h>

typedef enum cmd_option_kind {
    CMD_FLAG,      /**< int = 1 */
    CMD_NO_FLAG,   /**< int = 0 */
    CMD_REAL,      /**< double in its range */
    CMD_WHOLE,     /**< long in its range; 1e6 is also accepted */
    CMD_INT,       /**< int in its range */
    CMD_CHOICE,    /**< int = index in words */
    CMD_NAME,      /**< const char * = the word */
    CMD_STRING,    /**< char *, a copy */
    CMD_TOLERANCE, /**< double in its range, or NAME=X */
    CMD_GUESS,     /**< NAME=X, a double in its range */
    CMD_PARAMETER, /**< NAME=VALUE */
    CMD_OF_MODEL   /**< option of a model (model_options.h): value of its parameter; a flag means 1 */
} cmd_option_kind;

typedef struct cmd_option {
    const char *name;
    char letter; /**< 0 if there is none */
    cmd_option_kind kind;
    unsigned commands;        /**< bits of settings.h */
    size_t offset;            /**< of the value in cmd_settings; for an option of a model its number */
    double min, max;          /**< CMD_REAL, CMD_WHOLE */
    int above_min;            /**< 1 if min itself is excluded */
    const char *const *words; /**< for CMD_CHOICE, CMD_NAME: terminated by NULL */
    const char *value;        /**< in the help text: "X"; NULL for a flag */
    const char *text;
    const char *(*names)(int i); /**< names in the library, which replace "%s" in the text; or NULL */
    const char *feature;         /**< feature in resida_features.h without which the option has no effect; or NULL */
    const char *option; /**< name in resida/option.h, which defines its effect; NULL if only the command has it */
} cmd_option;

/** The options of the program, followed by the shared options. cmd_settings.given has a member for each. */
extern cmd_option cmd_options[];
extern int cmd_n_options;

/** Fill the table. To be called first. The library defines the words of --form.
 *  @param[in] own  [n_own] options of this program only */
void cmd_options_prepare(const cmd_option *own, int n_own);

/** Return 1 if a command with one of these bits accepts the option and lists it in its help. */
int cmd_option_is_accepted(const cmd_option *o, unsigned commands);

/** Write the description of an option and the condition for its effect, truncated to size. */
void cmd_option_describe(const cmd_option *o, char *text, size_t size);

#endif
