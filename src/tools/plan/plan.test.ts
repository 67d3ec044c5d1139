import { expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import { ROOT } from '../../base/places.ts';
import { ToolRegistry } from '../registry.ts';
import { planTools } from './tools.ts';

const planning = { planner: 'plan', builder: 'build', folder: '.opencode/plans' };
const tools = planTools(planning);
const [enter, exit] = tools;
if (!enter || !exit) throw new Error('Two tools.');

test('each is offered to the agent that can use it', async () => {
  const registry = new ToolRegistry(tools);
  const ids = async (agent: string) =>
    (await registry.tools({ provider: 'p', model: 'm' }, agent)).map(({ id }) => id);
  expect(await ids('build')).toEqual(['plan_enter']);
  expect(await ids('plan')).toEqual(['plan_exit']);
  expect(await ids('general')).toEqual([]);
});

test('with yes, the planning agent continues', async () => {
  const call = new TestCall();
  call.answers = [['Yes']];
  await call.run(enter, {});
  expect(call.questions).toMatchObject([
    { options: [{ label: 'Yes' }, { label: 'No' }], multiple: false, custom: false },
  ]);
  expect(call.handedOver).toMatchObject([{ agent: 'plan' }]);
});

test('the newest plan is named in the question and to the agent that carries it out', async () => {
  const call = new TestCall({ files: { '.opencode/plans/old.md': 'Old.', '.opencode/plans/notes.txt': '' } });
  await call.workspace.files.write(`${ROOT}/.opencode/plans/new.md`, new TextEncoder().encode('New.'));
  call.answers = [['Yes']];
  const result = await call.run(exit, {});
  expect(call.questions[0]?.question).toContain('.opencode/plans/new.md');
  expect(call.handedOver).toMatchObject([{ agent: 'build' }]);
  expect(call.handedOver[0]?.text).toContain('.opencode/plans/new.md');
  expect(result.metadata).toMatchObject({ plan: '.opencode/plans/new.md' });
});

test.each([[['No']], [[]]])('any other answer (%j) dismisses the question', async (answer) => {
  for (const tool of tools) {
    const call = new TestCall();
    call.answers = [answer];
    await expect(call.run(tool, {})).rejects.toMatchObject({ name: 'QuestionDismissed' });
    expect(call.handedOver).toEqual([]);
  }
});
