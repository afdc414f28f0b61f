/* row_profile.h - where the time of a run went, and what limits its steps (`solve --profile`). */
#ifndef CMD_ROW_PROFILE_H
#define CMD_ROW_PROFILE_H

#include "program/output/json_line.h"
#include "program/output/row.h"

/** A line for each part that took time, with its share; nothing without a profile. */
void cmd_profile_text(const resida_stats *s, FILE *stream);

/** All parts in seconds; null without a profile, NULL without memory. */
json_t *cmd_profile_json(const resida_stats *s);

/** A line for each component that limits the steps, with its shares; nothing without a profile. */
void cmd_limits_text(const cmd_row *row, FILE *stream);

/** The same in a list; null without a profile, NULL without memory. */
json_t *cmd_limits_json(const cmd_row *row);

#endif
