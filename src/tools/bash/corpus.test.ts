import fc from 'fast-check';
import { expect, test } from 'vitest';
import corpus from '../../../test/fixtures/shell-permissions.json' with { type: 'json' };
import { TestCall } from '../../../test/support/tool-context.ts';
import { permissionSettingsSchema, rulesOf } from '../../permissions/settings.ts';
import { PermissionDenied } from '../../permissions/types.ts';
import { bashTool } from './bash.ts';

const files = {
  '.env': 'KEY=1',
  '.env.local': 'KEY=2',
  '.env.example': 'KEY=',
  'config/.env': 'KEY=3',
  'a.txt': 'a',
  'sub/b.txt': 'b',
};
const rules = rulesOf(permissionSettingsSchema.parse({ bash: corpus.rules }), 'settings');
const wide = rulesOf(permissionSettingsSchema.parse({ bash: corpus.wide.rules }), 'settings');

async function runsUnasked(command: string, under = rules): Promise<boolean> {
  const call = new TestCall({ shell: () => 0, files });
  call.rules.push(...under);
  let asked = 0;
  call.answer = () => {
    asked++;
    expect(call.workspace.spawned, 'asked before it runs').toEqual([]);
  };
  try {
    await call.run(bashTool, { command });
  } catch (error) {
    if (error instanceof PermissionDenied) return false;
    throw error;
  }
  return asked === 0;
}

test('the corpus has enough examples of both kinds', () => {
  expect(corpus.asks.length).toBeGreaterThanOrEqual(150);
  expect(corpus.free.length).toBeGreaterThanOrEqual(150);
});

test.each(corpus.asks)('is asked for: %j', async (command) => {
  expect(await runsUnasked(command)).toBe(false);
});

test.each(corpus.free)('runs without asking: %j', async (command) => {
  expect(await runsUnasked(command)).toBe(true);
});

test.each(corpus.wide.asks)('is asked for though its name is allowed: %j', async (command) => {
  expect(await runsUnasked(command, wide)).toBe(false);
});

test.each(corpus.wide.free)('runs without asking because its name is allowed: %j', async (command) => {
  expect(await runsUnasked(command, wide)).toBe(true);
});

const allowed = fc.constantFrom(...corpus.free.filter((command) => !/[\n\\]|<<|#|^!|&$/.test(command)));
/** Leaves out arithmetic, which runs nothing beside a command. */
const slipped = fc.constantFrom(...corpus.asks.filter((command) => !/[\n\\]|<<|#|^\(\(/.test(command)));
const joint = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' |& ', ' & ');

test('a command that must ask does so, whatever allowed commands surround it', async () => {
  await fc.assert(
    fc.asyncProperty(allowed, joint, slipped, joint, allowed, async (before, one, inside, two, after) => {
      expect(await runsUnasked(`${before}${one}${inside}${two}${after}`)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test('a command that must ask does so, however it is nested', async () => {
  const hide = fc.constantFrom<(command: string) => string>(
    // With spaces: two parentheses together are arithmetic.
    (command) => `( ${command})`,
    (command) => `{ ${command}; }`,
    (command) => `echo "$( ${command})"`,
    // Backticks do not nest.
    (command) => (command.includes('`') ? `( ${command})` : `echo \`${command}\``),
    (command) => `cat <( ${command})`,
    (command) => `if ${command}; then ls; fi`,
    (command) => `if ls; then ls; else ${command}; fi`,
    (command) => `for i in a; do ${command}; done`,
    (command) => `while ${command}; do ls; done`,
    (command) => `case a in a) ${command};; esac`,
    (command) => `! ${command}`,
    (command) => `cat <<EOF\n$( ${command})\nEOF`,
    (command) => `echo "\${x:-$( ${command})}"`,
    (command) => `ls > /dev/null 2>&1; ${command}`,
    (command) => `[[ -n $( ${command}) ]]`,
  );
  const plain = fc.constantFrom(
    'touch x',
    'rm a',
    'ls > out',
    'find . -delete',
    'cat .env',
    "t''ouch x",
    'env ls',
  );
  await fc.assert(
    fc.asyncProperty(plain, fc.array(hide, { minLength: 1, maxLength: 4 }), async (command, wraps) => {
      expect(await runsUnasked(wraps.reduce<string>((inner, wrap) => wrap(inner), command))).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('lists, pipes and groups of allowed commands run without asking', async () => {
  const simple = fc.constantFrom(
    'ls src',
    'cat a.txt',
    'git status',
    'echo "a b"',
    'grep -n x a.txt',
    'wc -l',
    'pwd',
  );
  const around = fc.constantFrom<(command: string) => string>(
    (command) => command,
    (command) => `(${command})`,
    (command) => `{ ${command}; }`,
    (command) => `if ${command}; then ls; fi`,
    (command) => `for i in a b; do ${command}; done`,
    (command) => `echo "$(${command})"`,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(simple, { minLength: 1, maxLength: 4 }),
      joint,
      around,
      async (commands, by, wrap) => {
        expect(await runsUnasked(wrap(commands.join(by)))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
