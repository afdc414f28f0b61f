// viewer.js - plays the frames, and lets the user set time, speed, the plotted output and the part with a trail. Space
// plays, arrow keys step by a frame, a double click resets the view; "#t=0.25" in the address sets the time.

(function () {
    const SECONDS = 8, AT_ONCE = [2, 40];   // runs of this length [s] play in real time, others in SECONDS
    const LADDER = [-4, -3, -2, -1, 0, 1, 2, 3, 4]; // speeds to choose from, in steps of 1, 2, 5
    const get = (id) => document.getElementById(id);
    const motion = readMotion(JSON.parse(get("data").textContent), JSON.parse(get("outputs").textContent));
    const canvas = get("view"), slider = get("time"), play = get("play"), speed = get("speed");
    const scene = window.THREE && solidScene(canvas, motion, get("ground")) || flatScene(canvas, motion, get("ground"));
    const plot = timePlot(get("plot"), motion);
    const state = { now: motion.first, playing: false, before: 0 };

    function show() {
        scene.draw(state.now);
        plot.draw(state.now);
        slider.value = String(state.now);
        get("clock").textContent = plot.words(state.now);
        document.body.dataset.shown = String(scene.pieces());
    }

    // --- time ---

    function set(time) {
        state.now = Math.min(Math.max(time, motion.first), motion.last);
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
        let next = state.now + passed * Number(speed.value);
        if (next >= motion.last && get("loop").checked) next = motion.first;
        set(next);
        if (next >= motion.last) turn(false);
        else requestAnimationFrame(tick);
    }

    // Sets the time by the user, and stores it in the address.
    function seek(time) {
        turn(false);
        set(time);
        history.replaceState(null, "", "#t=" + Number(state.now.toPrecision(6)));
    }

    function step(by) {
        const span = motion.last - motion.first, k = motion.t.findIndex((x) => x > state.now - 1e-9 * span);
        seek(motion.t[Math.min(Math.max((k < 0 ? motion.frames - 1 : k) + by, 0), motion.frames - 1)]);
    }

    function toggle() {
        if (!state.playing && state.now >= motion.last) set(motion.first);
        turn(!state.playing);
    }

    function readAddress() {
        const found = /[#&]t=([^&]+)/.exec(location.hash), time = found ? Number(found[1]) : NaN;
        if (isFinite(time)) {
            turn(false);
            set(time);
        }
    }

    // --- controls ---

    function option(select, value, words, isSelected) {
        const o = document.createElement("option");
        o.value = String(value);
        o.textContent = words;
        o.selected = isSelected;
        select.append(o);
    }

    function fillSpeeds() {
        const span = motion.last - motion.first;
        const usual = span >= AT_ONCE[0] && span <= AT_ONCE[1] || !(span > 0) ? 0 : roundNumberAbove(span / SECONDS);
        LADDER.forEach(function (step) {
            const x = roundNumber(usual + step);
            option(speed, x, x < 1 ? "1/" + Math.round(1 / x) : x + " ×", step === 0);
        });
    }

    function fillOutputs() {
        get("output").parentElement.hidden = motion.outputs.length === 0;
        const energy = Math.max(motion.outputs.findIndex((o) => o.name === "energy"), 0);
        motion.outputs.forEach((o, k) => option(get("output"), k, o.name + (o.unit ? " [" + o.unit + "]" : ""), k === energy));
        get("plot").classList.toggle("empty", motion.outputs.length === 0);
        choosePlot();
    }

    function choosePlot() {
        plot.show(motion.outputs[Number(get("output").value)] || null);
    }

    function fillTrails() {
        const count = new Map(), select = get("trail");
        option(select, -1, "none", true);
        motion.parts.forEach(function (part, k) {
            if (part.name === null || part.kind === "arrow") return;
            const n = (count.get(part.name) || 0) + 1;
            count.set(part.name, n);
            option(select, k, part.name + (n > 1 ? " " + n : ""), false);
        });
    }

    function fillLegend() {
        const put = function (colour, name) {
            const item = document.createElement("li"), mark = document.createElement("span");
            mark.style.background = colour;
            item.append(mark, name);
            get("legend").append(item);
        };
        motion.colours.forEach(put);
        const force = motion.parts.find((part) => part.kind === "arrow");
        if (force) put(force.colour, "forces");
    }

    // Draws the directions of x, y and z; the nearest axis is drawn last.
    function drawAxes(axes) {
        const c = fitCanvas(get("axes")), half = c.width / 2, ink = ["#c0392b", "#2e8b57", "#2f6fd0"];
        c.g.font = "bold 11px sans-serif";
        c.g.textAlign = "center";
        c.g.textBaseline = "middle";
        c.g.lineWidth = 2;
        [0, 1, 2].sort((a, b) => axes[a].z - axes[b].z).forEach(function (k) {
            const x = half + 0.6 * half * axes[k].x, y = half - 0.6 * half * axes[k].y;
            c.g.strokeStyle = c.g.fillStyle = ink[k];
            c.g.beginPath();
            c.g.moveTo(half, half);
            c.g.lineTo(x, y);
            c.g.stroke();
            if (Math.hypot(axes[k].x, axes[k].y) > 0.3)
                c.g.fillText("xyz"[k], half + 0.85 * half * axes[k].x, half - 0.85 * half * axes[k].y);
        });
    }

    function keys(e) {
        const does = { " ": toggle, ArrowLeft: () => step(-1), ArrowRight: () => step(1) }[e.key];
        if (!does || e.target.tagName === "SELECT" || (e.key === " " && e.target === play)) return;
        e.preventDefault();
        does();
    }

    function resize() {
        scene.resize();
        show();
    }

    slider.min = String(motion.first);
    slider.max = String(motion.last);
    slider.addEventListener("input", () => seek(Number(slider.value)));
    get("plot").addEventListener("pointerdown", (e) => e.target.setPointerCapture(e.pointerId));
    ["pointerdown", "pointermove"].forEach((type) => get("plot").addEventListener(type, function (e) {
        if (e.buttons) seek(plot.timeAt(e.offsetX));
    }));
    play.addEventListener("click", toggle);
    get("output").addEventListener("change", function () { choosePlot(); show(); });
    get("trail").addEventListener("change", function () {
        scene.setTrail(motion.parts[Number(get("trail").value)] || null);
        show();
    });
    get("follow").addEventListener("change", function () { scene.setFollow(get("follow").checked); show(); });
    canvas.addEventListener("dblclick", function () { scene.reset(); show(); });
    document.addEventListener("keydown", keys);
    window.addEventListener("resize", resize);
    window.addEventListener("hashchange", readAddress);
    scene.onTurn(drawAxes);
    fillSpeeds();
    fillOutputs();
    fillTrails();
    fillLegend();
    get("follow").checked = motion.extent.all > 4 * motion.extent.own;
    scene.reset();
    scene.setFollow(get("follow").checked);
    scene.resize();
    show();
    readAddress();
})();
