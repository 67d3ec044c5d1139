import { expect, test } from 'vitest';
import { golden } from '../../../test/support/golden.ts';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { change, echo, harness, next } from '../../../test/support/session-harness.ts';
import { questionTool } from '../../tools/question/question.ts';
import type { QuestionAnswerer } from '../calls/questions.ts';
import { closingEvents } from '../log/recover.ts';
import { emptyState, reduce } from '../log/reduce.ts';

const tools = [questionTool, change, echo];
const colour = { question: 'Which colour?', options: ['Red', 'Blue'] };
const steps = [
  [...call('c1', 'question', colour), ...call('c2', 'change', { text: 'b' }), finish('tool-calls')],
  [...say('Good.'), finish()],
];
const alone = [
  [...call('c1', 'question', colour), finish('tool-calls')],
  [...say('Good.'), finish()],
];

test('answered: the call waits as pending, and its result is the answer', async () => {
  const { session, events, model } = await harness(alone, { tools });
  const asked = next(session, 'question.asked');
  await session.prompt('Paint');
  const { requestID } = await asked;
  expect([...session.state.parts.values()].find(({ type }) => type === 'tool')).toMatchObject({
    status: 'pending',
    waiting: requestID,
  });
  expect([...session.state.questions.keys()]).toEqual([requestID]);
  session.answerQuestion('req_unknown', [['Red']], 'person');
  session.answerQuestion(requestID, [['Red', 'Blue']], 'person');
  session.answerQuestion(requestID, [['Blue']], 'person');
  session.answerQuestion(requestID, [['Red']], 'person');
  expect(await session.rested()).toBe('idle');
  expect(calls(golden(events))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "question.asked {"messageID":"msg_2","callID":"c1","tool":"question","requestID":"req_1","questions":[{"question":"Which colour?","options":[{"label":"Red"},{"label":"Blue"}],"multiple":false,"custom":true}]}",
      "question.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","answers":[["Blue"]],"by":"person"}",
      "call.running {"messageID":"msg_2","callID":"c1","tool":"question","input":{"questions":[{"question":"Which colour?","options":[{"label":"Red"},{"label":"Blue"}],"multiple":false}]}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"The user answered:\\n- Which colour?: \\"Blue\\"","title":"1 question","metadata":{"answers":[["Blue"]],"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  expect(session.state.questions.size).toBe(0);
  expect(model.requests).toHaveLength(2);
});

test('dismissed: the turn ends, and whatever else waits is withdrawn', async () => {
  const { session, events, model } = await harness(steps, { tools });
  const asked = next(session, 'permission.asked');
  await session.prompt('Paint');
  await asked;
  const [id = ''] = session.state.questions.keys();
  session.answerQuestion(id, null, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(calls(golden(events)).filter((line) => !/asked/.test(line))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "question.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","answers":null,"by":"person"}",
      "permission.answered {"messageID":"msg_2","callID":"c2","requestID":"req_2","reply":{"reply":"reject"},"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"denied","output":"The user dismissed the question.","title":""}",
      "call.ended {"messageID":"msg_2","callID":"c2","outcome":"cancelled","output":"Cancelled: the user refused another call of this step.","title":""}",
      "turn.ended {"status":"rejected"}",
    ]
  `);
  expect(session.state.pending.size + session.state.questions.size).toBe(0);
  expect(model.requests).toHaveLength(1);
});

test('stopped while it waits', async () => {
  const { session, events } = await harness(alone, { tools });
  const asked = next(session, 'question.asked');
  await session.prompt('Paint');
  await asked;
  session.abort();
  expect(await session.rested()).toBe('aborted');
  expect(calls(golden(events)).filter((line) => !/asked/.test(line))).toMatchInlineSnapshot(`
    [
      "turn.started {"promptID":"msg_1"}",
      "question.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","answers":null,"by":"cancelled"}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"cancelled","output":"The user stopped the turn before this call ran.","title":"","metadata":{"interrupted":true}}",
      "turn.ended {"status":"aborted"}",
    ]
  `);
});

test('a call that is denied withdraws the question', async () => {
  const { session } = await harness(steps, { tools });
  const asked = next(session, 'permission.asked');
  await session.prompt('Paint');
  session.answer((await asked).requestID, { reply: 'reject' }, 'person');
  expect(await session.rested()).toBe('rejected');
  expect(session.state.questions.size).toBe(0);
});

test.each<[string, QuestionAnswerer, string]>([
  ['gives answers', async () => [['Blue']], 'idle'],
  ['dismisses', async () => null, 'rejected'],
  ['gives what cannot be an answer', async () => [['Red', 'Blue']], 'rejected'],
  [
    'throws',
    async () => {
      throw new Error('No idea.');
    },
    'rejected',
  ],
])('an answerer that %s', async (_, questionAnswerer, status) => {
  const { session, events } = await harness(alone, { tools, questionAnswerer });
  await session.prompt('Paint');
  expect(await session.rested()).toBe(status);
  expect(events.flatMap((event) => (event.type === 'question.answered' ? event.by : []))).toEqual([
    'automation',
  ]);
});

test('an answerer may leave it to the person', async () => {
  const { session } = await harness(alone, { tools, questionAnswerer: async () => undefined });
  const asked = next(session, 'question.asked');
  await session.prompt('Paint');
  session.answerQuestion((await asked).requestID, [['Green']], 'person');
  expect(await session.rested()).toBe('idle');
});

test('an answerer that comes while a question stands is asked it', async () => {
  let answerer: QuestionAnswerer = async () => undefined;
  const { session } = await harness(alone, { tools, questionAnswerer: (...asked) => answerer(...asked) });
  const asked = next(session, 'question.asked');
  await session.prompt('Paint');
  await asked;
  answerer = async () => [['Red']];
  session.answererChanged();
  expect(await session.rested()).toBe('idle');
});

test('a tab that died while it asked leaves nothing waiting', async () => {
  const { session, events } = await harness(alone, { tools });
  const asked = next(session, 'question.asked');
  await session.prompt('Paint');
  await asked;
  const state = reduce(events, emptyState(session.id));
  const closing = closingEvents(state, { status: 'interrupted', outcome: 'interrupted' });
  expect(closing.map(({ type }) => type)).toEqual([
    'question.answered',
    'call.ended',
    'step.ended',
    'turn.ended',
  ]);
});

/** Lines about calls, questions and turns only. */
function calls(lines: readonly string[]): string[] {
  return lines.filter((line) => /^(call|permission|question|turn)/.test(line));
}
