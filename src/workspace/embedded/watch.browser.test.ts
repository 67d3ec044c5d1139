import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryJournal } from '../memory-journal.ts';
import { exec, type Workspace } from '../workspace.ts';
import { openEmbedded } from './open.ts';

// The expected texts are what native Node 22.23.3 prints for the same steps.
let workspace: Workspace;
beforeAll(() => {
  workspace = openEmbedded({ id: 'wsp_watch', journal: new MemoryJournal(), container: document.body });
});
afterAll(() => workspace.close());

/** Runs node with its arguments, ends it with SIGTERM once there is a file `stop`, and prints its exit code. */
const DRIVER = `
  const fs = require('fs');
  const { spawn } = require('child_process');
  const child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
  const watcher = fs.watch('.', () => fs.existsSync('stop') && !child.killed && child.kill());
  child.on('exit', (code) => { watcher.close(); console.log('code', code); });
`;

/** Runs a script in a folder with these files. In it, `seen N TEXT` waits until the log has N lines with the text. */
async function steps(
  folder: string,
  files: Readonly<Record<string, string>>,
  script: string,
): Promise<string> {
  const encoder = new TextEncoder();
  for (const [path, text] of Object.entries(files))
    await workspace.files.write(`${folder}/${path}`, encoder.encode(text));
  await workspace.files.write('driver.js', encoder.encode(DRIVER));
  const seen = 'seen() { until [ "$(grep -c -- "$2" log)" -ge "$1" ]; do sleep 0.05; done; }';
  const { output } = await exec(workspace, `cd ${folder}; touch log; ${seen}\n${script}\ncat log`, {
    timeoutMs: 30_000,
  });
  return output.replaceAll('\r', '').replace(/(duration_ms:? )[\d.]+/g, '$1N');
}

test('node --watch runs a program again when what it is made of changes, and for nothing else', async () => {
  const output = await steps(
    'program',
    {
      'a.js': "console.log('one', require('./dep'), ...process.argv.slice(2));",
      'dep.js': 'module.exports = 1;',
    },
    `node ../driver.js --watch a.js x y > log 2>&1 &
     seen 1 Completed; echo new > unrelated.txt; echo 'module.exports = 2' > dep.js
     seen 2 Completed; echo 'throw new Error("broken")' > a.js
     seen 1 Failed; echo 'console.log("fixed", process.argv.length)' > a.js
     seen 3 Completed; touch stop; wait %1`,
  );
  expect(output.replace(/^(\/|    at|throw|\s*\^|Node\.js|Error).*\n|^\n/gm, '')).toBe(
    [
      'one 1 x y',
      "Completed running 'a.js x y'. Waiting for file changes before restarting...",
      "Restarting 'a.js x y'",
      'one 2 x y',
      "Completed running 'a.js x y'. Waiting for file changes before restarting...",
      "Restarting 'a.js x y'",
      "Failed running 'a.js x y'. Waiting for file changes before restarting...",
      "Restarting 'a.js x y'",
      'fixed 4',
      "Completed running 'a.js x y'. Waiting for file changes before restarting...",
      'code 0',
      '',
    ].join('\n'),
  );
  expect(output).toContain('Error: broken');
});

test('node --watch-path watches a folder, and ends a server before it starts it again', async () => {
  const server = `console.log('up'); setInterval(() => {}, 1000);
    process.on('SIGTERM', () => { console.log('bye'); process.exit(4); });`;
  expect(
    await steps(
      'server',
      { 's.mjs': server, 'src/x': '' },
      `node ../driver.js --watch-path ./src s.mjs > log 2>&1 &
       seen 1 up; echo 1 > src/x; seen 2 up; touch stop; wait %1`,
    ),
  ).toBe("up\nRestarting 's.mjs'\nbye\nup\nbye\ncode 4\n");
});

test('node --test --watch runs again the files that a change concerns, and new ones', async () => {
  const of = (name: string) => `require('node:test')(${name}, () => {});`;
  const output = await steps(
    'tests',
    {
      'dep.js': "module.exports = 'one';",
      'a.test.js': of("'a ' + require('./dep')"),
      'b.test.js': of("'b'"),
    },
    `node ../driver.js --test --watch --test-reporter=tap > log 2>&1 &
     seen 1 '# todo 0'; echo 'module.exports = "two"' > dep.js
     seen 2 '# todo 0'; echo "require('node:test')('c', () => { throw new Error('no'); })" > c.test.js
     seen 3 '# todo 0'; touch stop; wait %1`,
  );
  const told = output
    .split('\n')
    .filter((line) => /^(TAP|ok|not ok|1\.\.|# (tests|pass|fail)|code)/.test(line));
  expect(told).toEqual([
    'TAP version 13',
    'ok 1 - a one',
    'ok 2 - b',
    '1..2',
    '# tests 2',
    '# pass 2',
    '# fail 0',
    'ok 1 - a two',
    '1..1',
    '# tests 1',
    '# pass 1',
    '# fail 0',
    'not ok 1 - c',
    '1..1',
    '# tests 1',
    '# pass 0',
    '# fail 1',
    'code 1',
  ]);
});

test('what cannot be watched is refused', async () => {
  const run = async (words: string) =>
    (await exec(workspace, `node ${words}; echo $?`, { stdin: '' })).output;
  expect(await run('--watch -e 1')).toBe('node: either --watch or --eval can be used, not both\n9\n');
  expect(await run('--watch')).toBe('node: --watch requires specifying a file\n9\n');
  expect(await run('--watch --check a.js')).toBe(
    'node: either --watch or --check can be used, not both\n9\n',
  );
  expect(await run('--test --watch-path=.')).toBe(
    'node: --watch-path cannot be used in combination with --test\n9\n',
  );
});
