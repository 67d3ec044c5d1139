import { expect, test } from 'vitest';
import { call, say, thenHang, type PartsStep } from '../../../test/support/parts-model.ts';
import { sessionsOver, type HarnessOptions } from '../../../test/support/session-harness.ts';
import { FaultError } from '../../base/fault.ts';
import type { Event } from '../log/events.ts';
import type { StreamPart } from '../log/parts.ts';

const end = (reason: 'stop' | 'tool-calls' | 'length' = 'stop'): StreamPart => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 1_000, outputTokens: 100 },
});

/** A session in which a file was "changed", whose model answers the request for a summary with `summary`. */
async function worked(summary: PartsStep, options: HarnessOptions = {}) {
  const over = sessionsOver(
    (request) => {
      if (request.system.startsWith('You write down what')) return summary;
      const called = request.messages.some(({ role }) => role === 'tool');
      return called
        ? [...say('It is changed.'), end()]
        : [...call('c1', 'change', { text: 'a.ts' }), end('tool-calls')];
    },
    { settings: { change: 'allow' }, ...options },
  );
  const session = await over.sessions.create({ workspaceID: over.workspace.id, title: 'Test' });
  const events: Event[] = [];
  session.onEvents((batch) => events.push(...batch));
  await session.prompt('Change a.ts, please');
  await session.rested();
  return { ...over, session, events };
}

const unstopped = () => new AbortController().signal;

test('a summary is written of what was asked and done, no turn runs, and what it costs is counted', async () => {
  const { session, model, events } = await worked([...say('<think>Hm.</think># Changed a.ts'), end()], {
    facts: { price: { input: 1, output: 10 } },
  });
  const before = events.length;
  const { head, cost = 0, messages } = session.state;
  const count = messages.size;
  const heard: string[] = [];
  const text = await session.summarize(unstopped(), (said) => heard.push(said));
  expect(text).toBe('# Changed a.ts');
  expect(heard.at(-1)).toBe('# Changed a.ts');
  expect(heard.join()).not.toContain('Hm');

  const request = model.requests.at(-1);
  expect(request?.tools).toEqual([]);
  const told = JSON.stringify(request?.messages);
  for (const part of ['Change a.ts, please', '[call change]', 'changed a.ts', 'It is changed.'])
    expect(told).toContain(part);

  expect(events.slice(before)).toMatchObject([
    { type: 'aside.ended', purpose: 'summary', cost: 0.002, bodyHash: expect.any(String) },
  ]);
  expect(session.state.head).toBe(head);
  expect(session.state.messages.size).toBe(count);
  expect(session.state.cost).toBeCloseTo(cost + 0.002, 9);
});

test('it fits into what the model takes: the first prompt and the newest stay', async () => {
  const { session, model } = await worked([...say('Done.'), end()], {
    facts: { contextLimit: 4_000 },
    makesRoom: () => false,
  });
  for (let n = 0; n < 12; n++) {
    await session.prompt(`Number ${n}: ${'x'.repeat(2_000)}`);
    await session.rested();
  }
  await session.summarize(unstopped());
  const told = JSON.stringify(model.requests.at(-1)?.messages);
  expect(told.length).toBeLessThan(4_000 * 4);
  expect(told).toContain('Change a.ts, please');
  expect(told).toContain('Number 11');
  expect(told).not.toContain('Number 3');
  expect(told).toContain('left out]');
});

test.each<[string, PartsStep, string]>([
  ['fails', [{ type: 'error', fault: { code: 'auth', what: 'No key.' } }, end()], 'auth'],
  ['says nothing', [end()], 'no-summary'],
  ['is cut short', [...say('# Half'), end('length')], 'output-length'],
])(
  'where the model %s there is a fault, and what it came to is counted all the same',
  async (_, step, code) => {
    const { session, events } = await worked(step);
    await expect(session.summarize(unstopped())).rejects.toMatchObject({ fault: { code } });
    expect(events.at(-1)).toMatchObject({ type: 'aside.ended', purpose: 'summary' });
    expect(await session.rested()).toBe('idle');
  },
);

test('without a model or a key the fault says so, and nothing is counted', async () => {
  let there = true;
  const over = sessionsOver([[...say('Fine.'), end()]]);
  const { model } = over;
  const { sessions, workspace } = sessionsOver([], {
    model: () => {
      if (!there) throw new FaultError({ code: 'no-key', what: 'There is no key for it.' });
      return model;
    },
  });
  const session = await sessions.create({ workspaceID: workspace.id });
  await expect(session.summarize(unstopped())).rejects.toMatchObject({
    fault: { code: 'nothing-to-sum-up' },
  });
  await session.prompt('Hello');
  await session.rested();
  there = false;
  const { nextSeq } = session.state;
  await expect(session.summarize(unstopped())).rejects.toMatchObject({ fault: { code: 'no-key' } });
  expect(session.state.nextSeq).toBe(nextSeq);
});

test.each(['the person', 'closing'])('%s ends it', async (by) => {
  const { session, sessions } = await worked(thenHang(say('# Chan')));
  const stop = new AbortController();
  let writing: Promise<string | undefined> | undefined;
  await new Promise<void>((begun) => {
    writing = session.summarize(stop.signal, () => begun());
  });
  if (by === 'closing') await sessions.close(session.id);
  else stop.abort();
  expect(await writing).toBeUndefined();
});
