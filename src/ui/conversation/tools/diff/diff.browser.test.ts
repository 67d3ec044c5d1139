import { createTwoFilesPatch } from 'diff';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import '../../../styles/index.css';
import { BLOCK_ROWS } from './blocks.ts';
import Diff from './Diff.svelte';
import SideBySide from './SideBySide.svelte';

// Loading the worker and its grammars takes time while other tests load too.
const LOADED = { timeout: 30_000 };

const patchOf = (path: string, before: string, after: string) =>
  createTwoFilesPatch(path, path, before, after);
const coloured = (element: Element) => element.querySelectorAll('code:has(.hl-keyword)').length;
const edit = patchOf('a.ts', 'const a = 1;\nconst b = `x\n', 'const a = 1;\nconst c = `y\n');

test('the code of a change is coloured, and its text and signs stay', async () => {
  const { container } = await render(Diff, { patch: edit, path: 'a.ts' });
  await expect.poll(() => coloured(container), LOADED).toBe(3);
  const rows = [...container.querySelectorAll('.rows .block > div')].map((row) => row.textContent);
  expect(rows).toEqual(['1 const a = 1;', '2−const b = `x', '2+const c = `y']);
});

test('so are two versions beside each other', async () => {
  const { container } = await render(SideBySide, { patch: edit, path: 'a.ts', oncomment: () => undefined });
  await expect.poll(() => coloured(container), LOADED).toBe(4);
  expect([...container.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
    'const a = 1;',
    'const a = 1;',
    'const b = `x',
    'const c = `y',
  ]);
});

test('a long change comes block by block, and only what is near the view is coloured', async () => {
  const long = Array.from({ length: 3_000 }, (_, at) => `const line${at} = ${at};\n`).join('');
  const box = document.createElement('div');
  box.style.cssText = 'block-size: 300px; overflow: auto';
  document.body.append(box);
  const { container } = await render(
    Diff,
    { patch: patchOf('a.ts', '', long), path: 'a.ts', all: true },
    { baseElement: box },
  );
  const rows = () => container.querySelectorAll('.rows .block > div').length;
  expect(rows()).toBeLessThan(10 * BLOCK_ROWS);
  await expect.poll(rows, LOADED).toBe(3_000);
  await expect.poll(() => container.querySelector('.hl-keyword'), LOADED).not.toBeNull();
  const blocks = [...container.querySelectorAll('.block')];
  expect(blocks.at(-1)!.querySelector('.hl-keyword')).toBeNull();
  blocks.at(-1)!.scrollIntoView();
  await expect.poll(() => coloured(blocks.at(-1)!), LOADED).toBe(BLOCK_ROWS);
  box.remove();
});

test('what stands for another language, or for none, stays plain', async () => {
  const { container } = await render(Diff, { patch: patchOf('a.unknown', 'a\n', 'b\n'), path: 'a.unknown' });
  await expect.element(container).toHaveTextContent('1−a1+b');
  expect(container.querySelector('[class^="hl-"]')).toBeNull();
});
