import { expect, test } from 'vitest';
import { agentNamed, agents, defaultAgent } from './agents.ts';
import { build } from './build.ts';
import { systemPrompt } from './system-prompt.ts';

test.each(agents)('$name has a prompt', async ({ prompt }) => {
  expect(await prompt()).toMatch(/^You /);
});

test('the system prompt says what the agent is and where it works', () => {
  const prompt = systemPrompt('You are a coding agent.', {
    root: '/home/project',
    title: 'Embedded · bash',
    commands: ['cat', 'ls'],
    notes: ['There is no network.'],
    date: '2026-11-21',
  });
  expect(prompt).toMatchInlineSnapshot(`
    "You are a coding agent.

    <environment>
    Workspace: Embedded · bash
    Root of the files, where each call starts and relative paths begin: /home/project
    Commands of the shell: cat ls
    - There is no network.
    Today: 2026-11-21
    </environment>"
  `);
});

test('an unknown agent name selects the default agent', () => {
  expect(agentNamed('build')).toBe(build);
  expect(agentNamed('gone')).toBe(defaultAgent);
});
