import { expect, test } from 'vitest';
import * as z from 'zod';
import { hashText } from '../../base/hash.ts';
import { maskSecrets } from '../../base/secrets.ts';
import { call, finish, say, type Steps } from '../../../test/support/parts-model.ts';
import { harness, testTools } from '../../../test/support/session-harness.ts';
import { inspectionOf } from '../../../test/support/inspection-of.ts';
import type { ModelRequest } from '../request/model.ts';
import { define } from '../../tools/define.ts';
import type { ToolInfo } from '../../tools/tool.ts';
import { RecentBodies } from './bodies.ts';
import { compareBodies } from './body.ts';
import { callDetailOf } from './call-detail.ts';
import type { NetworkRequest } from './inspection.ts';

const KEY = 'sk-abcdefghijklmnopqrstuvwxyz';

const echoed: Steps = [
  [...call('c1', 'echo', { text: `token ${KEY}` }), finish('tool-calls')],
  [...say('Done.'), finish()],
];

async function inspected(
  options: { sends?: boolean; change?: string; steps?: Steps; tools?: readonly ToolInfo[] } = {},
) {
  const { steps: said = echoed, tools = testTools } = options;
  const { session, store, model } = await harness(said, { tools });
  await session.prompt('Say it');
  await session.rested();
  await session.close();
  const bodies = new RecentBodies();
  const rehearse = async (
    _ref: unknown,
    { messages }: Pick<ModelRequest, 'messages'>,
  ): Promise<NetworkRequest> => ({
    url: 'https://models.example/v1',
    method: 'POST',
    headers: {},
    // The bodies of the harness's model look like this.
    body: options.change ?? JSON.stringify({ request: messages.length === 1 ? 1 : 2 }),
  });
  const inspection = await inspectionOf(session, store, {
    keptBody: (id) => bodies.of(session.id, id),
    ...(options.sends !== false && { rehearse }),
    mask: maskSecrets,
  });
  const steps = inspection.timeline.turns.flatMap((turn) => inspection.timeline.stepsOf(turn));
  return { inspection, steps, model, bodies, session };
}

test('the request of each step is what the model was given, rebuilt from the log, without secrets', async () => {
  const { inspection, steps, model } = await inspected();
  expect(steps).toHaveLength(2);
  for (const [index, step] of steps.entries()) {
    const { content, shared } = await inspection.request(step);
    const given = model.requests[index]!;
    expect(content.system).toBe(given.system);
    expect(content.tools).toEqual(given.tools);
    expect(content.settings).toEqual(given.settings);
    expect(content.messages).toEqual(JSON.parse(JSON.stringify(given.messages).replaceAll(KEY, '[secret]')));
    expect(shared).toBe(index === 0 ? 0 : 1);
  }
});

test('the body as sent is compared with the one made anew', async () => {
  const { inspection, steps } = await inspected();
  const { verdict } = await inspection.request(steps[0]!);
  expect(verdict).toEqual({ state: 'equal', hash: steps[0]!.sent!.bodyHash });
});

test('a difference is told, and where it is while the body is held', async () => {
  const { inspection, steps, bodies, session } = await inspected({ change: '{"request":9}' });
  const [step] = steps;
  expect((await inspection.request(step!)).verdict).toEqual({
    state: 'different',
    sent: step!.sent!.bodyHash,
    rebuilt: hashText('{"request":9}'),
  });
  bodies.keep(session.id, step!.messageID, '{"request":1}');
  const { verdict, kept } = await inspection.request(step!);
  expect(kept).toBe(true);
  expect(verdict).toMatchObject({ at: { offset: 11, sent: '{"request":1}', rebuilt: '{"request":9}' } });
});

test('a model in the page sends nothing that could be compared', async () => {
  const { inspection, steps } = await inspected({ sends: false });
  const { network, verdict } = await inspection.request(steps[0]!);
  expect(network).toBeNull();
  expect(verdict.state).toBe('unknown');
});

test('files that are gone are named as a reason', () => {
  const verdict = compareBodies({ sent: 'a', rebuilt: 'x', rebuiltHash: 'b', filesGone: true });
  expect(verdict).toMatchObject({ state: 'different', filesGone: true });
});

test('bodies are held for the newest twenty requests of a session', () => {
  const bodies = new RecentBodies();
  for (let n = 0; n < 25; n++) bodies.keep('s', `m${n}`, `body ${n}`);
  bodies.keep('other', 'm0', 'body of another');
  expect(bodies.of('s', 'm4')).toBeUndefined();
  expect(bodies.of('s', 'm5')).toBe('body 5');
  expect(bodies.of('s', 'm24')).toBe('body 24');
  expect(bodies.of('other', 'm0')).toBe('body of another');
});

test('the decisions of a call come with the rules that decided', async () => {
  const { inspection, steps } = await inspected();
  const [echo] = inspection.timeline.callsOf(steps[0]!);
  expect(inspection.decisionsOf(echo!)).toEqual([]);
  expect(inspection.eventsOf(echo!).at(-1)?.type).toBe('call.ended');
});

test('a secret that came in pieces is in none of them, and the others are as they came', async () => {
  const args = JSON.stringify({ text: `token ${KEY}` });
  const [half, rest] = [args.slice(0, -12), args.slice(-12)];
  const { inspection, steps } = await inspected({
    steps: [
      [
        { type: 'text-start', id: 't' },
        ...['I take ', KEY.slice(0, 9), KEY.slice(9), ' now.'].map(
          (text) => ({ type: 'text-delta', id: 't', text }) as const,
        ),
        { type: 'text-end', id: 't' },
        { type: 'tool-input-start', callID: 'c1', tool: 'echo' },
        { type: 'tool-input-delta', callID: 'c1', delta: half },
        { type: 'tool-input-delta', callID: 'c1', delta: rest },
        { type: 'tool-call', callID: 'c1', tool: 'echo', input: { text: `token ${KEY}` } },
        finish('tool-calls'),
      ],
      [...say('Done.'), finish()],
    ],
  });
  const texts = inspection
    .eventsOf(steps[0]!)
    .flatMap((event) =>
      event.type === 'step.part' && event.part.type === 'text-delta' ? event.part.text : [],
    );
  expect(texts).toEqual(['I take ', '[secret]', '', ' now.']);
  const [echo] = inspection.timeline.callsOf(steps[0]!);
  const { typed } = callDetailOf(inspection.eventsOf(echo!));
  expect(typed.map(({ value }) => value).join('')).not.toContain(KEY.slice(4, 12));
});

test('all that a call printed is shown, also what was too much at once for an event', async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n');
  const prints = define('prints', {
    description: 'Prints.',
    parameters: z.object({}),
    readOnly: true,
    execute: async (_, context) => {
      context.output(`${KEY}\n`);
      context.output(lines);
      return 'Printed.';
    },
  });
  const { inspection, steps } = await inspected({
    steps: [
      [...call('c1', 'prints', {}), finish('tool-calls')],
      [...say('Done.'), finish()],
    ],
    tools: [prints],
  });
  const [printing] = inspection.timeline.callsOf(steps[0]!);
  const detail = callDetailOf(inspection.eventsOf(printing!));
  expect(detail.printed.map(({ text }) => text).join('')).not.toContain('line 0\n');
  expect(await inspection.printed(detail)).toBe(`[secret]\n${lines}`);
});
