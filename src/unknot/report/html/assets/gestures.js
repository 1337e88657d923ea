// Mouse, touch and wheel on a canvas: one finger pans, two zoom, a short press is a click.

const STILL = 4;

// Calls `changed`, `clicked`, `pointed` (hover) and `left` of the follower.
function followGestures(canvas, view, follower) {
  const fingers = new Map();
  let moved = 0;
  let apart = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  function spread() {
    const [[ax, ay], [bx, by]] = fingers.values();
    return { distance: Math.hypot(ax - bx, ay - by), x: (ax + bx) / 2, y: (ay + by) / 2 };
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at(event));
    moved = fingers.size > 1 ? Infinity : 0;
    if (fingers.size === 2) apart = spread().distance;
  });

  canvas.addEventListener("pointermove", (event) => {
    const here = at(event);
    const before = fingers.get(event.pointerId);
    if (!before) {
      follower.pointed(...here);
      return;
    }
    fingers.set(event.pointerId, here);
    if (fingers.size === 2) {
      const now = spread();
      view.zoom(now.distance / apart, now.x, now.y);
      apart = now.distance;
    } else {
      moved += Math.hypot(here[0] - before[0], here[1] - before[1]);
      if (moved <= STILL) return;
      canvas.classList.add("dragged");
      view.pan(here[0] - before[0], here[1] - before[1]);
    }
    follower.changed();
  });

  function lifted(event) {
    if (!fingers.delete(event.pointerId)) return;
    canvas.classList.remove("dragged");
    if (event.type === "pointerup" && moved <= STILL) follower.clicked(...at(event));
  }
  canvas.addEventListener("pointerup", lifted);
  canvas.addEventListener("pointercancel", lifted);
  canvas.addEventListener("pointerleave", () => follower.left());

  // At either end of the zoom range the wheel scrolls the page again.
  canvas.addEventListener("wheel", (event) => {
    const lines = event.deltaMode === 1 ? 16 : 1;
    const strength = event.ctrlKey ? 0.01 : 0.0016;
    if (!view.zoom(Math.exp(-event.deltaY * lines * strength), ...at(event)) && !event.ctrlKey) return;
    event.preventDefault();
    follower.changed();
  }, { passive: false });
}

// A text beside the pointer.
function makeBubble(stage) {
  const bubble = make("div", { class: "bubble", hidden: true, "aria-hidden": "true" });
  stage.append(bubble);
  return {
    hide() { bubble.hidden = true; },
    show(text, x, y) {
      bubble.textContent = text;
      bubble.hidden = false;
      const { offsetWidth, offsetHeight } = bubble;
      const top = y + 18 + offsetHeight > stage.clientHeight ? y - offsetHeight - 10 : y + 18;
      bubble.style.left = `${Math.max(4, Math.min(x + 14, stage.clientWidth - offsetWidth - 6))}px`;
      bubble.style.top = `${top}px`;
    },
  };
}
