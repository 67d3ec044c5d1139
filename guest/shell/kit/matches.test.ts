import { expect, it } from 'vitest';
import { eachMatch } from './matches.ts';
import { shell } from '../../../test/support/shell.ts';

function found(text: string, regex: RegExp): [index: number, match: string][] {
  const hits: [number, string][] = [];
  eachMatch(text, regex, (hit) => hits.push([hit.index, hit[0]]) > 0);
  return hits;
}

it('counts no empty match right after another', () => {
  expect(found('xab', /x*/gu)).toEqual([
    [0, 'x'],
    [2, ''],
    [3, ''],
  ]);
});

it('goes on after characters of two units', () => {
  expect(found('😀', /x*/gu)).toEqual([
    [0, ''],
    [2, ''],
  ]);
});

it('ends where it is told to', () => {
  const hits: string[] = [];
  eachMatch('a b c', /[a-c]/gu, (hit) => hits.push(hit[0]) < 2);
  expect(hits).toEqual(['a', 'b']);
});

it.each([
  [`echo '😀b' | sed 's/x*/-/g'`, '-😀-b-\n'],
  [`awk 'BEGIN { s = "😀b"; gsub(/x*/, "-", s); print s }'`, '-😀-b-\n'],
  [`awk 'BEGIN { print gensub(/x*/, "-", "g", "😀b") }'`, '-😀-b-\n'],
  [`awk 'BEGIN { print split("😀,b", parts, /,*/), parts[2] }'`, '2 b\n'],
  [`printf '😀,b' | awk -v 'RS=,*' '{ print }'`, '😀\nb\n'],
])('%s', async (script, output) => {
  expect((await shell(script)).output).toBe(output);
});
