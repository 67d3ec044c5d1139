import { expect, it } from 'vitest';
import { shell } from '../../../test/support/shell.ts';
import { TypedInto } from '../../../test/support/typed-into.ts';
import { shellCommands } from '../engine.ts';
import { missingCommand } from './missing.ts';
import { FAMILIES } from './registry.ts';
import { builtins } from '../interpreter/builtins/index.ts';

/** They take `--help` as a word like any other, as GNU's do, or need the kernel to say anything. */
const WITHOUT = new Set(
  '[ echo false test true clear gh git node npm npx pnpm pnpx yarn help history time type'.split(' '),
);

const USED_AS: Readonly<Record<string, string>> = { gawk: 'awk' };

it.each(shellCommands.filter((name) => !WITHOUT.has(name) && !builtins.has(name)))(
  '%s --help tells what it takes',
  async (name) => {
    const { output, code } = await shell(`timeout 5 ${name} --help < /dev/null`);
    expect(output).toMatch(new RegExp(`^Usage:\\s+${USED_AS[name] ?? name}`));
    expect(code).toBe(0);
  },
);

it('each command stands in one family, with a sentence that --help shows', async () => {
  const commands = Object.values(FAMILIES).flatMap((family) => Object.entries(family));
  expect(commands.map(([name]) => name).sort()).toEqual(shellCommands);
  for (const [name, { summary }] of commands) expect(summary, name).toMatch(/^[A-Z].*\.$/);
  expect((await shell('sort --help')).output).toMatch(/^Usage: sort .*\nSorts lines\.\n\nThese options/);
});

it('each test, action and option that find tells of is there', async () => {
  const { output } = await shell('find --help');
  const names = output.match(/(?<=\s)-[a-z]\w+/g) ?? [];
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) {
    const { output: said } = await shell(`find . -true ${name}`);
    expect(said, name).not.toContain('unknown predicate');
  }
});

it('--help is meant for the program before it, and is none behind -- or as a value', async () => {
  const files = { a: 'with --help\nwithout\n' };
  expect((await shell('grep -e --help a; grep -- --help a', { files })).output).toBe(
    'with --help\n'.repeat(2),
  );
  for (const front of ['env', 'xargs', 'nice', 'timeout 5'])
    expect((await shell(`${front} sort --help < /dev/null`)).output, front).toMatch(/^Usage: sort/);
});

it('help tells how each builtin and each word of the shell is called', async () => {
  for (const name of [...builtins.keys(), 'if', 'while', '[[', '{']) {
    const { output, code } = await shell(`help '${name}'`);
    expect(output.startsWith(`${name}: ${name}`), name).toBe(true);
    expect(code).toBe(0);
  }
  expect(await shell('kill --help; echo $?; echo --help; true --help')).toMatchObject({
    output:
      'kill: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n2\n--help\n',
    code: 0,
  });
});

it('help for a program leads to its own', async () => {
  const { output, code } = await shell('help sort');
  expect(output).toContain('sort is a program. Run sort --help.\n');
  expect(code).toBe(1);
});

it('help keeps to the width of a narrow terminal', async () => {
  const terminal = new TypedInto({}, { columns: 44, rows: 24 });
  const lists = (await terminal.run('help')).split('\n').filter((line) => line.startsWith('  '));
  expect(lists.length).toBeGreaterThan(25);
  for (const line of lists) expect(line.length).toBeLessThanOrEqual(44);
  terminal.stop();
});

it.each([
  ['grpe x', 'Did you mean grep?'],
  ['exprot A=1', 'Did you mean export?'],
  ['gti status', 'Did you mean git?'],
  ['pyhton3 -V', 'Did you mean python3? That is not there either. Use node'],
  ['made', 'Did you mean make? That'],
  ['tsc --noEmit', 'npx tsc runs it once its package is installed with npm.'],
  ['jest', 'npx jest runs it'],
  ['eslint .', 'npx eslint runs it'],
  ['vite build', 'npx vite runs it'],
  ['pytest -q', 'Use node, awk, jq or bash instead.'],
  ['aws s3 ls', 'Nothing in here signs in to a service'],
  ['code .', 'Use sed -i, or edit the file in the page.'],
  ['nvm use 20', 'There is one version of node'],
  ['esbuild a.js', 'npx esbuild runs it'],
  ['oxlint', 'It is native code: eslint runs here.'],
  ['biome check', 'It is native code: eslint and prettier run here.'],
  ['flock f true', 'Use mkdir as a lock: it fails where the folder is there already.'],
  ['fmt', 'Use fold -s.'],
  ['base32', 'Use base64, or node for this encoding.'],
  ['tsort', 'Use node or awk.'],
  ['csplit a b', 'Use split, or awk where the pieces end at a pattern.'],
  ['pidof node', 'Use pgrep.'],
  ['sum a', 'Use cksum or md5sum.'],
  ['watch ls', 'Use a loop with sleep.'],
  ['dos2unix a', "Use sed -i 's/\\r$//'."],
  ['frobnicate', 'Run help for the list of commands.'],
  ['xy', 'Run help for the list of commands.'],
])('%s is told what to do instead', async (line, told) => {
  const { output, code } = await shell(line);
  expect(output).toContain(` is not installed here. ${told}`);
  expect(code).toBe(127);
});

it('nothing that is there is told to be missing', () => {
  const isUnknown = (name: string) => /Run help for the list|Did you mean/.test(missingCommand(name, []));
  expect(shellCommands.filter((name) => !isUnknown(name))).toEqual([]);
});
