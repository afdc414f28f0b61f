/* animation_page.h - the page of an animation. */
#ifndef BENCH_ANIMATION_PAGE_H
#define BENCH_ANIMATION_PAGE_H

#include "animation.h"

/** Write it: the viewer (viewer.js, viewer.css), and as JSON what it draws. @return 0; 1 without memory */
int bench_animation_page(FILE *f, const bench_animation *a);

#endif
