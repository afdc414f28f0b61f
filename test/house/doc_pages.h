/* doc_pages.h - the pages that a reader of the project reads: README, CONTRIBUTING, doc and what it has below. */
#ifndef RESIDA_TEST_DOC_PAGES_H
#define RESIDA_TEST_DOC_PAGES_H

#include "test/fixtures/file_util.h"

typedef void doc_visit_fn(const char *page, const char *text, void *context);

/** Each page, with its path from the root of the tree; fails where there are fewer than there were. */
void doc_each_page(doc_visit_fn *visit, void *context);

/** Each span of a page's code: lines that are indented by four blanks or fenced, and what stands `so`; texts are closed
 *  by 0. */
void doc_each_code(doc_visit_fn *visit, void *context);

/** Each file of the build, meson.build. */
void doc_each_build_file(doc_visit_fn *visit, void *context);

/** Is there such a path from the root of the tree? '*' stands for any part of a name. */
int doc_exists(const char *path);

#endif
