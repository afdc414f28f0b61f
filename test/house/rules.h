/* rules.h - rules about sources: a function of path and text that says how a source breaks it. */
#ifndef TEST_RULES_H
#define TEST_RULES_H

enum { RULE_WHY = 300 };

/** 1: the source breaks the rule, and `why` [RULE_WHY] says how. */
typedef int rule(const char *path, const char *text, char *why);

/** Folders of what is delivered, and these and the tests; end with NULL. */
extern const char *const rule_product[], *const rule_everything[];

/** All sources of the folders obey the rule. Fails with the path and the reason of each one that does not. */
void rule_all_obey(rule *broken, const char *const *folders);

/** A source breaks it, with a reason; another one does not. */
void rule_breaks(rule *broken, const char *path, const char *text);
void rule_obeys(rule *broken, const char *path, const char *text);

#endif
