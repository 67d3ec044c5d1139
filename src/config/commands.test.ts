import { expect, test } from 'vitest';
import { agents } from '../agents/agents.ts';
import { expandCommand } from './commands.ts';
import type { FileCommand } from './contents.ts';

const command = (template: string, more: Partial<FileCommand> = {}): FileCommand => ({
  name: 'do',
  file: '.opencode/command/do.md',
  template,
  ...more,
});

test.each([
  ['Test it.', '/do', 'Test it.'],
  ['Test it.', '/do  well ', 'Test it.\n\nwell'],
  ['Test $ARGUMENTS now', '/do a "b c"', 'Test a "b c" now'],
  ['From $1 to $2', '/do a b c', 'From a to b c'],
  ['From $1 to $2', "/do 'a b' c", 'From a b to c'],
  ['From $1 to $2', '/do', 'From  to '],
  ['See !`git log`.', '/do', 'See the output of `git log` (run it).'],
])('%j with %j is %j', (template, typed, text) => {
  expect(expandCommand(typed, [command(template)], agents)).toEqual({ text });
});

test('text that names no command is an ordinary message', () => {
  for (const typed of ['/other', 'do', '/do/it', '/', 'see /do'])
    expect(expandCommand(typed, [command('x')], agents)).toBeUndefined();
});

test('the later of two commands with one name counts', () => {
  expect(expandCommand('/do', [command('first'), command('second')], agents)?.text).toBe('second');
});

test('a command may choose an agent and a model; a sub-agent gets the work through a task', () => {
  const to = (more: Partial<FileCommand>) => expandCommand('/do', [command('Look.', more)], agents);
  expect(to({ agent: 'plan', model: 'openai/gpt-5' })).toEqual({
    text: 'Look.',
    agent: 'plan',
    model: { provider: 'openai', model: 'gpt-5' },
  });
  expect(to({ agent: 'explore' })).toEqual({
    text: 'Give this to explore with the task tool, then tell me the result:\n\nLook.',
  });
  expect(to({ subtask: true })?.text).toContain('Give this to general');
});
