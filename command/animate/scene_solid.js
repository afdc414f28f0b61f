// scene_solid.js - draws the parts as solids with light and edges by three.js: drag rotates, right-drag or two fingers
// move, the wheel or a pinch zooms. scene.draw(time) draws the scene. The scene is null without WebGL.

function solidScene(canvas, motion, ground) {
    const ROD = 0.006, BALL = 0.016, COIL = 0.022, WIRE = 0.14; // fractions of the size; WIRE: of the coil
    const TURNS = 8, SIDES = 48, FIELD = 0.5, MARGIN = 1.12, HEADER = 48, LOW = 0.1; // angle of view [rad]; [px]
    const size = motion.extent.own, up = new THREE.Vector3(0, 1, 0);
    const vector = (x) => new THREE.Vector3(x[0], x[1], x[2]);
    let renderer;
    try {
        renderer = new THREE.WebGLRenderer({ canvas: canvas, antialias: true });
    } catch (e) {
        return null;
    }
    renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(FIELD * 180 / Math.PI, 1, 1, 2);
    camera.up.set(0, 0, 1); // before the controls read it
    const controls = new THREE.OrbitControls(camera, canvas);
    let follows = false, middle = null, shown = motion.first, trail = null, onTurn = () => 0, untouched = true;

    // --- light, ground ---

    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    scene.background = new THREE.Color(dark ? "#1b1e23" : "#f3f5f7");
    const sky = new THREE.HemisphereLight("#ffffff", "#777b82", 0.75);
    sky.position.set(0, 0, 1);
    scene.add(sky);
    const lamp = new THREE.DirectionalLight("#ffffff", 0.42);
    lamp.position.set(-1, 1.5, 2); // beside the camera
    camera.add(lamp);
    scene.add(camera);

    const cell = roundNumber(roundNumberAbove(size / 8)), cells = 2 * Math.ceil(2 * Math.max(size, Math.min(
        motion.extent.all, 4 * size)) / cell);
    const grid = new THREE.GridHelper(cells * cell, cells, dark ? "#4a5058" : "#c2c8cf", dark ? "#33383f" : "#dde1e6");
    if (!motion.isFlat) grid.rotation.x = Math.PI / 2;
    scene.add(grid);
    ground.textContent = "grid " + Number(cell.toPrecision(3)) + " m";

    function placeGrid(at) {
        const snap = (x) => cell * Math.round(x / cell);
        if (motion.isFlat) grid.position.set(snap(at[0]), motion.extent.high[1] + 0.05 * size, snap(at[2]));
        else grid.position.set(snap(at[0]), snap(at[1]), motion.extent.floor - 1e-3 * size);
    }

    // --- parts: each function adds the objects of a part and returns a function that moves them ---

    const paint = (colour, more) => new THREE.MeshPhongMaterial(Object.assign({
        color: colour, specular: "#151515", shininess: 30, polygonOffset: true, polygonOffsetFactor: 1,
        polygonOffsetUnits: 1 }, more));
    const ink = (colour) => new THREE.LineBasicMaterial({ color: new THREE.Color(colour).lerp(new THREE.Color(
        dark ? "#ffffff" : "#000000"), 0.45) });
    const round = new THREE.CylinderGeometry(1, 1, 1, 16), ball = new THREE.SphereGeometry(1, 24, 16);
    const point = (xyz, i) => new THREE.Vector3(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);

    function add(geometry, material) {
        const mesh = new THREE.Mesh(geometry, material);
        scene.add(mesh);
        return mesh;
    }

    // Places a body of height 1 along y between a and b.
    function stretch(object, a, b, radius) {
        const along = b.clone().sub(a), length = along.length();
        object.position.copy(a).add(b).multiplyScalar(0.5);
        object.scale.set(radius, Math.max(length, 1e-9 * size), radius);
        if (length > 0) object.quaternion.setFromUnitVectors(up, along.divideScalar(length));
    }

    function line(part) {
        const material = paint(part.colour), radius = (part.name === null ? 0.5 : 1) * ROD * size;
        const rods = Array.from({ length: part.n - 1 }, () => add(round, material));
        const knees = Array.from({ length: part.n }, () => add(ball, material));
        knees.forEach((k) => k.scale.setScalar(radius));
        return function (xyz) {
            rods.forEach((rod, k) => stretch(rod, point(xyz, part.begin + k), point(xyz, part.begin + k + 1), radius));
            knees.forEach((knee, k) => knee.position.copy(point(xyz, part.begin + k)));
        };
    }

    function balls(part) {
        const material = paint(part.colour);
        const all = Array.from({ length: part.n }, () => add(ball, material));
        all.forEach((b) => b.scale.setScalar(BALL * size));
        return (xyz) => all.forEach((b, k) => b.position.copy(point(xyz, part.begin + k)));
    }

    // Adds moving points as triangles and edges, given by indices of points.
    function hull(part, quads, edges, opacity) {
        const corners = quads.flatMap((q) => [q[0], q[1], q[2], q[0], q[2], q[3]]), all = [corners, edges.flat()];
        const shapes = all.map(function (list) {
            const g = new THREE.BufferGeometry();
            g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * list.length), 3));
            return g;
        });
        const solid = add(shapes[0], paint(part.colour, { flatShading: true, side: THREE.DoubleSide, opacity: opacity,
            transparent: opacity < 1, depthWrite: opacity === 1 }));
        const outline = new THREE.LineSegments(shapes[1], ink(part.colour));
        scene.add(outline);
        solid.frustumCulled = outline.frustumCulled = false;
        return function (xyz) {
            shapes.forEach(function (g, s) {
                const to = g.attributes.position;
                for (let i = 0; i < all[s].length; i++)
                    for (let c = 0; c < 3; c++) to.array[3 * i + c] = xyz[3 * (part.begin + all[s][i]) + c];
                to.needsUpdate = true;
            });
        };
    }

    function mesh(part) {
        const g = new THREE.BufferGeometry();
        g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(part.mesh.vertices), 3));
        g.setIndex(part.mesh.triangles);
        const solid = add(g, paint(part.colour, { flatShading: true, side: THREE.DoubleSide }));
        solid.matrixAutoUpdate = solid.frustumCulled = false;
        return function (xyz) {
            const o = point(xyz, part.begin), axes = [1, 2, 3].map((k) => point(xyz, part.begin + k).sub(o));
            solid.matrix.makeBasis(...axes).setPosition(o);
            solid.matrixWorldNeedsUpdate = true;
        };
    }

    // Adds a box. A box larger than half of the model is transparent, because it would hide other parts.
    function box(part) {
        const sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        const edges = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];
        const xyz = motion.pointsAt(motion.first);
        const across = point(xyz, part.begin).distanceTo(point(xyz, part.begin + 7));
        return hull(part, sides, edges, motion.parts.length > 1 && across > size / 2 ? 0.3 : 1);
    }

    function beam(part) {
        const quads = [[0, 1, 2, 3]], edges = [], last = part.n - 4;
        for (let k = 0; k < 4; k++) edges.push([k, (k + 1) % 4], [last + k, last + (k + 1) % 4]);
        for (let s = 0; s < last; s += 4)
            for (let k = 0; k < 4; k++) {
                quads.push([s + k, s + (k + 1) % 4, s + 4 + (k + 1) % 4, s + 4 + k]);
                edges.push([s + k, s + 4 + k]);
            }
        quads.push([last, last + 1, last + 2, last + 3]);
        return hull(part, quads, edges, 1);
    }

    // Adds a cylinder with a spoke on each face, which shows its rotation.
    function cylinder(part) {
        const body = new THREE.Group(), shape = new THREE.CylinderGeometry(1, 1, 1, SIDES), spokes = [];
        const radius = motion.wheelOf(part, motion.pointsAt(motion.first)).radius;
        const colour = ink(part.colour);
        body.add(new THREE.Mesh(shape, paint(part.colour)), new THREE.LineSegments(new THREE.EdgesGeometry(shape, 30),
            colour));
        [-0.5, 0.5].forEach((y) => [0, 1, 2, 3, 4].forEach(function (k) {
            const a = 2 * Math.PI * k / 5;
            spokes.push(new THREE.Vector3(0, 1.01 * y, 0), new THREE.Vector3(Math.cos(a), 1.01 * y, Math.sin(a)));
        }));
        body.add(new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(spokes), colour));
        scene.add(body);
        return function (xyz) {
            const w = motion.wheelOf(part, xyz), x = vector(w.arm), y = vector(w.axis);
            const turn = new THREE.Matrix4().makeBasis(x, y, x.clone().cross(y));
            stretch(body, vector(w.from), vector(w.to), radius);
            body.quaternion.setFromRotationMatrix(turn);
        };
    }

    function spring(part) {
        const xyz = motion.pointsAt(motion.first), coil = COIL * size;
        const length = point(xyz, part.begin).distanceTo(point(xyz, part.begin + 1)) / coil || 1;
        const path = new THREE.Curve(), end = 0.12; // length of each straight end as a fraction of the length
        path.getPoint = function (s) {
            const w = Math.min(Math.max((s - end) / (1 - 2 * end), 0), 1), a = 2 * Math.PI * TURNS * w;
            const r = Math.min(1, 12 * Math.min(w, 1 - w));
            return new THREE.Vector3(r * Math.cos(a), length * (s - 0.5), r * Math.sin(a));
        };
        const wire = new THREE.TubeGeometry(path, 24 * TURNS, WIRE, 6, false).scale(1, 1 / length, 1);
        const mesh = add(wire, paint(part.colour));
        return (now) => stretch(mesh, point(now, part.begin), point(now, part.begin + 1), coil);
    }

    function arrow(part) {
        const material = paint(part.colour), shaft = add(round, material);
        const head = add(new THREE.ConeGeometry(1, 1, 24), material);
        return function (xyz, time) {
            const a = motion.arrowOf(part, xyz, time);
            shaft.visible = head.visible = a !== null;
            if (a === null) return;
            const from = vector(a.from), to = vector(a.to), length = to.distanceTo(from);
            const neck = to.clone().lerp(from, Math.min(0.06 * size, 0.5 * length) / length);
            stretch(shaft, from, neck, 1.4 * ROD * size);
            stretch(head, neck, to, 4 * ROD * size);
        };
    }

    const kinds = { line: line, box: box, balls: balls, cylinder: cylinder, spring: spring, beam: beam, arrow: arrow,
        mesh: mesh };
    const before = scene.children.length, moves = motion.parts.map((part) => kinds[part.kind](part)), pieces = scene.children.length - before;
    const path = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial());
    path.frustumCulled = path.visible = false;
    scene.add(path);

    function setTrail(part) {
        trail = part ? motion.trailOf(part).flat() : null;
        path.visible = part !== null;
        if (!part) return;
        path.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(trail), 3));
        path.material.color.set(part.colour);
    }

    function drawTrail(time) {
        if (!trail) return;
        const to = path.geometry.attributes.position, k = motion.frameAt(time), next = Math.min(k + 1, motion.frames - 1);
        const w = next > k ? (time - motion.t[k]) / (motion.t[next] - motion.t[k]) : 0;
        to.array.set(trail);
        for (let i = 0; i < 3; i++) to.array[3 * next + i] = trail[3 * k + i] + w * (trail[3 * next + i] - trail[3 * k + i]);
        to.needsUpdate = true;
        path.geometry.setDrawRange(0, next + 1);
    }

    // --- the camera ---

    // Sets the smallest distance at which all is visible: |x| <= (distance - depth) tan(angle/2); y likewise.
    function reset() {
        const isLevel = motion.extent.high[2] - motion.extent.low[2] < LOW * motion.extent.all;
        const back = vector(motion.isFlat ? [0, -1, 0] : [-0.53, -0.77, isLevel ? 0.9 : 0.36]).normalize();
        const right = new THREE.Vector3(0, 0, 1).cross(back).normalize(), above = back.clone().cross(right);
        const seen = motion.reach(follows).map(vector), ranges = [right, above, back].map(function (axis) {
            const all = seen.map((q) => q.dot(axis));
            return (all.reduce((a, b) => Math.min(a, b)) + all.reduce((a, b) => Math.max(a, b))) / 2;
        });
        const room = 1 - HEADER / (canvas.clientHeight || 1); // fraction of the height below the header
        const wide = Math.tan(FIELD / 2) * camera.aspect, high = room * Math.tan(FIELD / 2);
        const far = seen.reduce((most, q) => Math.max(most, q.dot(back) - ranges[2] + MARGIN * Math.max(
            Math.abs(q.dot(right) - ranges[0]) / wide, Math.abs(q.dot(above) - ranges[1]) / high)), 0.1 * size);
        middle = follows ? motion.middleOf(motion.pointsAt(shown)).at : [0, 0, 0];
        const target = vector(middle).addScaledVector(right, ranges[0]).addScaledVector(back, ranges[2])
            .addScaledVector(above, ranges[1] + (1 - room) * far * Math.tan(FIELD / 2));
        camera.position.copy(target).addScaledVector(back, far);
        camera.near = far / 200;
        camera.far = 200 * far;
        camera.updateProjectionMatrix();
        controls.target.copy(target);
        controls.update();
        untouched = true;
    }

    function render() {
        renderer.render(scene, camera);
        const back = camera.matrixWorldInverse;
        onTurn([[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(
            (axis) => vector(axis).transformDirection(back)));
    }

    function draw(time) {
        const xyz = motion.pointsAt(time);
        shown = time;
        moves.forEach((move) => move(xyz, time));
        drawTrail(time);
        if (follows) {
            const at = motion.middleOf(xyz).at, by = vector(at).sub(vector(middle));
            middle = at;
            camera.position.add(by);
            controls.target.add(by);
            controls.update();
        }
        placeGrid(controls.target.toArray());
        render();
    }

    function resize() {
        const width = canvas.clientWidth || 1, height = canvas.clientHeight || 1;
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        camera.updateProjectionMatrix();
        if (untouched) reset();
    }

    controls.enableKeys = false;
    controls.addEventListener("change", render);
    controls.addEventListener("start", () => untouched = false);
    return {
        draw: draw, reset: reset, resize: resize, setTrail: setTrail,
        setFollow: function (on) { follows = on; reset(); },
        onTurn: function (f) { onTurn = f; },
        pieces: () => pieces,
    };
}
