import { expect, test } from 'vitest';
import { newBranchIn } from './new-branch.ts';

const pushed = (branch: string, start = '') =>
  `To https://github.com/ada/tool\n${start}Create a pull request for '${branch}' on GitHub by visiting:\n${start}     https://github.com/ada/tool/pull/new/${branch}\n * [new branch]      ${branch} -> ${branch}\n`;

test('a branch that was pushed for the first time is found in what git prints', () => {
  expect(newBranchIn(pushed('fix'))).toEqual({ repository: 'ada/tool', branch: 'fix' });
  expect(newBranchIn(pushed('feature/add', 'remote: '))).toEqual({
    repository: 'ada/tool',
    branch: 'feature/add',
  });
});

test('the last of several branches counts', () => {
  expect(newBranchIn(pushed('one') + pushed('two'))?.branch).toBe('two');
});

test('other output offers nothing', () => {
  expect(newBranchIn('To https://github.com/ada/tool\n   1234567..89abcde  fix -> fix\n')).toBeNull();
  expect(newBranchIn(pushed('fix').replaceAll('github.com', 'github.com.evil.example'))).toBeNull();
  expect(newBranchIn(pushed('fix').replaceAll('ada/tool', 'ada/tool/more'))).toBeNull();
  expect(newBranchIn('')).toBeNull();
});
