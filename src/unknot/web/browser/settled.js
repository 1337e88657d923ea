// Runs in every document before its own scripts. Says when a page has settled after a step: nothing that the step has
// caused is under way. What begins while no step is under way does not count, nor do timers that repeat or take long, and
// what they start: polling, sockets and endless animations hold nothing up.
(() => {
  const SHORT = 350;
  const MOST_NESTED = 8;
  const MOST_FRAMES = 40;
  const QUIET_FRAMES = 2;
  const LONGEST_ANIMATION = 1000;
  const LEAVING = 100;
  const OFTEN = 2;
  const {setTimeout, setInterval, fetch, performance, requestAnimationFrame, document, XMLHttpRequest} = window;
  const open = new Map();
  const idle = new Map();
  const background = new Set();
  let depth = 0;
  let frames = 0;
  let changed = false;
  let leaving = false;
  // From what a person does until the page has settled. Loading the document is such a step.
  let acting = true;
  for (const kind of ["pointerdown", "mousedown", "keydown", "input", "change", "click", "submit"])
    window.addEventListener(kind, () => (acting = true), {capture: true, passive: true});

  const observer = new MutationObserver(() => {
    changed = true;
  });
  // Changes by what repeats itself are dropped.
  const run = (at, callback, self, given, repeats = at >= MOST_NESTED) => {
    const before = depth;
    depth = at;
    if (repeats && observer.takeRecords().length) changed = true;
    try {
      return callback.apply(self, given);
    } finally {
      depth = before;
      if (repeats) observer.takeRecords();
    }
  };
  window.setTimeout = function (callback, delay = 0, ...given) {
    if (typeof callback !== "function") return setTimeout(callback, delay, ...given);
    const counts = acting && delay <= SHORT && depth < MOST_NESTED;
    const at = delay <= SHORT && depth < MOST_NESTED ? depth + 1 : MOST_NESTED;
    const token = {};
    if (counts) open.set(token, "");
    // A timer that is cleared never runs.
    if (counts) setTimeout(() => open.delete(token), delay + SHORT);
    return setTimeout(function () {
      try {
        return run(at, callback, this, given);
      } finally {
        open.delete(token);
      }
    }, delay);
  };
  window.setInterval = function (callback, delay, ...given) {
    if (typeof callback !== "function") return setInterval(callback, delay, ...given);
    return setInterval(function () {
      return run(MOST_NESTED, callback, this, given);
    }, delay);
  };
  window.requestAnimationFrame = function (callback) {
    const at = frames + 1;
    return requestAnimationFrame(function (time) {
      frames = at;
      try {
        return run(depth, callback, window, [time], at > MOST_FRAMES);
      } finally {
        frames = 0;
      }
    });
  };

  // The token of a request that counts.
  const begins = (method, address) => {
    let key = "";
    try {
      const {origin, pathname} = new URL(address, document.baseURI);
      key = `${method} ${origin}${pathname}`.slice(0, 300);
    } catch {}
    if (!acting) {
      idle.set(key, (idle.get(key) || 0) + 1);
      if (idle.get(key) >= OFTEN) background.add(key);
    }
    if (!acting || depth >= MOST_NESTED || background.has(key)) return null;
    const token = {};
    open.set(token, key);
    return token;
  };
  const ends = (token) => setTimeout(() => open.delete(token), 0);
  if (fetch) {
    window.fetch = function (...given) {
      const [what, options] = given;
      const token = begins((options && options.method) || (what && what.method) || "GET", (what && what.url) || what);
      const answer = fetch.apply(this, given);
      if (token) answer.then((response) => response.clone().arrayBuffer().then(() => ends(token), () => ends(token)), () => ends(token));
      return answer;
    };
  }
  const addressed = new WeakMap();
  const openRequest = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (method, address, ...given) {
    addressed.set(this, [method, address]);
    return openRequest.call(this, method, address, ...given);
  };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    const token = begins(...(addressed.get(this) || ["", ""]));
    if (token) this.addEventListener("loadend", () => ends(token));
    return send.apply(this, given);
  };
  observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
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
    if (animation.playState !== "running" || !timing) return false;
    return timing.endTime - (animation.currentTime || 0) <= LONGEST_ANIMATION;
  };
  // `stays`: what the page was leaving for is a download, or nothing. While it leaves, the answer comes at once and says
  // so.
  const settled = (most, known, stays) =>
    new Promise((resolve) => {
      if (stays) leaving = false;
      for (const key of known) background.add(key);
      for (const [token, key] of open) if (key && background.has(key)) open.delete(token);
      const begin = performance.now();
      const until = begin + most;
      let quiet = 0;
      changed = false;
      const end = (isQuiet) => {
        // What is still open is not caused by the step alone.
        for (const key of open.values()) if (key) background.add(key);
        open.clear();
        acting = false;
        resolve({isQuiet, isLeaving: false, background: [...background].slice(0, 200)});
      };
      const look = () => {
        const busy =
          changed || open.size > 0 || document.readyState !== "complete" || document.getAnimations().some(isMoving);
        changed = false;
        quiet = busy || leaving ? 0 : quiet + 1;
        if (leaving && !busy && performance.now() > begin + LEAVING)
          resolve({isQuiet: false, isLeaving: true, background: []});
        else if (quiet >= QUIET_FRAMES) end(true);
        else if (performance.now() > until) end(false);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  Object.defineProperty(window, Symbol.for("unknot.settled"), {value: settled});
})();
