import { expect, test } from 'vitest';
import { copyName } from './copy-name.ts';

test('a workspace that is a copy of another one has a name of its own', () => {
  expect(copyName('Workspace 1', [])).toBe('Workspace 1');
  expect(copyName('Workspace 1', ['Workspace 1'])).toBe('Workspace 1 (copy)');
  expect(copyName('Workspace 1', ['Workspace 1', 'Workspace 1 (copy)'])).toBe('Workspace 1 (copy 2)');
});

test('the copy of a copy is another copy of the first one', () => {
  expect(copyName('A (copy)', ['A', 'A (copy)'])).toBe('A (copy 2)');
  expect(copyName('A (copy 2)', ['A (copy 2)'])).toBe('A (copy)');
});
