import { expect, test } from 'vitest';
import { SHELL_COMMANDS } from '../../../src/protocol/shell-commands.ts';
import { commandNames } from './index.ts';

test('the app and the kernel know exactly the commands that the shell has', () => {
  expect(SHELL_COMMANDS, 'Correct the list in src/protocol/shell-commands.ts.').toEqual(commandNames);
});
