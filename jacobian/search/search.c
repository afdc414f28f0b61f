/* search.c - decides when new entries are searched, and when the pattern is checked. */
#include "search.h"

enum {
    UNCHECKED = 8,         /* evaluations that pass after a search without new entries; each next one doubles them */
    MAX_EMPTY_SEARCHES = 8 /* maximum counted number of consecutive searches without new entries */
};

void rsd_search_reset(rsd_search *s)
{
    s->learnt = s->unchecked = s->false_alarm = s->empty_searches = 0;
    s->mode_A = s->mode_B = (rsd_walk_mode){0, 0};
}

/* Return 1 if the current evaluation must search for new entries, on request or "whenever the convergence of the
 * corrector iteration is too slow and the difference approximation itself has been updated recently", section 3.1.
 * After a search without new entries, some evaluations pass before the next search. */
int rsd_search_is_wanted(const rsd_search *s, const rsd_frame *f, const rsd_check_reasons *why)
{
    if (!f->strategy->coloured) return 0;
    if (why->is_requested) return 1;
    const int is_in_trouble = why->is_failing || why->is_slow_again;
    return f->strategy->learns && !s->is_given && is_in_trouble && s->unchecked <= 0;
}

/* Return 1 if the current evaluation must check the pattern. A given pattern is checked once. It is checked again if
 * the iteration is slow or fails soon after an evaluation. */
int rsd_search_is_check_due(rsd_search *s, long evaluations, const rsd_check_reasons *why)
{
    int is_known = s->is_given && evaluations > s->checked_from;
    if (is_known && !why->is_doubtful) return 0;
    int waits = s->false_alarm && s->unchecked > 0;
    s->unchecked -= s->unchecked > 0;
    return !waits;
}

/* Count an evaluation that learns the pattern. Learning ends when a later evaluation finds no new entry and an
 * evaluation by groups takes fewer calls than an evaluation by columns. */
void rsd_search_record_learning(rsd_search *s, int grows, int groups_are_cheaper)
{
    if (s->learnt++ > 0 && !grows && groups_are_cheaper) s->learning = 0;
}

void rsd_search_record_new_entries(rsd_search *s, int has_grown, int by_check)
{
    s->is_given &= !has_grown;
    s->false_alarm = by_check && !has_grown;
    s->empty_searches = has_grown                                ? 0
                        : s->empty_searches < MAX_EMPTY_SEARCHES ? s->empty_searches + 1
                                                                 : MAX_EMPTY_SEARCHES;
    /* If the search found no entry, a kink or a strong curvature of F was the cause of the slow iteration. */
    s->unchecked = has_grown ? 0 : UNCHECKED << (s->empty_searches - 1);
}
