import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inlineStylesInDev } from './dev-styles.ts';

function policyOf(html: string): string {
  return /Content-Security-Policy"\s+content="([^"]*)"/.exec(html)?.[1] ?? '';
}

const page = readFileSync('index.html', 'utf8');

test('only the dev server allows inline styles, and nothing else differs', () => {
  const plugin = inlineStylesInDev();
  const transform = plugin.transformIndexHtml;
  if (typeof transform !== 'function') throw new Error('The plugin changes index.html with a function.');
  const inDev = transform.call({} as never, page, { path: '/', filename: 'index.html' });
  expect(plugin.apply).toBe('serve');
  expect(policyOf(page)).not.toContain('unsafe');
  expect(policyOf(String(inDev))).toBe(
    policyOf(page).replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  );
});

test('the stories are looked at under the policy of the page', () => {
  expect(policyOf(readFileSync('test/support/stories/index.html', 'utf8'))).toBe(policyOf(page));
});
