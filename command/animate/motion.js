// motion.js - the frames of a run: the points of the parts and the outputs at a time, and the extent of the model.
// Points and outputs are interpolated linearly between frames.
"use strict";

// Returns the k-th number of 1, 2, 5, 10, 20 ...; negative k give reciprocals.
function roundNumber(k) {
    const decade = Math.floor(k / 3), power = Math.pow(10, Math.abs(decade)), digit = [1, 2, 5][k - 3 * decade];
    return decade < 0 ? digit / power : digit * power;
}

// Returns the index of the smallest round number that is not below x > 0.
function roundNumberAbove(x) {
    let k = 3 * Math.floor(Math.log10(x)) - 1;
    while (roundNumber(k) < x * (1 - 1e-9)) k++;
    return k;
}

function readMotion(data, outputs) {
    const ARROW = 0.25; // length of the longest arrow as a fraction of the drawn size
    const t = data.t, frames = t.length, first = t[0], last = t[frames - 1];

    // --- parts: indices of their first points, and their colours ---

    const colours = new Map();
    let begin = 0, mesh = 0;
    data.parts.forEach(function (part) {
        part.begin = begin;
        begin += part.n;
        const isForce = part.kind === "arrow";
        if (part.name !== null && !isForce && !colours.has(part.name))
            colours.set(part.name, part.colour || data.palette[colours.size % data.palette.length]);
        part.colour = part.colour || (isForce ? "#c0271a" : part.name === null ? "#888888" : colours.get(part.name));
        if (part.kind === "mesh") part.mesh = data.meshes[mesh++];
        part.output = part.kind === "arrow" ? outputs.findIndex((o) => o.name === part.name) : -1;
    });
    const point = (xyz, part, k) => xyz.slice(3 * (part.begin + k), 3 * (part.begin + k) + 3);

    // --- interpolation in time ---

    function frameAt(time) { // the last frame that is not later than time
        let low = 0, high = frames - 1;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (t[middle] <= time) low = middle; else high = middle;
        }
        return high > 0 && t[high] <= time ? high : low;
    }

    // Calls mix() with the frames before and after a time, and the weight of the second one.
    function between(time, mix) {
        const low = Math.min(frameAt(time), Math.max(frames - 2, 0)), high = Math.min(low + 1, frames - 1);
        const gap = t[high] - t[low];
        return mix(low, high, gap > 0 ? Math.min(Math.max((time - t[low]) / gap, 0), 1) : 0);
    }

    const pointsAt = (time) => between(time, function (low, high, w) {
        const a = data.xyz[low], b = data.xyz[high];
        return a.map((x, i) => x + w * (b[i] - x));
    });
    const outputAt = (o, time) => between(time, function (low, high, w) {
        const a = o.values[low], b = o.values[high];
        return a === null || b === null ? NaN : a + w * (b - a);
    });

    // --- meshes: the position of a vertex from the origin and the unit vectors of the body's axes ---

    function placer(part, xyz) {
        const [o, x, y, z] = [0, 1, 2, 3].map((k) => point(xyz, part, k));
        return (v) => o.map((c, k) => c + v[0] * (x[k] - c) + v[1] * (y[k] - c) + v[2] * (z[k] - c));
    }

    const vertexOf = (mesh, i) => mesh.vertices.slice(3 * i, 3 * i + 3);

    function cornersOf(mesh) { // of its bounding box in the axes of the body
        if (!mesh.corners) {
            const along = [0, 1, 2].map((k) => mesh.vertices.filter((x, i) => i % 3 === k));
            const low = along.map((list) => list.reduce((a, b) => Math.min(a, b)));
            const high = along.map((list) => list.reduce((a, b) => Math.max(a, b)));
            mesh.corners = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [0, 1, 2].map((k) => (c >> k & 1 ? high[k] : low[k])));
        }
        return mesh.corners;
    }

    // --- extent ---

    // Returns the bounding box of a part; a cylinder is taken as round.
    function boundsOf(part, xyz) {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        const take = function (x, reach) {
            for (let k = 0; k < 3; k++) {
                low[k] = Math.min(low[k], x[k] - reach[k]);
                high[k] = Math.max(high[k], x[k] + reach[k]);
            }
        };
        const none = [0, 0, 0];
        if (part.kind === "cylinder") {
            const w = wheelOf(part, xyz), reach = w.axis.map((x) => w.radius * Math.sqrt(Math.max(1 - x * x, 0)));
            take(w.from, reach);
            take(w.to, reach);
        } else if (part.kind === "mesh") {
            cornersOf(part.mesh).map(placer(part, xyz)).forEach((x) => take(x, none));
        } else {
            for (let k = 0; k < (part.kind === "arrow" ? 1 : part.n); k++) take(point(xyz, part, k), none);
        }
        return { low: low, high: high };
    }

    function wheelOf(part, xyz) {
        const from = point(xyz, part, 0), to = point(xyz, part, 1), rim = point(xyz, part, 2);
        const along = to.map((x, k) => x - from[k]), length = Math.hypot(...along) || 1;
        const axis = along.map((x) => x / length), out = rim.map((x, k) => x - from[k]);
        const far = out.reduce((sum, x, k) => sum + x * axis[k], 0);
        const arm = out.map((x, k) => x - far * axis[k]), radius = Math.hypot(...arm);
        return { from: from, to: to, axis: axis, arm: arm.map((x) => x / (radius || 1)), radius: radius };
    }

    const isBody = (part) => part.name !== null || colours.size === 0;

    function middleOf(xyz) {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        data.parts.filter(isBody).forEach(function (part) {
            const b = boundsOf(part, xyz);
            for (let k = 0; k < 3; k++) {
                low[k] = Math.min(low[k], b.low[k]);
                high[k] = Math.max(high[k], b.high[k]);
            }
        });
        return { low: low, high: high, at: low.map((x, k) => (x + high[k]) / 2) };
    }

    const diagonal = (low, high) => Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);

    // At most about 200 frames determine the extent: its maximum at one time, and that over all times.
    const some = data.xyz.filter((xyz, k) => k % Math.ceil(frames / 200) === 0 || k === frames - 1);
    const extent = (function () {
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        let own = 0, floor = Infinity;
        some.forEach(function (xyz) {
            const m = middleOf(xyz);
            own = Math.max(own, diagonal(m.low, m.high));
            data.parts.forEach((part) => floor = Math.min(floor, boundsOf(part, xyz).low[2]));
            for (let k = 0; k < 3; k++) {
                low[k] = Math.min(low[k], m.low[k]);
                high[k] = Math.max(high[k], m.high[k]);
            }
        });
        return { own: own || 1, all: diagonal(low, high) || 1, low: low, high: high, floor: floor };
    })();
    // If the middles of all parts stay in one plane, the camera looks at this plane.
    const depths = some.flatMap((xyz) => data.parts.map(function (part) {
        const b = boundsOf(part, xyz);
        return b.low[1] + b.high[1];
    }));
    const isFlat = depths.every((y) => Math.abs(y - depths[0]) < 1e-6 * extent.all);

    // Returns the corners of all bounding boxes over time, relative to the middle of the model if the view follows it.
    function reach(follows) {
        return some.flatMap(function (xyz) {
            const zero = follows ? middleOf(xyz).at : [0, 0, 0];
            return data.parts.filter(isBody).flatMap(function (part) {
                const b = boundsOf(part, xyz);
                return [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [0, 1, 2].map(
                    (k) => (c >> k & 1 ? b.high[k] : b.low[k]) - zero[k]));
            });
        });
    }

    // --- forces: arrows with the same unit have the same scale ---

    const largest = new Map();
    data.parts.filter((part) => part.output >= 0).forEach(function (part) {
        const o = outputs[part.output], most = Math.max(...o.values.map((x) => Math.abs(x === null ? 0 : x)));
        largest.set(o.unit, Math.max(largest.get(o.unit) || 0, most));
    });

    // Returns the ends of an arrow; null without a force.
    function arrowOf(part, xyz, time) {
        const o = outputs[part.output], value = o ? outputAt(o, time) : NaN;
        const length = ARROW * extent.own * value / largest.get(o && o.unit);
        if (!(Math.abs(length) > 1e-3 * extent.own)) return null;
        const from = point(xyz, part, 0), to = point(xyz, part, 1), along = to.map((x, k) => x - from[k]);
        const unit = length / (Math.hypot(...along) || 1);
        return { from: from, to: from.map((x, k) => x + unit * along[k]) };
    }

    // Returns the point of a part that leaves a trail, its end or its middle, in all frames.
    function trailOf(part) {
        const last = { line: 1, spring: 1, beam: 4, arrow: part.n, cylinder: part.n - 1, mesh: 1 }[part.kind] || part.n;
        const from = { line: part.n - 1, spring: part.n - 1, beam: part.n - 4 }[part.kind] || 0;
        return data.xyz.map(function (xyz) {
            const sum = [0, 0, 0];
            for (let k = from; k < from + last; k++) point(xyz, part, k).forEach((x, i) => sum[i] += x / last);
            return sum;
        });
    }

    return {
        parts: data.parts, colours: colours, palette: data.palette, outputs: outputs, t: t, frames: frames, first: first, last: last,
        frameAt: frameAt, pointsAt: pointsAt, outputAt: outputAt, point: point, wheelOf: wheelOf, middleOf: middleOf,
        extent: extent, isFlat: isFlat, reach: reach, arrowOf: arrowOf, trailOf: trailOf,
        placer: placer, vertexOf: vertexOf,
    };
}
