import { readFileSync } from 'node:fs';
import { openSettings } from './app.ts';
import { expect, test } from './test.ts';

const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

test('the site carries the licence of everything that it is made of, and Settings leads there', async ({
  page,
}) => {
  const answer = await page.request.get('/licences.txt');
  expect(answer.status()).toBe(200);
  const text = await answer.text();
  const listed = [...text.matchAll(/^- (\S+) \S+ \(/gm)].map(([, name]) => name);
  // All of them are bundled: into the page, its workers (typescript, shiki) or the guest’s scripts (pako, acorn).
  expect(Object.keys(dependencies).filter((name) => !listed.includes(name))).toEqual([]);
  // Packages that these bring along.
  for (const name of ['@ai-sdk/provider-utils', '@shikijs/core', 'entities']) expect(listed).toContain(name);
  const notices = text.split(`\n${'-'.repeat(80)}\n`).slice(1);
  expect(notices).toHaveLength(listed.length);
  expect(
    notices.filter((notice) => !/copyright|licen[cs]e/i.test(notice.split('\n\n').slice(1).join('\n'))),
  ).toEqual([]);

  await page.goto('/');
  await openSettings(page, 'About');
  await expect(page.getByRole('link', { name: 'Third-party licences' })).toHaveAttribute(
    'href',
    './licences.txt',
  );
});
