// plot.js - plots an output over time below the model, or only the time axis; a line marks the current time.

// Clears a canvas and sets its resolution to its displayed size.
function fitCanvas(canvas) {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
    }
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    return { g: g, width: width, height: height };
}

// Returns at most about `most` round numbers between from and to, with their labels.
function ticksOf(from, to, most) {
    const step = roundNumber(roundNumberAbove((to - from) / most)), list = [];
    const largest = Math.max(Math.abs(from), Math.abs(to));
    const digits = Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 20);
    const places = Math.max(0, Math.floor(Math.log10(largest / step) + 1e-9));
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) {
        const x = k * step;
        const words = x !== 0 && (largest >= 1e5 || largest < 1e-3) ? x.toExponential(Math.min(places, 20)) : x.toFixed(digits);
        list.push({ at: x, words: x === 0 ? "0" : words.replace("e+", "e") });
    }
    return list;
}

// Returns the unit of times for a time span.
function timeUnit(span) {
    return span < 2e-4 ? { name: "µs", scale: 1e6 } : span < 0.2 ? { name: "ms", scale: 1e3 } : { name: "s", scale: 1 };
}

function timePlot(canvas, motion) {
    const LEFT = 76, RIGHT = 14, BOTTOM = 18, TOP = 6; // px, as in viewer.css
    const unit = timeUnit(motion.last - motion.first), span = motion.last - motion.first || 1;
    let output = null;

    const toX = (width, t) => LEFT + (width - LEFT - RIGHT) * (t - motion.first) / span;

    function rangeOf(o) {
        const known = o.values.filter((x) => x !== null);
        let low = known.reduce((a, b) => Math.min(a, b), Infinity), high = known.reduce((a, b) => Math.max(a, b), -Infinity);
        if (known.length === 0) return null;
        const least = 1e-6 * Math.max(Math.abs(low), Math.abs(high)) || 1; // hides rounding noise
        if (high - low < least) low -= least, high += least;
        const edge = 0.06 * (high - low);
        return { low: low - edge, high: high + edge };
    }

    function drawCurve(c, ink) {
        const range = rangeOf(output), g = c.g, bottom = c.height - BOTTOM;
        if (!range) {
            g.fillText("not known", LEFT + 8, bottom / 2);
            return;
        }
        const toY = (x) => bottom - (bottom - TOP) * (x - range.low) / (range.high - range.low);
        g.textAlign = "right";
        g.textBaseline = "middle";
        ticksOf(range.low, range.high, Math.max(2, (bottom - TOP) / 26)).forEach(function (tick) {
            g.globalAlpha = 0.15;
            g.fillRect(LEFT, toY(tick.at), c.width - LEFT - RIGHT, 1);
            g.globalAlpha = 1;
            g.fillText(tick.words, LEFT - 6, toY(tick.at), LEFT - 10);
        });
        g.strokeStyle = motion.palette[0];
        g.lineWidth = 1.5;
        g.lineJoin = "round";
        g.beginPath();
        let joined = false;
        output.values.forEach(function (x, k) {
            if (x !== null) g[joined ? "lineTo" : "moveTo"](toX(c.width, motion.t[k]), toY(x));
            joined = x !== null;
        });
        g.stroke();
        g.fillStyle = g.strokeStyle = ink;
    }

    // Writes the value beside the line of the current time, on the wider side, on a plain background.
    function sayValue(c, time) {
        const value = motion.outputAt(output, time), x = toX(c.width, time), isRight = x < c.width / 2;
        if (!isFinite(value)) return;
        const words = Number(value.toPrecision(4)) + (output.unit ? " " + output.unit : "");
        const width = c.g.measureText(words).width, left = isRight ? x + 6 : x - 6 - width;
        c.g.globalAlpha = 0.8;
        c.g.fillStyle = getComputedStyle(document.body).backgroundColor;
        c.g.fillRect(left - 2, TOP, width + 4, 14);
        c.g.globalAlpha = 1;
        c.g.fillStyle = motion.palette[1];
        c.g.textAlign = "left";
        c.g.fillText(words, left, TOP + 11);
    }

    function draw(time) {
        const c = fitCanvas(canvas), g = c.g, ink = getComputedStyle(document.body).color, bottom = c.height - BOTTOM;
        g.fillStyle = g.strokeStyle = ink;
        g.font = "11px sans-serif";
        if (output) drawCurve(c, ink);
        g.globalAlpha = 0.5;
        g.fillRect(LEFT, bottom, c.width - LEFT - RIGHT, 1);
        g.globalAlpha = 1;
        g.textBaseline = "alphabetic";
        const ticks = ticksOf(unit.scale * motion.first, unit.scale * motion.last, Math.max(2, c.width / 90));
        ticks.forEach(function (tick, k) {
            const x = toX(c.width, tick.at / unit.scale), isLast = k === ticks.length - 1;
            g.fillRect(x, bottom, 1, 4);
            g.textAlign = x > c.width - 30 ? "right" : "center";
            g.fillText(tick.words + (isLast ? " " + unit.name : ""), x > c.width - 30 ? c.width - 2 : x, c.height - 4);
        });
        g.fillStyle = motion.palette[1];
        g.fillRect(toX(c.width, time) - 0.75, TOP, 1.5, bottom - TOP + 4);
        if (output) sayValue(c, time);
    }

    return {
        draw: draw,
        show: (o) => output = o,
        timeAt: (x) => motion.first + span * (x - LEFT) / (canvas.clientWidth - LEFT - RIGHT),
        words: (time) => "t = " + (unit.scale * time).toFixed(3) + " " + unit.name,
    };
}
