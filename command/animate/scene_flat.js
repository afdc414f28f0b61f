// scene_flat.js - draws the parts as lines and faces on a canvas if three.js or WebGL is not available: drag rotates,
// shift-drag or right-drag moves, the wheel zooms. The view is orthographic with z up.

function flatScene(canvas, motion, ground) {
    const BOX_SIDES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    const extent = motion.extent, RIM = 24, COILS = 16;
    let view = null, follows = false, shown = motion.first, pieces = 0, trail = null, onTurn = () => 0;
    ground.textContent = "";

    // --- pieces of parts: lists of points, filled or not, and marks ---

    const all = (part, xyz) => Array.from({ length: part.n }, (x, k) => motion.point(xyz, part, k));
    const mix = (a, b, w) => a.map((x, k) => x + w * (b[k] - x));

    function rim(centre, w) {
        const side = [1, 2, 0].map((k, i) => w.axis[k] * w.arm[(k + 1) % 3] - w.axis[(k + 1) % 3] * w.arm[k]);
        return Array.from({ length: RIM }, function (x, k) {
            const c = w.radius * Math.cos(2 * Math.PI * k / RIM), s = w.radius * Math.sin(2 * Math.PI * k / RIM);
            return centre.map((y, i) => y + c * w.arm[i] + s * side[i]);
        });
    }

    function coil(a, b) { // a zigzag in the plane of the screen
        const reach = 0.02 * extent.own, along = b.map((x, k) => x - a[k]);
        const length = Math.hypot(...along) || 1, across = [-along[2] / length, 0, along[0] / length];
        const turns = Array.from({ length: COILS }, (x, k) => mix(a, b, 0.1 + 0.8 * (k + 0.5) / COILS).map(
            (y, i) => y + (k % 2 ? -reach : reach) * across[i]));
        return [a, mix(a, b, 0.1), ...turns, mix(a, b, 0.9), b];
    }

    function beam(list) {
        const sides = [list.slice(0, 4), list.slice(-4)];
        for (let s = 0; s + 4 < list.length; s += 4)
            for (let k = 0; k < 4; k++)
                sides.push([list[s + k], list[s + (k + 1) % 4], list[s + 4 + (k + 1) % 4], list[s + 4 + k]]);
        return sides;
    }

    const face = (side) => ({ list: side, filled: true });
    const lines = (list) => list.slice(1).map((x, k) => ({ list: [list[k], x] }));
    const makers = {
        line: (part, xyz) => lines(all(part, xyz)),
        box: (part, xyz) => BOX_SIDES.map((side) => face(side.map((k) => motion.point(xyz, part, k)))),
        balls: (part, xyz) => all(part, xyz).map((x) => ({ list: [x] })),
        beam: (part, xyz) => beam(all(part, xyz)).map(face),
        spring: (part, xyz) => lines(coil(motion.point(xyz, part, 0), motion.point(xyz, part, 1))),
        cylinder: function (part, xyz) {
            const w = motion.wheelOf(part, xyz), rims = [rim(w.from, w), rim(w.to, w)];
            return rims.map(face).concat([{ list: [w.from, rims[0][0]] }, { list: [w.to, rims[1][0]] }]);
        },
        mesh: function (part, xyz) {
            const place = motion.placer(part, xyz), list = part.mesh.triangles, faces = [];
            for (let k = 0; k < list.length; k += 3)
                faces.push(face([0, 1, 2].map((c) => place(motion.vertexOf(part.mesh, list[k + c])))));
            return faces;
        },
        arrow: function (part, xyz, time) {
            const a = motion.arrowOf(part, xyz, time);
            return a ? [{ list: [a.from, a.to] }, { list: [a.to] }] : [];
        },
    };

    // --- the view ---

    function reset() {
        const at = extent.low.map((x, k) => (x + extent.high[k]) / 2);
        const turned = motion.isFlat ? { yaw: 0, pitch: 0 } : { yaw: -0.6, pitch: 0.35 };
        view = { yaw: turned.yaw, pitch: turned.pitch, at: at, zoom: 1, x: 0, y: 0 };
    }

    function projector(xyz, width, height) {
        const at = follows ? motion.middleOf(xyz).at : view.at;
        const scale = 0.8 * view.zoom * Math.min(width, height) / (follows ? extent.own : extent.all);
        const cy = Math.cos(view.yaw), sy = Math.sin(view.yaw), cp = Math.cos(view.pitch), sp = Math.sin(view.pitch);
        const turn = function (x) {
            const right = cy * x[0] + sy * x[1], deep = -sy * x[0] + cy * x[1];
            return [right, cp * x[2] + sp * deep, cp * deep - sp * x[2]];
        };
        onTurn([[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(turn).map((x) => ({ x: x[0], y: x[1], z: -x[2] })));
        return function (x) {
            const to = turn(x.map((c, k) => c - at[k]));
            return [width / 2 + view.x + scale * to[0], height / 2 + view.y - scale * to[1], to[2]];
        };
    }

    // --- drawing ---

    function paint(g, piece) {
        const at = piece.at;
        g.strokeStyle = g.fillStyle = piece.part.colour;
        g.lineWidth = piece.part.name === null || piece.filled ? 1 : 2;
        g.beginPath();
        at.forEach((x, k) => k ? g.lineTo(x[0], x[1]) : g.moveTo(x[0], x[1]));
        if (at.length === 1) g.arc(at[0][0], at[0][1], 4, 0, 2 * Math.PI);
        if (piece.filled) g.closePath();
        g.globalAlpha = piece.filled ? 0.25 : 1;
        if (piece.filled || at.length === 1) g.fill();
        g.globalAlpha = 1;
        if (at.length > 1) g.stroke();
    }

    function draw(time) {
        const c = fitCanvas(canvas), xyz = motion.pointsAt(time), project = projector(xyz, c.width, c.height);
        const list = motion.parts.flatMap((part) => makers[part.kind](part, xyz, time).map(
            (piece) => Object.assign(piece, { part: part, at: piece.list.map(project) })));
        if (trail) list.push({ part: trail.part, at: trail.list.slice(0, motion.frameAt(time) + 1).map(project) });
        const depth = (piece) => piece.at.reduce((sum, x) => sum + x[2], 0) / piece.at.length;
        list.sort((a, b) => depth(b) - depth(a)).forEach((piece) => paint(c.g, piece));
        shown = time;
        pieces = list.length;
    }

    function drag(e) {
        if (!e.buttons) return;
        if (e.shiftKey || e.buttons & 2) {
            view.x += e.movementX;
            view.y += e.movementY;
        } else {
            view.yaw -= 0.01 * e.movementX;
            view.pitch = Math.min(Math.max(view.pitch + 0.01 * e.movementY, -Math.PI / 2), Math.PI / 2);
        }
        draw(shown);
    }

    canvas.addEventListener("pointermove", drag);
    canvas.addEventListener("pointerdown", (e) => canvas.setPointerCapture(e.pointerId));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("wheel", function (e) {
        e.preventDefault();
        view.zoom *= Math.exp(-0.001 * e.deltaY);
        draw(shown);
    }, { passive: false });
    return {
        draw: draw, reset: reset, resize: () => 0,
        setTrail: (part) => trail = part ? { part: part, list: motion.trailOf(part) } : null,
        setFollow: (on) => follows = on,
        onTurn: (f) => onTurn = f,
        pieces: () => pieces,
    };
}
