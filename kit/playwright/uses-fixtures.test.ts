import { expect, test } from 'vitest';
import { usesFixtures } from './uses-fixtures.ts';

test.each([
  ['one of the kit', ({ agent }: { agent: unknown }) => agent],
  [
    'one of the project beside those of Playwright',
    async ({ page, shop }: Record<string, unknown>) => [page, shop],
  ],
  ['one with another name', ({ workspace: files }: { workspace: unknown }) => files],
  [
    'a function of its own',
    async function bought({ model }: { model: unknown }) {
      await model;
    },
  ],
])('asks for a fixture: %s', (_title, given) => expect(usesFixtures(given)).toBe(true));

test.each([
  ['nothing', () => undefined],
  ['an empty pattern', ({}) => undefined],
  [
    "only Playwright's",
    ({ page, context: all, browserName }: Record<string, unknown>) => [page, all, browserName],
  ],
  ['something that is no function', undefined],
])('asks for none besides those of Playwright: %s', (_title, given) =>
  expect(usesFixtures(given)).toBe(false),
);
