// Keeps a large graph responsive: while it moves, a bitmap of it is moved; at rest it is redrawn.

const HEAVY = 900;
const REST = 130;
const PICTURE = 2400;

// `paint` draws a view on a context; `again` requests a redraw. Returns `draw`, `moved` (the view changed) and `changed`
// (anything else changed).
function makeMotion(view, paint, again) {
  let isHeavy = false;
  const sharp = { picture: make("canvas"), view: null };
  let whole = null;
  let movedAt = -Infinity;
  let timer = 0;

  // The whole graph at low resolution, for parts that come into view before the redraw.
  function wholePicture() {
    const box = boxOf(spots.values());
    const picture = make("canvas");
    const own = new View(0, Infinity);
    own.k = PICTURE / Math.max(box.width, box.height);
    Object.assign(own, { x: -box.x * own.k, y: -box.y * own.k });
    Object.assign(own, { width: Math.ceil(box.width * own.k), height: Math.ceil(box.height * own.k) });
    Object.assign(picture, { width: own.width, height: own.height });
    paint(picture.getContext("2d"), own);
    return { picture, box };
  }

  function drawPictures(context) {
    const { picture, box } = whole || (whole = wholePicture());
    const { k } = view;
    context.drawImage(picture, view.x + box.x * k, view.y + box.y * k, box.width * k, box.height * k);
    const before = sharp.view;
    const scale = k / before.k;
    const [x, y] = [view.x - before.x * scale, view.y - before.y * scale];
    context.clearRect(x, y, before.width * scale, before.height * scale);
    context.drawImage(sharp.picture, x, y, before.width * scale, before.height * scale);
  }

  function draw(context) {
    const isMoving = isHeavy && sharp.view && performance.now() - movedAt < REST;
    if (isMoving) {
      drawPictures(context);
      return;
    }
    paint(context, view);
    if (!isHeavy) return;
    const { canvas } = context;
    Object.assign(sharp.picture, { width: canvas.width, height: canvas.height });
    sharp.picture.getContext("2d").drawImage(canvas, 0, 0);
    sharp.view = { k: view.k, x: view.x, y: view.y, width: view.width, height: view.height };
  }

  return {
    draw,
    moved() {
      movedAt = performance.now();
      clearTimeout(timer);
      if (isHeavy) timer = setTimeout(again, REST + 10);
      again();
    },
    changed() {
      isHeavy = edges.length + spots.size > HEAVY;
      sharp.view = null;
      movedAt = -Infinity;
      whole = null;
      again();
    },
  };
}

// Animates the view to a point; immediate if the user prefers reduced motion.
function glide(view, x, y, k, moved) {
  const [fromX, fromY] = view.toWorld(view.width / 2, view.height / 2);
  const fromK = view.k;
  const began = performance.now();
  const moments = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 220;
  view.gliding = began;
  function step() {
    if (view.gliding !== began) return;
    const part = Math.min(1, (performance.now() - began) / moments);
    const eased = 1 - (1 - part) ** 3;
    view.centre(fromX + (x - fromX) * eased, fromY + (y - fromY) * eased, fromK + (k - fromK) * eased);
    moved();
    if (part < 1) requestAnimationFrame(step);
  }
  step();
}

// Pans as little as possible.
function keepInSight(view, spot) {
  const x = view.x + centreOf(spot) * view.k;
  const y = view.y + (spot.y + HEIGHT / 2) * view.k;
  const margin = Math.min(90, view.width / 4);
  const beyond = (place, least, most) => Math.max(0, least - place) + Math.min(0, most - place);
  view.pan(beyond(x, margin, view.width - margin), beyond(y, 40, view.height - 40));
}
