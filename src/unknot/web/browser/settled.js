// Runs in every document before its own scripts. Says when a page has settled after a step: nothing that the step has
// caused is under way. Timers that repeat or take long, and what they start, do not count: polling never ends.
(() => {
  const SHORT = 200;
  const MOST_NESTED = 8;
  const QUIET_FRAMES = 2;
  const {setTimeout, setInterval, fetch, performance, requestAnimationFrame, document, XMLHttpRequest} = window;
  const open = new Set();
  let depth = 0;
  let changed = false;
  let leaving = false;

  const run = (at, callback, self, given) => {
    const before = depth;
    depth = at;
    try {
      return callback.apply(self, given);
    } finally {
      depth = before;
    }
  };
  window.setTimeout = function (callback, delay = 0, ...given) {
    if (typeof callback !== "function") return setTimeout(callback, delay, ...given);
    const counts = delay <= SHORT && depth < MOST_NESTED;
    const at = counts ? depth + 1 : MOST_NESTED;
    const token = {};
    if (counts) open.add(token);
    // A timer that is cleared never runs.
    if (counts) setTimeout(() => open.delete(token), delay + SHORT);
    return setTimeout(function () {
      open.delete(token);
      return run(at, callback, this, given);
    }, delay);
  };
  window.setInterval = function (callback, delay, ...given) {
    if (typeof callback !== "function") return setInterval(callback, delay, ...given);
    return setInterval(function () {
      return run(MOST_NESTED, callback, this, given);
    }, delay);
  };
  if (fetch) {
    window.fetch = function (...given) {
      const answer = fetch.apply(this, given);
      if (depth >= MOST_NESTED) return answer;
      const token = {};
      open.add(token);
      const end = () => setTimeout(() => open.delete(token), 0);
      answer.then((response) => response.clone().arrayBuffer().then(end, end), end);
      return answer;
    };
  }
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    if (depth < MOST_NESTED) {
      const token = {};
      open.add(token);
      this.addEventListener("loadend", () => setTimeout(() => open.delete(token), 0));
    }
    return send.apply(this, given);
  };
  new MutationObserver(() => {
    changed = true;
  }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  if (window.navigation) {
    window.navigation.addEventListener("navigate", (event) => {
      const stays = event.destination.sameDocument || event.hashChange || event.downloadRequest !== null;
      if (!stays && !event.defaultPrevented) leaving = true;
    });
    window.navigation.addEventListener("navigateerror", () => {
      leaving = false;
    });
  }

  const isMoving = (animation) => {
    const timing = animation.effect && animation.effect.getComputedTiming();
    return animation.playState === "running" && timing && Number.isFinite(timing.endTime);
  };
  const settled = (most) =>
    new Promise((resolve) => {
      const until = performance.now() + most;
      let quiet = 0;
      changed = false;
      const look = () => {
        const busy =
          changed || leaving || open.size > 0 || document.readyState !== "complete" || document.getAnimations().some(isMoving);
        changed = false;
        quiet = busy ? 0 : quiet + 1;
        if (quiet >= QUIET_FRAMES) resolve(true);
        else if (performance.now() > until) resolve(false);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  Object.defineProperty(window, Symbol.for("unknot.settled"), {value: settled});
})();
