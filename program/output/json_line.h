/* json_line.h - one JSON value per line. Values that JSON cannot represent become null. */
#ifndef CMD_JSON_LINE_H
#define CMD_JSON_LINE_H

#include <jansson.h>
#include <stdio.h>

/** Return a number; null for NaN and infinities. */
json_t *cmd_json_real(double value);

/** Return a count; null if unknown (< 0). */
json_t *cmd_json_count(long value);

/** Return a text; null for NULL. Bytes that are not UTF-8 become '?'. */
json_t *cmd_json_text(const char *text);

/** Return a list of numbers, x [n] with a stride in doubles; a new reference, NULL without memory. */
json_t *cmd_json_reals(const double *x, long n, int stride);

/** Set object[key] = value and take ownership of value. The key is converted as by cmd_json_text(). @return object;
 *  NULL without memory, or if object or value is NULL. Then object is freed, so that one test at the end suffices */
json_t *cmd_json_put(json_t *object, const char *key, json_t *value);

/** Append a value to a list. Ownership and return value as for cmd_json_put(). */
json_t *cmd_json_append(json_t *list, json_t *value);

typedef struct cmd_member {
    const char *key;
    json_t *value; /**< owned */
} cmd_member;

/** Call cmd_json_put() for each member, up to one without a key. */
json_t *cmd_json_extend(json_t *object, const cmd_member *members);

/** Make an object of members {"key", value} in their order; a new reference, NULL without memory. */
#define CMD_OBJECT(...) CMD_EXTENDED(json_object(), __VA_ARGS__)

/** Append members to an object, of which ownership is taken. */
#define CMD_EXTENDED(object, ...) cmd_json_extend(object, (const cmd_member[]){__VA_ARGS__, {NULL, NULL}})

/** Write the value and a line feed to stdout or stderr, with numbers in their shortest exact form, and free the value.
 *  @return 0; CMD_EXIT_IO after one complaint if value is NULL (no memory) or the stream failed */
int cmd_json_line(json_t *value, FILE *stream);

#endif
