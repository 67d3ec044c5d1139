import { expect, test } from 'vitest';
import { call, finish, say } from '../../test/support/parts-model.ts';
import { harness, next } from '../../test/support/session-harness.ts';
import { golden } from '../../test/support/golden.ts';
import { planTools } from '../tools/plan/tools.ts';

const tools = planTools({ planner: 'plan', builder: 'build', folder: '.opencode/plans' });
const answer = [...say('Yes.'), finish()];

test('whom prompts go to is chosen, and remembered with the session', async () => {
  const { session, sessions, events } = await harness([answer, answer], { tools });
  await session.chooseAgent('plan');
  await session.chooseAgent('plan');
  await session.prompt('One');
  await session.rested();
  expect(session.mode).toBe('plan');
  await sessions.close(session.id);
  const again = await sessions.open(session.id);
  expect(again.state.agent).toBe('plan');
  await again.prompt('Two');
  await again.rested();
  expect([...again.state.messages.values()].map(({ agent }) => agent)).toEqual(Array(4).fill('plan'));
  expect(events.filter(({ type }) => type === 'agent.chosen')).toHaveLength(1);
});

test.each(['general', 'title', 'nobody'])('%s is not for prompts', async (name) => {
  const { session } = await harness([]);
  await expect(session.chooseAgent(name)).rejects.toMatchObject({ fault: { code: 'agent-unknown' } });
});

test('the plan mode and the planning agent go together', async () => {
  const { session } = await harness([]);
  await session.setMode('plan');
  expect(session.state.agent).toBe('plan');
  await session.chooseAgent('build');
  expect(session.mode).toBe('ask');
  expect(session.state.mode).toBeUndefined();
  await session.setMode('auto-edit');
  await session.chooseAgent('plan');
  expect(session.mode).toBe('plan');
  await session.setMode('bypass');
  expect(session.state.agent).toBeNull();
  expect(session.mode).toBe('bypass');
});

test('the plan is approved: the turn goes on with the building agent, which stays', async () => {
  const { session, events, model } = await harness(
    [
      [...call('c1', 'plan_exit', {}), finish('tool-calls')],
      [...say('Built.'), finish()],
    ],
    { tools, questionAnswerer: async () => [['Yes']] },
  );
  await session.setMode('plan');
  await session.prompt('Plan it');
  expect(await session.rested()).toBe('idle');
  expect(lines(golden(events))).toMatchInlineSnapshot(`
    [
      "mode.set {"mode":"plan"}",
      "prompt.accepted {"messageID":"msg_1","parentID":null,"text":"Plan it","agent":"plan","model":{"provider":"test","model":"parts"}}",
      "turn.started {"promptID":"msg_1"}",
      "question.asked {"messageID":"msg_2","callID":"c1","tool":"plan_exit","requestID":"req_1","questions":[{"question":"No plan was saved to a file. Carry out what was discussed here?","options":[{"label":"Yes","description":"The building agent takes over and carries it out"},{"label":"No","description":"The turn ends here; nothing is changed"}],"multiple":false,"custom":false}]}",
      "question.answered {"messageID":"msg_2","callID":"c1","requestID":"req_1","answers":[["Yes"]],"by":"automation"}",
      "prompt.accepted {"messageID":"msg_3","parentID":"msg_2","text":"The plan has been approved. You can change files now: carry it out.","agent":"build","model":{"provider":"test","model":"parts"},"origin":{"kind":"agent-switched","agent":"build"}}",
      "call.ended {"messageID":"msg_2","callID":"c1","outcome":"ok","output":"The user approved the plan. The building agent takes over.","title":"Plan approved","metadata":{"truncated":false}}",
      "turn.ended {"status":"idle"}",
    ]
  `);
  expect(model.requests[0]?.system).toContain('planning agent');
  expect(model.requests[1]?.system).not.toContain('planning agent');
  expect(session.mode).toBe('ask');
  expect(session.state.agent).toBe('build');
});

test('not approved, the turn ends and the planning agent stays', async () => {
  const { session } = await harness([[...call('c1', 'plan-exit', {}), finish('tool-calls')]], { tools });
  await session.chooseAgent('plan');
  const asked = next(session, 'question.asked');
  await session.prompt('Plan it');
  const { requestID } = await asked;
  session.answerQuestion(requestID, [['No']], 'person');
  expect(await session.rested()).toBe('rejected');
  expect(session.mode).toBe('plan');
});

test('to plan first is agreed, and the mode from before comes back after', async () => {
  const { session, events } = await harness(
    [
      [...call('c1', 'plan_enter', {}), finish('tool-calls')],
      [...call('c2', 'plan_exit', {}), finish('tool-calls')],
      answer,
    ],
    { tools, questionAnswerer: async () => [['Yes']] },
  );
  await session.setMode('auto-edit');
  await session.prompt('Large work');
  expect(await session.rested()).toBe('idle');
  const steps = events.flatMap((event) => (event.type === 'step.started' ? event.agent : []));
  expect(steps).toEqual(['build', 'plan', 'build']);
  expect(session.mode).toBe('auto-edit');
});

function lines(all: readonly string[]): string[] {
  return all.filter((line) => /^(agent|call\.ended|mode|prompt|question|turn)/.test(line));
}
