import { expect, test } from 'vitest';
import * as z from 'zod';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness, next, testTools } from '../../../test/support/session-harness.ts';
import { define } from '../../tools/define.ts';
import type { EndedCall, ToolHooks } from '../../tools/hooks.ts';
import { ToolRegistry } from '../../tools/registry.ts';
import type { Event } from '../log/events.ts';

const ends = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'call.ended' ? `${event.callID} ${event.outcome}: ${event.output}` : [],
  );
const oneCall = (tool: string, input = {}) => [
  [...call('c1', tool, input), finish('tool-calls')],
  [...say('Done.'), finish()],
];

/** Hooks that record their arguments. */
function watching() {
  const before: string[] = [];
  const after: EndedCall[] = [];
  const hooks: ToolHooks = {
    'tool.execute.before': ({ tool, callID }) => void before.push(`${tool} ${callID}`),
    'tool.execute.after': (ended) => void after.push(ended),
  };
  return { before, after, hooks };
}

test('hooks see every call once, and may change what goes in and comes out', async () => {
  const seen = watching();
  const { session, events } = await harness(oneCall('echo', { text: 'a' }), {
    hooks: [
      {
        'tool.execute.before': (_, change) => void (change.args = { text: 'b' }),
        'tool.execute.after': (_, change) => {
          change.output += '!';
          change.metadata = { ...change.metadata, seen: true };
        },
      },
      seen.hooks,
    ],
  });
  await session.prompt('Go');
  await session.rested();
  expect(ends(events)).toEqual(['c1 ok: b!']);
  expect(events.find(({ type }) => type === 'call.running')).toMatchObject({ input: { text: 'b' } });
  expect(seen.before).toEqual(['echo c1']);
  expect(seen.after).toMatchObject([
    { tool: 'echo', callID: 'c1', agent: 'build', args: { text: 'b' }, outcome: 'ok' },
  ]);
});

test('hooks hear of calls that came to nothing too, by what came of them', async () => {
  const seen = watching();
  const fails = define('fails', {
    description: 'Fails.',
    parameters: z.object({}),
    execute: async () => Promise.reject(new Error('no')),
  });
  const { session } = await harness(
    [
      [
        ...call('c1', 'nothing', {}),
        ...call('c2', 'echo', { text: 5 }),
        ...call('c3', 'fails', {}),
        ...call('c4', 'change', { text: 'x' }),
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
    {
      tools: [...testTools, fails],
      hooks: [seen.hooks],
      answerer: async () => ({ reply: 'reject', message: 'no' }),
    },
  );
  await session.prompt('Go');
  await session.rested();
  expect(seen.after.map(({ tool, outcome }) => `${tool} ${outcome}`).sort()).toEqual([
    'change denied',
    'echo invalid',
    'fails failed',
    'nothing invalid',
  ]);
});

test('the time a call waits for the person is not the tool’s', async () => {
  const seen = watching();
  const { session } = await harness(oneCall('change', { text: 'x' }), { hooks: [seen.hooks] });
  const asked = next(session, 'permission.asked');
  await session.prompt('Go');
  const { requestID } = await asked;
  // Every reading of this clock is one millisecond later.
  for (let n = 0; n < 500; n++) await session.rename(`n ${n}`);
  session.answer(requestID, { reply: 'once' }, 'person');
  await session.rested();
  expect(seen.after[0]?.durationMs).toBeLessThan(50);
});

test.each<[string, ToolHooks, RegExp]>([
  [
    'throws before',
    { 'tool.execute.before': () => Promise.reject(new Error('not now')) },
    /^c1 failed: not now/,
  ],
  [
    'makes arguments that do not fit',
    { 'tool.execute.before': (_, change) => void (change.args = { text: 1 }) },
    /^c1 invalid: The echo tool was called with invalid arguments/,
  ],
  [
    'throws after',
    {
      'tool.execute.after': () => {
        throw new Error('broken');
      },
    },
    /^c1 failed: hello\n\n\[It ran, but .* broken/,
  ],
])('a hook that %s fails the call in words', async (_, hook, words) => {
  const seen = watching();
  const { session, events } = await harness(oneCall('echo', { text: 'hello' }), {
    hooks: [seen.hooks, hook],
  });
  await session.prompt('Go');
  expect(await session.rested()).toBe('idle');
  expect(ends(events)).toEqual([expect.stringMatching(words)]);
  expect(seen.after).toHaveLength(1);
});

test('a stopped call is told as cancelled', async () => {
  const seen = watching();
  const { session } = await harness(oneCall('endless', { text: 'x' }), {
    hooks: [seen.hooks],
    answerer: async () => ({ reply: 'once' }),
  });
  const running = next(session, 'call.running');
  await session.prompt('Go');
  await running;
  session.abort();
  await session.rested();
  expect(seen.after).toMatchObject([{ tool: 'endless', outcome: 'cancelled' }]);
});

test('a tool that is registered, taken away or switched shows at the next step', async () => {
  const extra = define('extra', {
    description: 'More.',
    parameters: z.object({}),
    readOnly: true,
    execute: async () => {
      registry.unregister('extra');
      return 'used';
    },
  });
  const adds = define('adds', {
    description: 'Adds a tool.',
    parameters: z.object({}),
    readOnly: true,
    execute: async () => {
      registry.register(extra);
      return 'added';
    },
  });
  const registry = new ToolRegistry([adds]);
  const { session, model, events } = await harness(
    [
      [...call('c1', 'adds', {}), finish('tool-calls')],
      [...call('c2', 'extra', {}), finish('tool-calls')],
      [...call('c3', 'extra', {}), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    { registry },
  );
  await session.prompt('Go');
  await session.rested();
  expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ['adds'],
    ['adds', 'extra'],
    ['adds'],
    ['adds'],
  ]);
  expect(ends(events)).toEqual([
    'c1 ok: added',
    'c2 ok: used',
    "c3 invalid: There is no tool named 'extra'. The tools are: adds. Call one of these.",
  ]);
});
