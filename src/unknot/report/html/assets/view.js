// The visible part of a drawing: k is the scale in pixels per unit, x and y the origin in pixels.

class View {
  constructor(least, most) {
    Object.assign(this, { k: 1, x: 0, y: 0, least, most, width: 1, height: 1 });
  }

  // Returns false at either end of the range.
  zoom(factor, atX = this.width / 2, atY = this.height / 2) {
    const k = Math.min(this.most, Math.max(this.least, this.k * factor));
    if (k === this.k) return false;
    this.x = atX - (atX - this.x) * k / this.k;
    this.y = atY - (atY - this.y) * k / this.k;
    this.k = k;
    return true;
  }

  pan(byX, byY) {
    this.x += byX;
    this.y += byY;
  }

  // Fit the box with a margin, at most at scale `largest`.
  fit(box, margin, largest) {
    const wide = (this.width - 2 * margin) / box.width;
    const high = (this.height - 2 * margin) / box.height;
    this.k = Math.max(this.least, Math.min(wide, high, largest));
    this.x = (this.width - box.width * this.k) / 2 - box.x * this.k;
    this.y = (this.height - box.height * this.k) / 2 - box.y * this.k;
  }

  centre(x, y, k) {
    this.k = k;
    this.x = this.width / 2 - x * k;
    this.y = this.height / 2 - y * k;
  }

  toWorld(x, y) {
    return [(x - this.x) / this.k, (y - this.y) / this.k];
  }

  seen() {
    const [left, top] = this.toWorld(0, 0);
    const [right, bottom] = this.toWorld(this.width, this.height);
    return { left, top, right, bottom };
  }
}

// A canvas at the resolution of the screen, drawn at most once per frame by `draw(context)`.
function makeCanvas(attributes, view, draw, resized) {
  const canvas = make("canvas", { tabindex: "0", ...attributes });
  const context = canvas.getContext("2d");
  let waiting = false;
  function drawNow() {
    waiting = false;
    const ratio = canvas.width / view.width;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    draw(context);
  }
  function redraw() {
    if (!waiting) requestAnimationFrame(drawNow);
    waiting = true;
  }
  new ResizeObserver(() => {
    const { width, height } = canvas.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const before = { width: view.width, height: view.height };
    Object.assign(view, { width, height });
    resized(before);
    redraw();
  }).observe(canvas);
  colourFollowers.push(redraw);
  printFollowers.push(drawNow);
  return { canvas, redraw };
}
