import { readFileSync } from 'node:fs';
import { InMemoryFs } from 'just-bash/browser';
import { expect, test } from 'vitest';
import recorded from '../../../../test/fixtures/node/npm.json' with { type: 'json' };
import { folderOf, HOME, parseCases } from '../../../../scripts/node-cases.mjs';
import { shell } from '../../../../test/support/shell.ts';

const fixture = new URL('../../../../test/fixtures/node/npm.txt', import.meta.url);
const cases = parseCases(readFileSync(fixture, 'utf8'));

/** What needs neither node nor its words for broken JSON; all of it runs in the workspace's own suite. */
const plain = cases.filter(
  ({ command, files }) =>
    !/\bnode\b(?!_)|\.bin|\.js\b|EJSON|JSON\)/.test(
      [command, ...Object.keys(files), ...Object.values(files)].join(' '),
    ),
);

test.for(plain)('says what npm says: $name', async ({ name, command, files }) => {
  const folder = `${HOME}/${folderOf('npm', name)}`;
  const fs = new InMemoryFs(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])),
  );
  fs.mkdirSync('/dev', { recursive: true });
  fs.writeFileSync('/dev/null', '');
  const wanted = recorded.answers.find((answer) => answer.name === name);
  const { output, code } = await shell(`{ ${command}\n} 2> /errors`, { files: fs, cwd: folder });
  expect({ stdout: output, stderr: await fs.readFile('/errors'), exitCode: code }).toEqual({
    stdout: wanted?.stdout,
    stderr: wanted?.stderr,
    exitCode: wanted?.exitCode,
  });
});

test('says that packages cannot be fetched yet', async () => {
  const { output, code } = await shell('npm install left-pad; npx left-pad', { cwd: '/' });
  expect(output).toContain('npm error npm install is not here yet');
  expect(output).toContain('npm error left-pad is not installed in this project');
  expect(code).toBe(1);
});

test.for([
  ["trap 'echo ended; exit 3' TERM; touch up; while :; do sleep 0.01; done", 'ended\n3\n'],
  ['touch up; while :; do sleep 0.01; done', '143\n'],
])('a job is told of TERM, and its script ends as it will: %s', async ([serve, wanted]) => {
  const files = { 'package.json': JSON.stringify({ scripts: { serve } }) };
  const script = 'npm run -s serve & until [ -e up ]; do sleep 0.01; done; kill $!; wait $!; echo $?';
  expect((await shell(script, { files })).output).toBe(wanted);
});

test.for([
  'A=1 npm run -s get',
  'A=0; export A; A=1 npm run -s get',
  'f() { local -x A=1; npm run -s get; }; f',
  'A=0 env A=1 npm run -s get',
  'A=1 npx -c "echo \\$A"',
])('scripts get the variables of the command alone: %s', async (line) => {
  const files = { 'package.json': JSON.stringify({ scripts: { get: 'echo $A' } }) };
  expect((await shell(line, { files })).output).toBe('1\n');
});

test.for(['explain', 'why', 'query'])('says that %s is not there', async (command) => {
  const { output, code } = await shell(`npm ${command} x`, { files: { 'package.json': '{}' } });
  expect(output).toContain(`npm error npm ${command} is not in the embedded workspace.`);
  expect(code).toBe(1);
});
