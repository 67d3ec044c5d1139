import { expect, test } from 'vitest';
import { AWAIT_NAMES, awaitEdits, evaluated, EVALUATED_NAME } from './await-code.ts';
import { EditedText } from './edits.ts';
import { isNode, parse } from './syntax.ts';

/** Runs a program whose awaits are tracked, and returns what was awaited. */
async function awaited(source: string): Promise<readonly unknown[]> {
  const program: unknown = parse(`async function f() { ${source} }`, 'script');
  if (!isNode(program)) throw new Error('The program has no syntax tree.');
  const { code } = new EditedText(`async function f() { ${source} }`, [
    ...awaitEdits(program, `async function f() { ${source} }`),
  ]);
  const seen: unknown[] = [];
  const make = new Function(AWAIT_NAMES.take, AWAIT_NAMES.each, `${code}; return f`) as (
    take: (value: unknown) => unknown,
    each: (value: unknown) => unknown,
  ) => () => Promise<void>;
  const note = (value: unknown) => (seen.push(value), value);
  await make(note, note)();
  return seen;
}

test.for([
  ['await 1', [1]],
  ['await(2)', [2]],
  // Minifiers leave out the space, so nothing is between the keyword and what is awaited.
  ['await(()=>3)()', [3]],
  ['await[4][0]', [4]],
  ['await"5"', ['5']],
  ['for await(const x of[6]);', [[6]]],
  ['for await(const x of"7");', ['7']],
] as const)('%s is tracked', async ([source, values]) => {
  expect(await awaited(source)).toEqual(values);
});

test('the text that such code evaluates is tracked too, and nothing else is changed', async () => {
  Object.assign(globalThis, { [EVALUATED_NAME]: evaluated });
  const text = JSON.stringify('async function g() { await 1; eval("(async () => await 2)()") } g()');
  expect(await awaited(`eval(${text}); await 3`)).toEqual([1, 3, 2]);
  for (const same of ['const a = 1', 'await is no (program', new String('await 1'), undefined])
    expect(evaluated(same)).toBe(same);
});
