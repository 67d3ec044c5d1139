/** When pages are painted, as the browser itself says it. */
const MOST_TRIES = 1_000;

/** Clicks, and returns when that was, in milliseconds since the epoch. */
export function click(button) {
  const at = Date.now();
  button.click();
  return at;
}

/** How long after a click the page is painted that it brings. */
export async function paintAfter(press, shown, title) {
  const at = await press();
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // A page that is just being left answers no more.
    const painted = await shown
      .getByRole('heading', { name: title })
      .evaluate(paintTime)
      .catch(() => 0);
    if (painted > at) return painted - at;
  }
  throw new Error('The page was not painted.');
}

export async function paintTime() {
  const [known] = performance.getEntriesByName('first-contentful-paint');
  const paint =
    known ??
    (await new Promise((resolve) =>
      new PerformanceObserver((list) => {
        const [found] = list.getEntriesByName('first-contentful-paint');
        if (found) resolve(found);
      }).observe({ type: 'paint', buffered: true }),
    ));
  return performance.timeOrigin + paint.startTime;
}
