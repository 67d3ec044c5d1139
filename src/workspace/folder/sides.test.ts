import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareSides, type Side } from './sides.ts';

const side = (files: Readonly<Record<string, string>>, unknown: readonly string[] = []): Side => ({
  files: new Map(Object.entries(files)),
  isUnknown: (path) => unknown.includes(path),
});
const kinds = (base: Record<string, string>, here: Side, there: Side) =>
  compareSides(new Map(Object.entries(base)), here, there).map(({ path, kind }) => `${path} ${kind}`);

test('who changed a file since both were equal decides where it goes', () => {
  const base = { edited: '1', both: '1', theirs: '1', deleted: '1', gone: '1', same: '1', alike: '1' };
  const here = side({ edited: '2', both: '2', theirs: '1', gone: '1', same: '1', alike: '2', made: '2' });
  const there = side({
    edited: '1',
    both: '3',
    theirs: '3',
    deleted: '1',
    same: '1',
    alike: '2',
    found: '3',
  });
  expect(kinds(base, here, there)).toEqual([
    'both both',
    'deleted out',
    'edited out',
    'found in',
    'gone in',
    'made out',
    'theirs in',
  ]);
});

test('a file that was edited in one place and deleted in the other is a conflict', () => {
  expect(kinds({ a: '1', b: '1' }, side({ a: '2' }), side({ b: '3' }))).toEqual(['a both', 'b both']);
});

test('a file that is ignored in one place is never taken for deleted there', () => {
  expect(kinds({ a: '1' }, side({}, ['a']), side({ a: '1' }))).toEqual([]);
  expect(kinds({ a: '1' }, side({ a: '2' }), side({}, ['a']))).toEqual([]);
});

const files = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3'));

test('when every change is carried out in its direction, the places are equal but for conflicts', () => {
  fc.assert(
    fc.property(files, files, files, (base, here, there) => {
      const left = new Map<string, string>(Object.entries(here));
      const right = new Map<string, string>(Object.entries(there));
      const changes = compareSides(new Map(Object.entries(base)), side(here), side(there));
      for (const { path, kind, here: mine, there: theirs } of changes) {
        const [target, value] = kind === 'in' ? [left, theirs] : [right, mine];
        if (value === null) target.delete(path);
        else target.set(path, value);
      }
      expect(new Map([...left].sort())).toEqual(new Map([...right].sort()));
    }),
  );
});
