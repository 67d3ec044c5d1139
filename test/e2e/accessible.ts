import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type * as Axe from 'axe-core';

declare global {
  interface Window {
    axe: typeof Axe;
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Looked {
  /** All rules, where none are named. */
  readonly rules?: readonly string[];
  /** A selector of the part that is looked at; the whole page without it. */
  readonly within?: string;
}

/**
 * Lists what axe finds wrong with the page as it is now. Tests expect an empty list.
 * Frames are left out: what the app shows in them is not its own. This is what makes a check seven times faster than
 * with axe's package for Playwright, which puts axe into each frame and opens another page for the result.
 */
export async function axeFindings(page: Page, looked: Looked = {}): Promise<string[]> {
  const found = await findingsNow(page, looked);
  if (found.length === 0) return found;
  // A control that becomes usable while axe looks has half of its colours. What is wrong is wrong at a second look, too.
  const again = await findingsNow(page, looked);
  return found.filter((each) => again.includes(each));
}

async function findingsNow(page: Page, { rules = [], within }: Looked): Promise<string[]> {
  await standsStill(page);
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(
    async ([only, part]) => {
      const results = await window.axe.run(part ?? document, {
        iframes: false,
        resultTypes: ['violations'],
        ...(only.length > 0 && { runOnly: { type: 'rule', values: [...only] } }),
      });
      return results.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
    },
    [rules, within] as const,
  );
  return violations.flatMap(({ id, nodes }) => {
    // A menu belongs to its button, which stands in a landmark, and its arrow keys scroll it. axe makes these exceptions
    // for dialogs and for lists of options only, and cuts attributes short.
    const inMenu = (html: string) =>
      (id === 'region' && html.includes('data-bits-floating-c')) ||
      (id === 'scrollable-region-focusable' && html.includes('role="menu"'));
    const found = nodes.filter((html) => !inMenu(html));
    return found.length > 0 ? `${id}: ${found.join(' ')}` : [];
  });
}

/** Waits until nothing fades or moves any more: a text that is only half there has too little contrast. */
async function standsStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // The page hears of another colour scheme in a frame, and its colours begin to change in the next one.
    // A page that never rests is looked at as it is.
    for (let calm = 0, frames = 0; calm < 3 && frames < 30; frames++) {
      await new Promise(requestAnimationFrame);
      const moving = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
      calm = moving.length > 0 ? 0 : calm + 1;
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
}

/** What a person with a keyboard or a screen reader would stumble over, in words; nothing is what there should be. */
export function stumblingBlocks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const shown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[aria-hidden="true"], [inert]');
    const all = (selector: string) => [...document.querySelectorAll(selector)].filter(shown);
    const brief = (element: Element) => element.outerHTML.slice(0, 160);
    const textOf = (ids: string | null) =>
      (ids ?? '')
        .split(/\s+/)
        .map((id) => (id ? (document.getElementById(id)?.textContent ?? '') : ''))
        .join(' ')
        .trim();
    const nameOf = (element: Element) => {
      const labels = 'labels' in element ? [...((element.labels as NodeList | null) ?? [])] : [];
      return (
        textOf(element.getAttribute('aria-labelledby')) ||
        element.getAttribute('aria-label')?.trim() ||
        labels
          .map((label) => label.textContent)
          .join(' ')
          .trim() ||
        (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) ? '' : element.textContent?.trim()) ||
        ''
      );
    };

    const named =
      'button, a[href], input:not([type="hidden"]), textarea, select, [role="button"], [role="tab"], [role="menuitem"],' +
      '[role="dialog"], [role="alertdialog"], [role="tree"], [role="treeitem"], [role="tablist"], [role="tabpanel"],' +
      '[role="status"][aria-label], [role="log"], [role="progressbar"], nav, aside';
    for (const element of all(named))
      if (nameOf(element) === '') found.push(`has no name: ${brief(element)}`);
    for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls'])
      for (const element of all(`[${attribute}]`))
        for (const id of element.getAttribute(attribute)!.split(/\s+/))
          if (id && !document.getElementById(id))
            found.push(`${attribute} points nowhere (${id}): ${brief(element)}`);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at)))
      found.push(`two elements have the id ${id}`);
    for (const element of all('img:not([alt])')) found.push(`no text for a picture: ${brief(element)}`);
    for (const element of all('[tabindex]'))
      if (Number(element.getAttribute('tabindex')) > 0) found.push(`out of order: ${brief(element)}`);
    for (const element of all('button button, a button, button a, button input'))
      found.push(`a control in a control: ${brief(element)}`);
    // What scrolls must be reachable: itself, or something in it.
    for (const element of all('*')) {
      const style = getComputedStyle(element);
      const scrolls =
        (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1) ||
        (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1);
      const reachable = '[tabindex="0"], button, a[href], input, textarea, select';
      if (scrolls && !element.matches(reachable) && !element.querySelector(reachable))
        found.push(`scrolls out of the keyboard's reach: ${brief(element)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
    if (all('main, [role="main"]').length !== 1) found.push('there is not one main landmark');
    if (!document.documentElement.lang) found.push('the page has no language');
    return [...new Set(found)];
  });
}

/** What is pressed by a finger and is smaller than a finger needs. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, [role="tab"], [role="menuitem"], nav a, input, select, textarea')]
      // The terminal's own field follows its cursor; the whole screen of it is pressed.
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.xterm'),
      )
      .map((element) => {
        // A small box is pressed by its words.
        const target = /^(checkbox|radio)$/.test((element as HTMLInputElement).type)
          ? (element.closest('label') ?? element)
          : element;
        return { target, box: target.getBoundingClientRect() };
      })
      .filter(({ box }) => box.width > 0 && box.height > 0 && (box.height < 39.5 || box.width < 39.5))
      .map(
        ({ target, box }) =>
          `${Math.round(box.width)}×${Math.round(box.height)}: ${target.outerHTML.slice(0, 140)}`,
      ),
  );
}
