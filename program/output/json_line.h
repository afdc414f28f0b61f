/* json_line.h - one JSON value on one line; what it may hold that JSON has no word for becomes null. */
#ifndef CMD_JSON_LINE_H
#define CMD_JSON_LINE_H

#include <jansson.h>
#include <stdio.h>

/** A number; null for NaN and infinities. */
json_t *cmd_json_real(double value);

/** A count; null when it is unknown (< 0). */
json_t *cmd_json_count(long value);

/** A word; null for NULL. Bytes that are not UTF-8 become '?'. */
json_t *cmd_json_text(const char *text);

/** A list of numbers, x [n], `stride` doubles apart; a new reference, NULL without memory. */
json_t *cmd_json_reals(const double *x, long n, int stride);

/** object[key] = value, which is taken over; of the key as of texts. @return object; NULL without memory, which an
 *  object or a value of NULL means, too, and object is given back: one test at the end is enough */
json_t *cmd_json_put(json_t *object, const char *key, json_t *value);

/** The same at the end of a list. */
json_t *cmd_json_append(json_t *list, json_t *value);

typedef struct cmd_member {
    const char *key;
    json_t *value; /**< taken over */
} cmd_member;

/** cmd_json_put() of each member, up to one without a key. */
json_t *cmd_json_extend(json_t *object, const cmd_member *members);

/** An object of members {"key", value} in their order; a new reference, NULL without memory. */
#define CMD_OBJECT(...) CMD_EXTENDED(json_object(), __VA_ARGS__)

/** The same behind the members of an object, which is taken over. */
#define CMD_EXTENDED(object, ...) cmd_json_extend(object, (const cmd_member[]){__VA_ARGS__, {NULL, NULL}})

/** Write the value and a line feed to stdout or stderr, numbers in their shortest exact form, and give the value back.
 *  @return 0; CMD_EXIT_IO after one complaint, when value is NULL (no memory) or the stream failed */
int cmd_json_line(json_t *value, FILE *stream);

#endif
