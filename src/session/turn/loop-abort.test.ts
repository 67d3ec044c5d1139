import { expect, test } from 'vitest';
import { MemoryWorkspace } from '../../../test/support/memory-workspace.ts';
import { call, finish, say, thenHang, type PartsStep } from '../../../test/support/parts-model.ts';
import { golden } from '../../../test/support/golden.ts';
import { harness, next, testTools, type HarnessOptions } from '../../../test/support/session-harness.ts';
import { batchTool } from '../../tools/batch/tool.ts';
import { builtinTools } from '../../tools/builtin.ts';
import { questionTool } from '../../tools/question/question.ts';
import type { EventBody } from '../log/events.ts';
import type { Session } from '../session.ts';

interface Phase {
  readonly steps: readonly PartsStep[];
  readonly options?: HarnessOptions;
  /** Resolves when the turn is in this phase. */
  readonly reached: (session: Session) => Promise<unknown>;
  /** How calls ended, keyed by id. */
  readonly outcomes: Readonly<Record<string, string>>;
}

const flags = new Set(['experimental.batch_tool']);
const overloaded = {
  type: 'error',
  fault: { code: 'overloaded', what: 'Overloaded.', retryable: true, retryAfterMs: 5_000 },
} as const;
const tooLong: PartsStep = [
  { type: 'error', fault: { code: 'context-overflow', what: 'Too long.', retryable: false } },
  { type: 'finish', reason: 'error', usage: {} },
];
/** The answer is too long to stay beside a summary. */
const long: PartsStep = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', text: 'long '.repeat(8_000) },
  { type: 'text-end', id: 't' },
  { type: 'finish', reason: 'stop', usage: {} },
];
const part = (session: Session, type: string) =>
  next(session, 'step.part', (event) => event.part.type === type);

