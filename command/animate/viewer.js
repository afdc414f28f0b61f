// viewer.js - draws the frames of a run on a canvas: drag turns, shift-drag or right-drag moves, the wheel zooms, a
// double click starts anew; space plays, arrow keys go by a frame. Between frames points move on straight lines.
"use strict";
(function () {
    const data = JSON.parse(document.getElementById("data").textContent);
    const canvas = document.getElementById("view"), axis = document.getElementById("axis");
    const slider = document.getElementById("time"), clock = document.getElementById("clock");
    const play = document.getElementById("play"), speed = document.getElementById("speed");
    const follow = document.getElementById("follow");
    const frames = data.xyz.length, t = data.t, first = t[0], last = t[frames - 1];
    const BOX_SIDES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#6a3d9a"];
    const state = { now: first, playing: false, before: 0, view: null };

    // --- the parts: where their points begin, and their colours ---

    const colours = new Map();
    let begin = 0;
    data.parts.forEach(function (part) {
        part.begin = begin;
        begin += part.n;
        if (part.name !== null && !colours.has(part.name))
            colours.set(part.name, COLOURS[colours.size % COLOURS.length]);
        part.colour = part.name === null ? "#8888" : colours.get(part.name);
    });
    const points = begin;

    // --- a moment: points between two frames ---

    function pointsAt(time) {
        let low = 0, high = frames - 1;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (t[middle] <= time) low = middle; else high = middle;
        }
        const gap = t[high] - t[low], w = gap > 0 ? Math.min(Math.max((time - t[low]) / gap, 0), 1) : 0;
        const a = data.xyz[low], b = data.xyz[high];
        return a.map((x, i) => x + w * (b[i] - x));
    }

    function middleOf(xyz) {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        data.parts.forEach(function (part) {
            if (part.name === null && colours.size > 0) return;
            for (let i = 3 * part.begin; i < 3 * (part.begin + part.n); i++) {
                low[i % 3] = Math.min(low[i % 3], xyz[i]);
                high[i % 3] = Math.max(high[i % 3], xyz[i]);
            }
        });
        return { low: low, high: high, at: low.map((x, k) => (x + high[k]) / 2) };
    }

    const diagonal = (low, high) => Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);

    // How large it is at a moment, and over all of them.
    const extent = (function () {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        let own = 0;
        data.xyz.forEach(function (xyz) {
            const m = middleOf(xyz);
            own = Math.max(own, diagonal(m.low, m.high));
            for (let k = 0; k < 3; k++) {
                low[k] = Math.min(low[k], m.low[k]);
                high[k] = Math.max(high[k], m.high[k]);
            }
        });
        return { own: own || 1, all: diagonal(low, high) || 1, low: low, high: high };
    })();

    // --- the view: an orthographic one, z up ---

    function flatness() { // seen from the front where nothing is deep
        return extent.high[1] - extent.low[1] < 1e-6 * extent.all;
    }

    function reset() {
        const at = extent.low.map((x, k) => (x + extent.high[k]) / 2);
        const turned = flatness() ? { yaw: 0, pitch: 0 } : { yaw: -0.6, pitch: 0.35 };
        state.view = { yaw: turned.yaw, pitch: turned.pitch, at: at, zoom: 1, x: 0, y: 0 };
        follow.checked = extent.all > 4 * extent.own;
    }

    function projector(xyz, width, height) {
        const v = state.view, at = follow.checked ? middleOf(xyz).at : v.at;
        const size = follow.checked ? extent.own : extent.all;
        const scale = 0.8 * v.zoom * Math.min(width, height) / size;
        const cy = Math.cos(v.yaw), sy = Math.sin(v.yaw), cp = Math.cos(v.pitch), sp = Math.sin(v.pitch);
        return function (i) {
            const x = xyz[3 * i] - at[0], y = xyz[3 * i + 1] - at[1], z = xyz[3 * i + 2] - at[2];
            const right = cy * x + sy * y, deep = -sy * x + cy * y;
            return [width / 2 + v.x + scale * right, height / 2 + v.y - scale * (cp * z + sp * deep), cp * deep - sp * z];
        };
    }

    // --- drawing ---

    function fit(c) {
        const ratio = window.devicePixelRatio || 1, width = c.clientWidth, height = c.clientHeight;
        if (c.width !== Math.round(width * ratio) || c.height !== Math.round(height * ratio)) {
            c.width = Math.round(width * ratio);
            c.height = Math.round(height * ratio);
        }
        const g = c.getContext("2d");
        g.setTransform(ratio, 0, 0, ratio, 0, 0);
        g.clearRect(0, 0, width, height);
        return { g: g, width: width, height: height };
    }

    function path(g, at, list) {
        g.beginPath();
        list.forEach((k, n) => n ? g.lineTo(at[k][0], at[k][1]) : g.moveTo(at[k][0], at[k][1]));
    }

    // Pieces of the parts, with how deep they are: what is nearer is drawn later.
    function pieces(part, at) {
        const depth = (list) => list.reduce((sum, k) => sum + at[k][2], 0) / list.length;
        const shift = (list) => list.map((k) => part.begin + k);
        const all = Array.from({ length: part.n }, (x, k) => part.begin + k);
        if (part.kind === "box")
            return BOX_SIDES.map(shift).map((side) => ({ part: part, side: side, depth: depth(side) }));
        if (part.kind === "balls") return all.map((k) => ({ part: part, ball: k, depth: at[k][2] }));
        return all.slice(1).map((k) => ({ part: part, line: [k - 1, k], depth: depth([k - 1, k]) }));
    }

    function draw(g, piece, at) {
        g.strokeStyle = g.fillStyle = piece.part.colour;
        g.lineWidth = piece.part.name === null ? 1 : 2;
        if (piece.side) {
            path(g, at, piece.side);
            g.closePath();
            g.globalAlpha = 0.25;
            g.fill();
            g.globalAlpha = 1;
            g.lineWidth = 1;
            g.stroke();
        } else if (piece.line) {
            path(g, at, piece.line);
            g.stroke();
        } else {
            g.beginPath();
            g.arc(at[piece.ball][0], at[piece.ball][1], 4, 0, 2 * Math.PI);
            g.fill();
        }
    }

    function ticks(from, to, most) {
        const rough = (to - from) / most, power = Math.pow(10, Math.floor(Math.log10(rough)));
        const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
        const list = [];
        for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) list.push(k * step);
        return { list: list, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
    }

    function drawAxis() {
        const c = fit(axis), edge = 8, style = getComputedStyle(document.body);
        c.g.fillStyle = c.g.strokeStyle = style.color;
        c.g.font = "11px sans-serif";
        if (!(last > first)) return;
        const marks = ticks(first, last, Math.max(2, c.width / 80));
        marks.list.forEach(function (x) {
            const at = edge + (c.width - 2 * edge) * (x - first) / (last - first);
            c.g.fillRect(at, 0, 1, 5);
            const is_last = x === marks.list[marks.list.length - 1];
            c.g.textAlign = at > c.width - 20 ? "right" : at < 20 ? "left" : "center";
            c.g.fillText(x.toFixed(marks.digits) + (is_last ? " s" : ""), at, 16);
        });
    }

    function show() {
        const c = fit(canvas), xyz = pointsAt(state.now), project = projector(xyz, c.width, c.height);
        const at = Array.from({ length: points }, (x, k) => project(k));
        const list = data.parts.flatMap((part) => pieces(part, at));
        list.sort((a, b) => (b.depth - a.depth)).forEach((piece) => draw(c.g, piece, at));
        slider.value = String(state.now);
        clock.textContent = "t = " + state.now.toFixed(3) + " s";
        document.body.dataset.shown = String(list.length);
    }

    // --- time ---

    function set(time) {
        state.now = Math.min(Math.max(time, first), last);
        show();
    }

    function turn(on) {
        state.playing = on;
        play.textContent = on ? "Pause" : "Play";
        state.before = 0;
        if (on) requestAnimationFrame(tick);
    }

    function tick(ms) {
        if (!state.playing) return;
        const passed = state.before ? (ms - state.before) / 1000 : 0;
        state.before = ms;
        const next = state.now + passed * Number(speed.value);
        set(next);
        if (next >= last) turn(false);
        else requestAnimationFrame(tick);
    }

    function step(by) {
        turn(false);
        const k = t.findIndex((x) => x > state.now - 1e-12 * (last - first));
        set(t[Math.min(Math.max((k < 0 ? frames - 1 : k) + by, 0), frames - 1)]);
    }

    function toggle() {
        if (!state.playing && state.now >= last) set(first);
        turn(!state.playing);
    }

    // --- hands ---

    function drag(e) {
        if (!e.buttons) return;
        const v = state.view;
        if (e.shiftKey || e.buttons & 2) {
            v.x += e.movementX;
            v.y += e.movementY;
        } else {
            v.yaw -= 0.01 * e.movementX;
            v.pitch = Math.min(Math.max(v.pitch + 0.01 * e.movementY, -Math.PI / 2), Math.PI / 2);
        }
        show();
    }

    function keys(e) {
        const does = { " ": toggle, ArrowLeft: () => step(-1), ArrowRight: () => step(1) }[e.key];
        if (!does || e.target === speed || (e.key === " " && e.target === play)) return;
        e.preventDefault();
        does();
    }

    function legend() {
        const list = document.getElementById("legend");
        colours.forEach(function (colour, name) {
            const item = document.createElement("li"), mark = document.createElement("span");
            mark.style.background = colour;
            item.append(mark, name);
            list.append(item);
        });
    }

    function speeds() { // so that a run is seen in about ten seconds
        const fit = ticks(0, Math.max((last - first) / 10, 1e-9), 1).list[1] || 1;
        [0.1, 0.5, 1, 2, 10].forEach(function (m) {
            const option = document.createElement("option");
            option.value = String(fit * m);
            option.textContent = Number((fit * m).toPrecision(3)) + " ×";
            option.selected = m === 1;
            speed.append(option);
        });
    }

    slider.min = String(first);
    slider.max = String(last);
    slider.addEventListener("input", function () { turn(false); set(Number(slider.value)); });
    play.addEventListener("click", toggle);
    follow.addEventListener("change", show);
    canvas.addEventListener("pointermove", drag);
    canvas.addEventListener("pointerdown", (e) => canvas.setPointerCapture(e.pointerId));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("dblclick", function () { reset(); show(); });
    canvas.addEventListener("wheel", function (e) {
        e.preventDefault();
        state.view.zoom *= Math.exp(-0.001 * e.deltaY);
        show();
    }, { passive: false });
    document.addEventListener("keydown", keys);
    window.addEventListener("resize", function () { drawAxis(); show(); });
    legend();
    speeds();
    reset();
    drawAxis();
    show();
})();
