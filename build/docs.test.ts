import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test("the README's Playwright example is the one that the end-to-end tests run", () => {
  const [, example] = /```ts\n([^]*?)```/.exec(read('README.md')) ?? [];
  expect(example).toBe(read('test/e2e/readme-example.spec.ts'));
});

/**
 * Returns the names in backticks in the first column of the table below a heading of docs/architecture.md.
 */
function listed(heading: string): string[] {
  const [, section = ''] = read('docs/architecture.md').split(`## ${heading}\n`);
  const rows = section.split('\n## ')[0]?.matchAll(/^\| (`.*?) \|/gm) ?? [];
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(.*?)`/g)].map(([, name = '']) => name));
}

test('the architecture names every dependency, and no other', () => {
  const { dependencies } = JSON.parse(read('package.json'));
  const names = Object.keys(dependencies).map((name) => name.replace(/^@ai-sdk\/.*/, '@ai-sdk/*'));
  expect(listed('Dependencies').sort()).toEqual([...new Set(names)].sort());
});

test('the architecture names every room, and no other', () => {
  const rooms = readdirSync(new URL('../src', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(`src/${entry.name}`).length > 0)
    .map(({ name }) => `src/${name}/`);
  const others = ['src/main.ts', 'guest/', 'build/', 'test/'];
  expect(listed('Rooms').sort()).toEqual([...rooms, ...others].sort());
});
