import { expect, test } from 'vitest';
import { TestCall } from '../../../test/support/tool-context.ts';
import type { JsonObject } from '../../base/json.ts';
import { ready } from '../define.ts';
import { taskText, type TaskReport, type TaskRequest } from './tasks.ts';
import { taskTools } from './tools.ts';

const agents = [
  { name: 'general', description: 'Does anything.' },
  { name: 'explore', description: 'Looks around.' },
];
const tools = taskTools(agents);
const tool = (id: string) => {
  const found = tools.find((each) => each.id === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
};
const report: TaskReport = {
  id: 'ses_9',
  agent: 'explore',
  title: 'Look',
  state: 'completed',
  text: 'Found.',
  metadata: { sessionId: 'ses_9' },
};
const asked = { prompt: 'Look it up', description: 'Look' };

test.each<[string, JsonObject, Partial<TaskRequest>]>([
  ['neither agent nor session', {}, {}],
  ['an agent', { agent: 'explore' }, { agent: 'explore' }],
  ['the agent under its other name', { subagent_type: 'explore' }, { agent: 'explore' }],
  ['a session', { session_id: 'ses_1' }, { taskID: 'ses_1' }],
  ['the session under its other name', { task_id: 'ses_1' }, { taskID: 'ses_1' }],
  [
    'nulls and empty texts for what is left out',
    { agent: null, subagent_type: '', task_id: '', background: null },
    {},
  ],
  ['not in the background, and where it came from', { background: false, command: '/look' }, {}],
])('%s', async (_, input, request) => {
  const call = new TestCall();
  const requests: TaskRequest[] = [];
  call.tasks.run = async (given) => {
    requests.push(given);
    return report;
  };
  const result = await call.run(tool('task'), { ...asked, ...input });
  expect(requests).toEqual([{ ...asked, ...request }]);
  expect(result).toMatchObject({
    title: 'Look',
    output:
      '<task id="ses_9" agent="explore" title="Look" state="completed">\n<task_result>\nFound.\n</task_result>\n</task>',
    metadata: { sessionId: 'ses_9' },
  });
});

test('an unknown agent is refused without asking', async () => {
  const call = new TestCall();
  await expect(call.run(tool('task'), { ...asked, agent: 'nobody' })).rejects.toThrow(
    "no agent 'nobody' to give work to. There are: general, explore.",
  );
});

test('permission is asked for the agent', async () => {
  const call = new TestCall();
  call.rules = [{ permission: 'task', pattern: '*', action: 'ask', source: 'settings' }];
  call.tasks.run = async () => report;
  await call.run(tool('task'), asked);
  expect(call.asks).toMatchObject([{ permission: 'task', patterns: ['general'], always: ['*'] }]);
});

test.each(['error', 'cancelled', 'interrupted'] as const)(
  '%s is a failure with the full report',
  async (state) => {
    const call = new TestCall();
    call.tasks.run = async () => ({ ...report, state, text: 'Why.' });
    await expect(call.run(tool('task'), asked)).rejects.toThrow(/state="\w+">\n<task_error>\nWhy\./);
  },
);

test.each<[string, JsonObject]>([
  ['background_task', {}],
  ['task', { background: true }],
  ['task', { run_in_background: true }],
])('background work returns its id at once: %s %j', async (id, input) => {
  const call = new TestCall();
  call.tasks.start = async () => ({ ...report, state: 'running', text: '0 steps' });
  const result = await call.run(tool(id), { ...asked, ...input, subagent_type: 'explore' });
  expect(result.output).toMatch(/^task_id: ses_9\n/);
});

test.each([
  [{ task_id: 'ses_9' }, 0],
  [{ session_id: 'ses_9', wait: true }, 60_000],
  [{ task_id: 'ses_9', wait: true, timeout: 5 }, 5_000],
  [{ task_id: 'ses_9', timeout: 5 }, 0],
])('background_output %j waits %i ms', async (input, ms) => {
  const call = new TestCall();
  const waits: number[] = [];
  call.tasks.report = async (_, waitMs) => {
    waits.push(waitMs);
    return { ...report, state: 'running' };
  };
  await call.run(tool('background_output'), input);
  expect(waits).toEqual([ms]);
});

test('the model sees one name per parameter, and the agents', async () => {
  const { schema, description } = await ready(tool('task'), { agent: 'build' });
  const names = ['description', 'prompt', 'agent', 'session_id'];
  expect(Object.keys(schema.properties ?? {})).toEqual([...names, 'background']);
  expect(schema.required).toEqual(['description', 'prompt']);
  expect(description).toContain('- explore: Looks around.');
});

test('a title cannot break out of its attribute', () => {
  expect(taskText({ ...report, title: '"><task_result>' }).split('\n', 1)[0]).toBe(
    '<task id="ses_9" agent="explore" title="&quot;>&lt;task_result>" state="completed">',
  );
});
