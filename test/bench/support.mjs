/** What the benchmarks share. */
export const RUNS = 5;

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Medians of several ways to do the same, their runs interleaved so that noise hits all alike. */
export async function sideBySide(ways, runs = RUNS) {
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let run = 0; run < runs; run++)
    for (const [name, way] of Object.entries(ways)) times[name].push(await way());
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

/**
 * How much longer `of` takes than `than`: the median over pairs of runs, one right after the other and in turns, so
 * that whatever else the machine does hits both of a pair. Also the median of each, and how long the first `of` took.
 */
export async function ratioOf({ of, than }, runs = RUNS) {
  const pairs = [];
  for (let run = 0; run < runs; run++) {
    const pair = {};
    for (const name of run % 2 === 0 ? ['of', 'than'] : ['than', 'of'])
      pair[name] = await (name === 'of' ? of() : than());
    pairs.push(pair);
  }
  return {
    ratio: median(pairs.map((pair) => pair.of / pair.than)),
    of: median(pairs.map((pair) => pair.of)),
    than: median(pairs.map((pair) => pair.than)),
    first: pairs[0].of,
  };
}

export async function benchPage(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  await page.goto(`${url}/test/bench/bench.html`);
  await page.waitForFunction(() => 'bench' in window);
  return page;
}

/**
 * Runs in the page: clicks what is found by a selector and a text, and returns how many milliseconds later what `shown`
 * names is on the screen.
 */
export function timeToShow({ press, shown }) {
  const find = ([selector, text]) =>
    [...document.querySelectorAll(selector)].find((each) => each.textContent.includes(text));
  const started = performance.now();
  find(press).click();
  return new Promise((resolve) => {
    const look = () => {
      if (!find(shown)) return requestAnimationFrame(look);
      // The frame that has it is painted before the next one begins.
      requestAnimationFrame(() => resolve(performance.now() - started));
    };
    look();
  });
}
