import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish, say } from '../../../test/support/parts-model.ts';
import { harness, passing } from '../../../test/support/session-harness.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import type { Event } from '../log/events.ts';
import type { StreamPart } from '../log/parts.ts';

const id = fc.constantFrom('1', '2', '1~2');
const tool = fc.constantFrom('echo', 'change', 'Echo', 'nope', '');
const input = fc.oneof(
  fc.constantFrom({}, { text: 'a' }, { text: 1 }, null, 'text', [1]),
  fc.record({ text: fc.string() }),
);
const metadata = fc.constantFrom({}, { providerMetadata: { test: { signature: 's' } } });
const part: fc.Arbitrary<StreamPart> = fc.oneof(
  fc.constant<StreamPart>({ type: 'start', warnings: [] }),
  id.map((id): StreamPart => ({ type: 'text-start', id })),
  fc.record({ type: fc.constant('text-delta' as const), id, text: fc.string() }),
  id.map((id): StreamPart => ({ type: 'text-end', id })),
  fc.tuple(id, metadata).map(([id, more]): StreamPart => ({ type: 'reasoning-start', id, ...more })),
  fc.record({ type: fc.constant('reasoning-delta' as const), id, text: fc.string() }),
  fc.tuple(id, metadata).map(([id, more]): StreamPart => ({ type: 'reasoning-end', id, ...more })),
  fc.record({ type: fc.constant('tool-input-start' as const), callID: id, tool }),
  fc.record({ type: fc.constant('tool-input-delta' as const), callID: id, delta: fc.string() }),
  id.map((callID): StreamPart => ({ type: 'tool-input-end', callID })),
  fc.record({ type: fc.constant('tool-call' as const), callID: id, tool, input }),
  fc.tuple(id, tool).map(([callID, tool]): StreamPart => ({
    type: 'tool-call',
    callID,
    tool,
    input: '{"cut',
    invalid: { reason: 'bad-json', message: 'Unexpected end of JSON input' },
  })),
  fc.constant<StreamPart>({ type: 'other', name: 'raw', value: 1 }),
  fc.constant<StreamPart>({ type: 'error', fault: { code: 'test', what: 'An error on purpose.' } }),
  fc
    .constantFrom('stop', 'tool-calls', 'length', 'content-filter', 'error', 'other')
    .map((reason) => finish(reason as 'stop')),
);

type Ending = 'ends' | 'finishes' | 'throws' | 'is aborted';
const steps = fc.array(
  fc.record({
    parts: fc.array(part, { maxLength: 25 }),
    ending: fc.constantFrom<Ending>('ends', 'finishes', 'finishes', 'finishes', 'throws', 'is aborted'),
  }),
  { minLength: 1, maxLength: 4 },
);

test('whatever a model streams, every call gets exactly one result and everything closes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom('once', 'reject'), async (script, reply) => {
      let aborted = false;
      const { session, events, model, store, timer } = await harness(
        [
          ...script.map(
            ({ parts, ending }) =>
              async function* () {
                yield* parts;
                if (ending === 'finishes') yield finish('tool-calls');
                if (ending === 'throws') throw new Error('Thrown on purpose.');
                if (ending === 'is aborted') {
                  aborted = true;
                  session.abort();
                }
              },
          ),
          ...Array.from({ length: 5 }, () => [...say('Done.'), finish()]),
        ],
        { answerer: async () => (reply === 'once' ? { reply } : { reply: 'reject', message: 'No.' }) },
      );
      await session.prompt('Go');
      const status = await passing(timer, 60_000, session.rested());
      expect(status).not.toBe('interrupted');
      if (aborted) expect(status).toBe('aborted');
      expectOneResultEach(events);
      expectClosed(session.state);

      // The next request is sound: every call in it is followed by its result, each id once in its message.
      await session.prompt('And now?');
      await passing(timer, 60_000, session.rested());
      expectSoundRequest(model.requests.at(-1)?.messages ?? []);

      await session.close();
      const stored = await store.events(session.id, 0);
      expect(reduce(stored, emptyState(session.id))).toEqual(session.state);
    }),
    { numRuns: 300 },
  );
});

function expectOneResultEach(events: readonly Event[]): void {
  const seen = new Set<string>();
  const results = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'step.part' && 'callID' in event.part)
      seen.add(`${event.messageID}/${event.part.callID}`);
    if (event.type === 'call.ended') {
      const key = `${event.messageID}/${event.callID}`;
      results.set(key, (results.get(key) ?? 0) + 1);
    }
  }
  expect([...results.keys()].sort()).toEqual([...seen].sort());
  for (const count of results.values()) expect(count).toBe(1);
}

function expectClosed(state: Awaited<ReturnType<typeof harness>>['session']['state']): void {
  expect(state.turn).toBeNull();
  expect(state.pending.size).toBe(0);
  for (const message of state.messages.values()) expect(message.ended).toBeDefined();
  for (const part of state.parts.values()) expect(part.ended).toBeDefined();
}

function expectSoundRequest(
  messages: Awaited<ReturnType<typeof harness>>['model']['requests'][number]['messages'],
): void {
  messages.forEach((message, index) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return;
    const called = message.content.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []));
    expect(new Set(called).size).toBe(called.length);
    const next = messages[index + 1];
    const answered =
      next?.role === 'tool'
        ? next.content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : []))
        : [];
    expect(answered).toEqual(called);
  });
}