const phases: Readonly<Record<string, Phase>> = {
  'before the model says anything': {
    steps: [thenHang([])],
    reached: (session) => next(session, 'step.sent'),
    outcomes: {},
  },
  'while the model thinks': {
    steps: [
      thenHang([
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', text: 'Hm.' },
      ]),
    ],
    reached: (session) => part(session, 'reasoning-delta'),
    outcomes: {},
  },
  'while the model streams text': {
    steps: [thenHang([...say('I will').slice(0, 3)])],
    reached: (session) => part(session, 'text-delta'),
    outcomes: {},
  },
  'while the model streams arguments': {
    steps: [thenHang([...call('c1', 'echo', {}), ...call('c2', 'echo', { text: 'a' }).slice(0, 2)])],
    reached: (session) =>
      next(session, 'step.part', (event) => 'delta' in event.part && event.part.callID === 'c2'),
    outcomes: { c1: 'cancelled', c2: 'cancelled' },
  },
  'while a permission is waited for': {
    steps: [[...call('c1', 'change', { text: 'a' }), ...call('c2', 'echo', {}), finish('tool-calls')]],
    reached: (session) =>
      Promise.all([
        next(session, 'permission.asked'),
        next(session, 'call.ended', ({ callID }) => callID === 'c2'),
      ]),
    outcomes: { c1: 'cancelled', c2: 'ok' },
  },
  'while a question is waited for': {
    steps: [[...call('c1', 'question', { question: 'Which?' }), finish('tool-calls')]],
    options: { tools: [questionTool] },
    reached: (session) => next(session, 'question.asked'),
    outcomes: { c1: 'cancelled' },
  },
  'while a tool runs': {
    steps: [[...call('c1', 'endless', {}), finish('tool-calls')]],
    options: { settings: { change: 'allow' } },
    reached: (session) => next(session, 'call.running'),
    outcomes: { c1: 'cancelled' },
  },
  'while a tool waits for a file that another call holds': {
    steps: [
      [
        ...call('c1', 'write', { filePath: 'a.txt', content: 'a' }),
        ...call('c2', 'write', { filePath: 'a.txt', content: 'b' }),
        ...call('c3', 'echo', {}),
        finish('tool-calls'),
      ],
    ],
    options: { tools: [...testTools, ...builtinTools] },
    // The third call starts once the second one waits.
    reached: (session) => next(session, 'call.ended', ({ callID }) => callID === 'c3'),
    outcomes: { c1: 'cancelled', c2: 'cancelled', c3: 'ok' },
  },
  'between two steps': {
    steps: [
      [...call('c1', 'echo', {}), finish('tool-calls')],
      [...say('Never said.'), finish()],
    ],
    reached: (session) => next(session, 'step.ended'),
    outcomes: { c1: 'ok' },
  },
  'while a retry is waited for': {
    steps: [[overloaded, finish('error')]],
    reached: (session) => next(session, 'step.waiting'),
    outcomes: {},
  },
  'during a batch': {
    steps: [
      [
        ...call('c1', 'batch', {
          tools: [
            { tool: 'endless', args: {} },
            { tool: 'change', args: { text: 'b' } },
            { tool: 'echo', args: {} },
          ],
        }),
        finish('tool-calls'),
      ],
    ],
    options: {
      tools: [...testTools, batchTool],
      flags,
      settings: { change: { '*': 'ask', nothing: 'allow' } },
    },
    reached: (session) =>
      Promise.all([
        next(session, 'permission.asked'),
        next(session, 'call.running', ({ callID }) => callID === 'c1.1'),
        next(session, 'call.ended', ({ callID }) => callID === 'c1.3'),
      ]),
    outcomes: { c1: 'cancelled', 'c1.1': 'cancelled', 'c1.2': 'cancelled', 'c1.3': 'ok' },
  },
  'during an atomic batch': {
    steps: [
      [
        ...call('c1', 'batch', {
          atomic: true,
          tools: [
            { tool: 'write', args: { filePath: 'new.txt', content: 'x' } },
            { tool: 'endless', args: {} },
          ],
        }),
        finish('tool-calls'),
      ],
    ],
    options: {
      tools: [...testTools, ...builtinTools],
      flags,
      settings: { change: 'allow', edit: 'allow' },
      workspace: new MemoryWorkspace(),
    },
    reached: (session) =>
      Promise.all([
        next(session, 'call.running', ({ callID }) => callID === 'c1.2'),
        next(session, 'call.ended', ({ callID }) => callID === 'c1.1'),
      ]),
    outcomes: { c1: 'cancelled', 'c1.1': 'ok', 'c1.2': 'cancelled' },
  },
  'during compaction': {
    steps: [long, tooLong, thenHang(say('They said'))],
    reached: (session) => part(session, 'text-delta'),
    outcomes: {},
  },
};

test.each(Object.entries(phases))('stop %s', async (name, { steps, options, reached, outcomes }) => {
  const { session, events } = await harness(steps, options);
  if (name === 'during compaction') {
    await session.prompt('First');
    await session.rested();
  }
  let stopped = NaN;
  const there = reached(session).then(() => {
    stopped = performance.now();
    session.abort();
  });
  await session.prompt('Go');
  await there;
  expect(await session.rested()).toBe('aborted');
  expect(performance.now() - stopped).toBeLessThan(100);

  const ended = events.flatMap((event) =>
    event.type === 'call.ended' ? [[event.callID, event.outcome]] : [],
  );
  expect(ended).toHaveLength(Object.keys(outcomes).length);
  expect(Object.fromEntries(ended)).toEqual(outcomes);
  const { state } = session;
  for (const each of state.parts.values()) expect(each.ended, each.key).toBeDefined();
  for (const message of state.messages.values()) expect(message.ended, message.id).toBeDefined();
  expect([state.turn, state.pending.size, state.questions.size, state.retry]).toEqual([
    null,
    0,
    0,
    undefined,
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'turn.ended', status: 'aborted' });
  // The beginning of each line is enough.
  expect(golden(events).map((line) => line.slice(0, 400))).toMatchSnapshot();
  const answers: readonly EventBody['type'][] = ['permission.answered', 'question.answered'];
  const withdrawn = events.filter(({ type }) => answers.includes(type));
  for (const answer of withdrawn) expect(answer).toMatchObject({ by: 'cancelled' });
});
