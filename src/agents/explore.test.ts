import { describe, expect, test } from 'vitest';
import { modeRules, type Mode } from '../permissions/modes.ts';
import { decide } from '../permissions/rules.ts';
import type { PermissionSettings } from '../permissions/settings.ts';
import { analyse } from '../permissions/shell/analyse.ts';
import type { Action, Ruleset } from '../permissions/types.ts';
import { agents } from './agents.ts';
import { explore } from './explore.ts';
import { LOOKING_COMMANDS } from './looking-commands.ts';
import { configuredRules, limitsFor } from './rules.ts';
import { NO_SETUP } from './setup.ts';

interface Scenario {
  readonly settings?: PermissionSettings;
  readonly limits?: Ruleset;
  readonly agent?: string;
  /** Rules that a configuration file has for `explore` by name. */
  readonly own?: Ruleset;
  readonly mode?: Mode;
}

/**
 * How the rules decide about a command of the agent, asked in the way that the tool bash asks, in a session that
 * otherwise asks nothing.
 */
async function actionOn(
  command: string,
  { settings = 'allow', limits = [], agent = 'explore', own = [], mode = 'bypass' }: Scenario = {},
): Promise<Action> {
  const roster = agents.map((each) => (each === explore ? { ...each, rules: own } : each));
  const configured = configuredRules(agent, settings, limits, { ...NO_SETUP, agents: roster });
  const analysis = await analyse(command);
  const ask =
    'raw' in analysis
      ? { patterns: [command], opaque: true }
      : { patterns: analysis.patterns.map(({ text }) => text) };
  const saved = modeRules(mode, 'bash');
  return decide({ configured, saved }, { permission: 'bash', ...ask }).action;
}

describe('explore runs no command that changes something, whatever the settings and the mode allow', () => {
  test.each([
    'rm a.txt',
    'rm -rf src',
    'cat a; rm a',
    'ls && mv a b',
    'echo hello > a.txt',
    'echo hello >> a.txt',
    'cat <<< x > a.txt',
    ': > a.txt',
    'sort a -o a',
    'sed -i s/a/b/ a.txt',
    "sed 'w b.txt' a.txt",
    'uniq a b',
    'tee a < b',
    'find . -name a -delete',
    'find . -exec rm {} ;',
    'find . -fprint a',
    'ls | xargs rm',
    "ls | xargs -I{} sh -c 'rm {}'",
    'timeout 5 rm a',
    'env rm a',
    "bash -c 'rm a'",
    'bash script.sh',
    './script.sh',
    '/bin/rm a',
    'command rm a',
    'echo $(rm a)',
    'echo "`rm a`"',
    'eval "rm a"',
    'cat $(echo a) | $SHELL',
    'source a.sh',
    'awk \'{ print > "b" }\' a',
    'awk \'BEGIN { system("rm a") }\'',
    'node -e \'require("fs").rmSync("a")\'',
    'npm test',
    'git checkout .',
    'git diff --output=a',
    'git commit -m x',
    'git branch topic',
    'git stash',
    'git push',
    'git config user.name x',
    'touch a',
    'mkdir a',
    'cp a b',
    'ln -s a b',
    'tar xf a.tar',
    'truncate -s 0 a',
    'ls() { rm a; }; ls',
    'curl https://a.example/ -o a',
  ])('%s', async (command) => {
    expect(await actionOn(command)).toBe('deny');
  });

  test.each(LOOKING_COMMANDS)('not even by %s with its output redirected to a file', async (pattern) => {
    expect(await actionOn(`${pattern.slice(0, -2)} a > b`)).toBe('deny');
  });
});

test.each([
  'ls -la src',
  'cat a.txt | grep -n x | wc -l',
  "find . -name '*.ts' -exec grep -l x {} +",
  'ls src 2>/dev/null',
  "sed -n '1,20p' a.txt",
  "awk '{ print $1 }' a.txt",
  'for f in *.ts; do wc -l "$f"; done',
  'git log --oneline -5',
  'git rev-list --count HEAD',
  'git ls-tree -r HEAD',
  'cd src && ls',
  "bash -c 'ls; cat a'",
])('explore may run %s if the settings allow it', async (command) => {
  expect(await actionOn(command)).toBe('allow');
  expect(await actionOn(command, { settings: {} })).toBe('allow');
  expect(await actionOn(command, { settings: { bash: 'deny' } })).toBe('deny');
});

test('the settings decide about the commands within the limit', async () => {
  expect(await actionOn('cat a', { settings: { bash: { 'cat *': 'ask' } }, mode: 'ask' })).toBe('ask');
  expect(await actionOn('cat a', { settings: { bash: { 'cat *': 'allow' } }, mode: 'ask' })).toBe('allow');
  expect(await actionOn('rm a', { settings: { bash: { 'rm *': 'allow' } } })).toBe('deny');
  expect(await actionOn('cat a', { settings: { bash: { 'cat *': 'deny' } } })).toBe('deny');
});

test('a configuration file may give explore more commands', async () => {
  const own = (pattern: string): Scenario => ({
    own: [{ permission: 'bash', pattern, action: 'allow' }],
  });
  expect(await actionOn('npm test', own('npm test'))).toBe('allow');
  expect(await actionOn('npm publish', own('npm test'))).toBe('deny');
  expect(await actionOn('npm publish', own('*'))).toBe('allow');
});

test('an agent that works for explore has the same limits', async () => {
  const limits = limitsFor('general', { agent: 'explore', settings: 'allow', limits: [] });
  const given = { agent: 'general', limits };
  expect(await actionOn('rm a', given)).toBe('deny');
  expect(await actionOn('ls $(x) > a', given)).toBe('deny');
});
