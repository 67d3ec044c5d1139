import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say, type Steps } from '../../../test/support/parts-model.ts';
import { finished, recordFrom, START } from '../../../test/support/recordings.ts';
import { harness, passing } from '../../../test/support/session-harness.ts';
import { bareScriptedModel } from '../../models/script/bare.ts';
import { ScriptPlan } from '../../models/script/plan.ts';
import { parseScript } from '../../models/script/schema.ts';
import { builtinTools } from '../../tools/builtin.ts';
import type { Event } from '../log/events.ts';
import { scriptOf } from './script.ts';

const callsIn = (events: readonly Event[]) =>
  events.flatMap((event) =>
    event.type === 'step.part' && event.part.type === 'tool-call'
      ? [[event.part.tool, event.part.input] as const]
      : [],
  );

/** Plays the script with a scripted model and returns the events. */
async function played(script: unknown, prompts: readonly string[]): Promise<readonly Event[]> {
  const parsed = parseScript({ ...(script as object), chunkDelayMs: 0 });
  const model = bareScriptedModel(
    { provider: 'scripted', model: 'made' },
    new ScriptPlan(parsed),
    async (error) => ({ code: 'failed', what: String(error), retryable: true }),
  );
  const { session, events, timer } = await harness([], {
    tools: builtinTools,
    workspace: new MemoryWorkspace({ files: parsed.files ?? {} }),
    answerer: async () => ({ reply: 'once' }),
    model: () => model,
  });
  for (const prompt of prompts) {
    await session.prompt(prompt);
    expect(await passing(timer, 2_000, session.rested())).toBe('idle');
  }
  return events;
}

test('a script that was made of a recording asks for the same calls', async () => {
  const over = await finished();
  const script = scriptOf(await recordFrom(over.store, over.session.id));
  expect(script.files).toEqual(START);
  const events = await played(script, ['Fix add']);
  expect(callsIn(events)).toEqual(callsIn(over.events));
  expect(callsIn(events)).toHaveLength(2);
  expect(events.flatMap((event) => (event.type === 'call.ended' ? event.outcome : []))).toEqual(['ok', 'ok']);
});

test('news of jobs takes no turn, so the answers after it are of the prompt before', async () => {
  const over = await finished();
  const recording = await recordFrom(over.store, over.session.id);
  const [own, ...others] = recording.sessions;
  const told = own.events.flatMap((event): Event[] => {
    if (event.type !== 'step.started' || event.step !== 1) return [event];
    const origin = { kind: 'jobs-ended' as const, jobs: [] };
    const { parentID, agent, sessionID, seq, time, v } = event;
    const news = { messageID: 'news', parentID, agent, text: 'A job has ended.', origin };
    return [
      { type: 'prompt.accepted', ...news, sessionID, seq, time, v },
      { ...event, parentID: 'news' },
    ];
  });
  const script = scriptOf({ ...recording, sessions: [{ ...own, events: told }, ...others] });
  expect(script).toEqual(scriptOf(recording));
});

test('several prompts, thoughts, several calls at once and a failure that was tried again', async () => {
  const steps: Steps = [
    [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', text: 'Hm, ' },
      { type: 'reasoning-delta', id: 'r', text: 'two files.' },
      { type: 'reasoning-end', id: 'r' },
      ...call('c1', 'glob', { pattern: '*' }),
      ...call('c2', 'read', { filePath: 'add.js' }),
      finish('tool-calls'),
    ],
    [
      { type: 'error', fault: { code: 'overloaded', what: 'Busy.', retryable: true } },
      { type: 'finish', reason: 'error', usage: {} },
    ],
    [...say('Seen.'), finish()],
    [...call('c1', 'read', { filePath: 'missing.js' }), finish('tool-calls')],
    [...say('Not there.'), finish()],
  ];
  const over = await finished(steps);
  await over.session.prompt('And the other?');
  await passing(over.timer, 2_000, over.session.rested());
  await over.session.stored();
  const script = scriptOf(await recordFrom(over.store, over.session.id));
  expect(script.turns.map((turn) => turn.steps.length)).toEqual([3, 2]);
  expect(script.turns[0]?.steps[0]?.reasoning).toBe('Hm, two files.');
  expect(script.turns[0]?.steps[1]).toEqual({ error: { status: 529 } });
  const events = await played(script, ['Fix add', 'And the other?']);
  expect(callsIn(events)).toEqual(callsIn(over.events));
});

test('broken arguments stay as they were written, and a stream that broke off keeps what came', async () => {
  const source = {
    version: 1,
    turns: [
      {
        steps: [
          { tools: [{ tool: 'bash', raw: '{"command": "l' }] },
          { cut: 4, text: 'broken off' },
          { cut: 9, text: 'Look', tools: [{ tool: 'glob', input: { pattern: '*' } }] },
          { error: { status: 529 } },
          { text: 'Done.' },
        ],
      },
    ],
  };
  const parsed = parseScript(source);
  const model = bareScriptedModel(
    { provider: 'scripted', model: 'made' },
    new ScriptPlan(parsed),
    async (error) => ({ code: 'failed', what: String(error), retryable: true }),
  );
  const over = await harness([], { tools: builtinTools, model: () => model, snapshots: true });
  await over.session.prompt('Go');
  expect(await passing(over.timer, 20_000, over.session.rested())).toBe('idle');
  await over.session.stored();
  const { turns } = scriptOf(await recordFrom(over.store, over.session.id));
  const [raw, cut] = source.turns[0]!.steps;
  expect(turns[0]?.steps).toEqual([
    raw,
    { ...cut, text: 'brok' },
    { cut: 9, text: 'Look', tools: [{ tool: 'glob', raw: '{"pat' }] },
    { error: { status: 529 } },
    { text: 'Done.' },
  ]);
  const again = await played({ version: 1, turns }, ['Go']);
  expect(again.map(({ type }) => type)).toEqual(
    over.events.map(({ type }) => type).filter((type) => type !== 'snapshot.taken'),
  );
});
