import type { Page } from '@playwright/test';
import { axeFindings } from './accessible.ts';
import { answer, dialog, openApp, openSettings, prompt, script, send, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const EVIL = 'http://evil.example';

/** Every request that leaves the page for another host (what a policy stops never leaves), and the pages of frames. */
async function watch(page: Page): Promise<{ readonly elsewhere: string[]; readonly frames: string[] }> {
  const elsewhere: string[] = [];
  const frames: string[] = [];
  await page.route(/^https?:\/\/(?!localhost[:/])/, async (route) => {
    elsewhere.push(route.request().url());
    await route.abort();
  });
  page.on('framenavigated', (frame) => frames.push(frame.url()));
  return { elsewhere, frames };
}

const fence = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``;

test('diagrams, formulas and pictures are shown, whatever they try', async ({ page, complaints }) => {
  // The frame's own policy stops what a diagram wants to load, and Chromium notes that.
  complaints.expect(/Content Security Policy/);
  const { elsewhere, frames } = await watch(page);
  await openApp(page);
  const answerText = [
    fence('graph LR\n  accTitle: Two steps\n  A[Start] --> B[End]'),
    fence(
      `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(${EVIL}/1.css); * { background: url(${EVIL}/2.png) }"}}%%\n` +
        `graph LR\n  accTitle: Hostile\n  A["<img src='${EVIL}/3.png' onerror='parent.hacked=1'><script>parent.hacked=1</script>"] --> B\n` +
        `  click A href "${EVIL}/4" "_top"\n  click B call alert()`,
    ),
    fence(`flowchart LR\n  A@{ img: "${EVIL}/5.png", label: "x" } --> B`),
    fence('graph LR\n  A --> ['),
    `Then $e^{i\\pi} = -1$ for $5, and $\\href{javascript:hacked=1}{x} = \\includegraphics{${EVIL}/6.png}$.`,
    `![remote](${EVIL}/7.png) ![own](dot.svg) ![gone](missing.png) ![code](data:text/html,x)`,
  ].join('\n\n');
  await useScript(page, script({ text: answerText }));
  await prompt(page, 'Show it');
  await writeFile(
    page,
    'dot.svg',
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="parent.hacked=1"><image href="${EVIL}/8.png"/><script>parent.hacked=1</script></svg>`,
  );
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);

  const log = page.getByRole('log', { name: 'Conversation' });
  const images = log.getByRole('img');
  const figures = log.locator('figure');
  await expect(figures).toHaveCount(4);
  const refused = page.getByText('The diagram cannot be drawn');
  const shown = [page.getByAltText('Two steps'), page.getByAltText('Hostile'), refused, refused];
  for (const [at, what] of shown.entries()) {
    // Blocks far from the view are not drawn.
    await figures.nth(at).scrollIntoViewIfNeeded();
    await expect(figures.nth(at).filter({ has: what })).toBeVisible({ timeout: 60_000 });
  }
  await expect(log.locator('math')).toHaveCount(1);
  await expect(log.getByText('for $5, and')).toBeVisible();
  await expect(log.getByRole('link', { name: 'remote (image on evil.example, not loaded)' })).toBeVisible();
  await expect(images.and(page.getByAltText('own'))).toHaveAttribute('src', /^data:image\/svg/);
  await expect(log.getByText('gone (not in the workspace)')).toBeVisible();

  // The frame has an origin of its own, from which the page cannot be reached.
  const frame = page.frames().find((each) => each.url().endsWith('/diagram.html'));
  expect(await frame?.evaluate(() => self.origin)).toBe('null');
  const reached = await frame?.evaluate(async (address) => {
    const attempts = {
      parent: () => parent.document.title,
      storage: () => localStorage.length,
      fetch: () => fetch(address),
      own: () => fetch('/'),
    };
    const outcomes = Object.values(attempts).map(async (attempt) => attempt());
    return (await Promise.allSettled(outcomes)).map(({ status }) => status);
  }, EVIL);
  expect(reached).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(elsewhere).toEqual([]);
  expect(frames.filter((url) => url.includes('evil'))).toEqual([]);
  expect(await axeFindings(page, { within: '[role="log"]' })).toEqual([]);
});

test('the theme and the sizes are there at the first paint', async ({ page }) => {
  await page.addInitScript(() => {
    const kept = {
      theme: 'dark',
      'text-size': 'large',
      'code-size': 'small',
      density: 'compact',
      contrast: 'more',
    };
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(`vitrine.${key}`, value);
    new PerformanceObserver(() => {
      Object.assign(window, {
        painted: (window as { painted?: object }).painted ?? { ...document.documentElement.dataset },
      });
    }).observe({ type: 'paint', buffered: true });
    // The head is read before anything is painted.
    document.addEventListener('DOMContentLoaded', () =>
      Object.assign(window, { read: { ...document.documentElement.dataset } }),
    );
  });
  await openApp(page);
  const chosen = {
    theme: 'dark',
    textSize: 'large',
    codeSize: 'small',
    density: 'compact',
    contrast: 'more',
  };
  await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
  for (const moment of ['read', 'painted'])
    expect(await page.evaluate((name): object => Reflect.get(window, name), moment), moment).toEqual(chosen);
});

/** The longest transition or animation of anything on the page, in milliseconds. */
function longestMotion(page: Page): Promise<number> {
  return page.evaluate(() => {
    const ms = (text: string) =>
      text.split(', ').map((each) => parseFloat(each) * (each.endsWith('ms') ? 1 : 1000));
    const longest = (style: CSSStyleDeclaration) => {
      const delays = ms(style.transitionDelay);
      const moved = ms(style.transitionDuration).map((each, at) => each + (delays[at % delays.length] ?? 0));
      const runs = style.animationIterationCount === 'infinite' ? Infinity : 1;
      const animated = style.animationName === 'none' ? 0 : Math.max(...ms(style.animationDuration)) * runs;
      return Math.max(...moved, animated);
    };
    const styles = [...document.querySelectorAll('*')].flatMap((element) =>
      [undefined, '::before', '::after'].map((part) => getComputedStyle(element, part)),
    );
    return Math.max(...styles.map(longest));
  });
}

for (const { name, options, most } of [
  { name: 'motion takes less than 200 ms', options: {}, most: 199 },
  {
    name: 'nothing moves where the system asks for that',
    options: { reducedMotion: 'reduce' as const },
    most: 0,
  },
]) {
  test(`${name}; more contrast and forced colours can be used`, async ({ page }) => {
    await page.emulateMedia({ contrast: 'more', ...options });
    await openApp(page);
    const check = async (state: string) => {
      expect.soft(await longestMotion(page), state).toBeLessThanOrEqual(most);
      if (most === 0) return;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.evaluate(() =>
          Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
        );
        const found = await axeFindings(page, { rules: ['color-contrast'] });
        expect.soft(found, `${state}, ${colorScheme}`).toEqual([]);
      }
    };
    await expect(page.getByRole('button', { name: 'Watch a demo' })).toBeVisible();
    await check('the first page');
    const read = { tool: 'read', input: { filePath: 'a.js' } };
    const edit = { tool: 'edit', input: { filePath: 'a.js', oldString: 'a = 1', newString: 'a = 2' } };
    const todo = { id: '1', content: 'Do it', status: 'in_progress', priority: 'high' };
    const steps = script(
      {
        text: 'So:\n\n| a | b |\n|---|---|\n| 1 | 2 |',
        tools: [read, { tool: 'todowrite', input: { todos: [todo] } }],
      },
      { tools: [edit] },
      { text: 'Done.' },
    );
    await useScript(page, { ...steps, files: { 'a.js': 'const a = 1; // one\n' } });
    await send(page, 'Go');
    await expect(dialog(page).locator('.hl-keyword').first()).toBeVisible();
    await check('a change is asked for');
    await page.emulateMedia({ forcedColors: 'active' });
    const allow = dialog(page).getByRole('button', { name: 'Allow once' });
    // The buttons come a moment later, so that no key meant for something else answers.
    await expect(allow).toBeEnabled();
    await allow.focus();
    // Only what a key led to shows the focus.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(allow).toBeFocused();
    const looks = await allow.evaluate((element) => {
      const { borderTopWidth, outlineStyle, outlineWidth } = getComputedStyle(element);
      return {
        border: parseFloat(borderTopWidth) > 0,
        focus: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      };
    });
    expect(looks).toEqual({ border: true, focus: true });
    await page.emulateMedia({ forcedColors: 'none' });
    await answer(page, 'Allow once');
    await expect(page.getByRole('article').last()).toContainText('Done.');
    await openSettings(page, 'Appearance');
    await expect(page.getByLabel('Text size')).toBeVisible();
    await check('a finished turn, and the settings');
  });
}
