import { expect, test } from 'vitest';
import { nodeFacts } from '../../../guest/node/start/facts.ts';
import { INSTEAD, IN_WASM } from '../../protocol/native-programs.ts';
import { capabilitiesWith } from './capabilities.ts';

const commands = ['cat', 'git', 'node', 'npm', 'npx'];

test('with node the model is told its version, what npm does, and which modules are partial', () => {
  const { title, commands: told, notes } = capabilitiesWith({ commands, node: nodeFacts, npm: '11.0.0' });
  expect(title).toBe('Embedded · bash, node 22');
  expect(told).toEqual(commands);
  const text = notes.join('\n');
  expect(text).toContain(`node ${nodeFacts.version} runs`);
  expect(text).toContain('npm 11.0.0 is the real one (install, ci, run, test, npx and so on)');
  expect(text).toContain('It reaches registry.npmjs.org once the user allows that');
  for (const name of [...Object.keys(IN_WASM), ...Object.keys(INSTEAD)]) expect(text).toContain(name);
  expect(text).toContain('`gh pr create` makes a pull request');
  const without = capabilitiesWith({ commands, node: nodeFacts }).notes.join('\n');
  expect(without).toContain('Nothing can be installed.');
  for (const { modules, why } of nodeFacts.unsupported)
    expect(text).toContain(`${modules.join(', ')} (${why})`);
});

test('without isolation the model is told that node is off, and it is not among the commands', () => {
  const { title, commands: told, notes } = capabilitiesWith({ commands, node: null });
  expect(title).toBe('Embedded · bash');
  expect(told).toEqual(['cat', 'git', 'npm']);
  expect(notes.join('\n')).toContain('node is off: the page is not cross-origin isolated');
});

test('the model is told which hosts outside programs reach, and that there are none', () => {
  const told = (hosts: readonly string[], node: typeof nodeFacts | null = nodeFacts) =>
    capabilitiesWith({ commands, node }, hosts).notes.join('\n');
  expect(told([])).toContain('no host outside, by curl, fetch, http and https: the user can allow some');
  expect(told([], null)).toContain('no host outside, by curl: ');
  expect(told(['example.com', '*.example.org:8443'])).toContain(
    'of all hosts outside, only example.com, *.example.org:8443: with curl, fetch, http and https,',
  );
});
