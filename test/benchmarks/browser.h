/* browser.h - a page in chromium. Without it there is nothing to look with. */
#ifndef TEST_BROWSER_H
#define TEST_BROWSER_H

/** 1 when the program runs here; else it is said. */
int browser_has(const char *program);

/** Open FOLDER/page, a file of the test's folder, and wait for its end. What it prints goes to dom.txt (with
 *  --dump-dom), what it complains of to console.txt, its requests to net.json. No name is resolved: what a page or the
 *  browser itself asks for gets nowhere.
 *  @param options  more of them, such as "--dump-dom" */
void browser_open(const char *page, const char *options);

#endif
