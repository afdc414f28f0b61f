/* api_scan.h - what the public headers declare: functions with their parameters, structs with their fields. */
#ifndef RESIDA_TEST_API_SCAN_H
#define RESIDA_TEST_API_SCAN_H

enum { API_MAX_PARTS = 60, API_NAME = 48, API_MAX_FUNCTIONS = 200 };

/** A function and its parameters, or a struct and its fields. */
typedef struct api_entry {
    char name[API_NAME];
    char parts[API_MAX_PARTS][API_NAME];
    int n_parts;
} api_entry;

/** The functions that a header declares with RESIDA_API.
 *  @param[in]  text   the header
 *  @param[out] found  [most]
 *  @return how many were found, all counted */
int api_functions(const char *text, api_entry *found, int most);

/** The struct of that name. @return 1, or 0 when the header does not define it */
int api_struct(const char *text, const char *name, api_entry *found);

#endif
