import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

test("the README's Playwright example is the one that the end-to-end tests run", () => {
  const [, example] = /```ts\n([^]*?)```/.exec(read('README.md')) ?? [];
  expect(example).toBe(read('test/e2e/readme-example.spec.ts'));
});
