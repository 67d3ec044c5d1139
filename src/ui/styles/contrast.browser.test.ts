import { afterEach, describe, expect, test } from 'vitest';
import './index.css';

/** Every pair of text and background colour that the page uses. */
const PAIRS: readonly (readonly [text: string, ...grounds: string[]])[] = [
  [
    '--ink',
    '--bg',
    '--pane',
    '--raise',
    '--sunk',
    '--glass-wash',
    '--wait-wash',
    '--err-wash',
    '--add',
    '--del',
  ],
  ['--ink2', '--bg', '--pane', '--raise', '--sunk', '--glass-wash', '--wait-wash', '--err-wash'],
  ['--ink3', '--bg', '--pane', '--raise', '--sunk', '--glass-wash', '--wait-wash'],
  ['--pane', '--ink'],
  ['--glass-ink', '--bg', '--pane', '--raise', '--glass-wash'],
  ['--ok-ink', '--raise'],
  ['--wait-ink', '--pane', '--raise'],
  ['--run-ink', '--raise'],
  ['--err-ink', '--raise', '--err-wash'],
  ['--add-ink', '--add'],
  ['--del-ink', '--del'],
  ['--ink3', '--add', '--del'],
  ...['keyword', 'string', 'constant', 'function', 'parameter', 'comment', 'punctuation'].map(
    (kind) => [`--hl-${kind}`, '--raise', '--add', '--del'] as const,
  ),
];

/** Shapes such as dots and the focus ring need 3:1 against their background. */
const SHAPES: readonly (readonly [shape: string, ...grounds: string[]])[] = [
  ['--glass', '--bg', '--pane', '--raise'],
  ['--ok', '--raise'],
  ['--wait', '--raise', '--wait-wash'],
  ['--err', '--raise', '--err-wash'],
  ['--run', '--raise'],
  ['--off', '--raise', '--bg'],
  ...['--violet', '--olive', '--pink', '--ink3'].map(
    (kind) => [kind, '--bg', '--pane', '--raise', '--sunk'] as const,
  ),
];

afterEach(() => {
  const { dataset } = document.documentElement;
  delete dataset.theme;
  delete dataset.contrast;
});

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  test.each(expand(PAIRS))('%s on %s can be read', (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(theme, text, ground, 'more')).toBeGreaterThanOrEqual(7);
  });
  test.each(expand(SHAPES))('%s on %s can be made out', (shape, ground) => {
    expect(contrast(theme, shape, ground)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme, shape, ground, 'more')).toBeGreaterThanOrEqual(4.5);
  });
});

test.each(['light', 'dark'])('lines can be made out with more contrast in the %s theme', (theme) => {
  for (const ground of ['--bg', '--pane', '--raise', '--sunk'])
    expect(contrast(theme, '--line', ground, 'more'), ground).toBeGreaterThanOrEqual(3);
});

function expand(pairs: readonly (readonly [string, ...string[]])[]): (readonly [string, string])[] {
  return pairs.flatMap(([text, ...grounds]) => grounds.map((ground) => [text, ground] as const));
}

function contrast(theme: string, a: string, b: string, level = 'normal'): number {
  Object.assign(document.documentElement.dataset, { theme, contrast: level });
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(token: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(token);
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = Array.from(context.getImageData(0, 0, 1, 1).data, (value) => {
    const c = value / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
