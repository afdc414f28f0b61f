/* row_profile.h - the distribution of the run time, and the components that limit the steps (`solve --profile`). */
#ifndef CMD_ROW_PROFILE_H
#define CMD_ROW_PROFILE_H

#include "program/output/json_line.h"
#include "program/output/row.h"

/** Write one line for each part with a measured time, with its share. Without a profile nothing is written. */
void cmd_profile_text(const resida_stats *s, FILE *stream);

/** Return the times of all parts in seconds; null without a profile, NULL without memory. */
json_t *cmd_profile_json(const resida_stats *s);

/** Write one line for each component that limits the steps, with its shares. Without a profile nothing is written. */
void cmd_limits_text(const cmd_row *row, FILE *stream);

/** Return the components that limit the steps as a list; null without a profile, NULL without memory. */
json_t *cmd_limits_json(const cmd_row *row);

#endif
