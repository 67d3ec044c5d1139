import { expect, test } from 'vitest';
import { withResolvers } from '../base/with-resolvers.ts';
import { browserTools, isModelContext, type BrowserToolsDeps } from './browser-tools.ts';

function toolsWith(own: Partial<BrowserToolsDeps['automation']> = {}, shown: string | undefined = 'ses_1') {
  const missing = () => Promise.reject(new Error('The test gives no such part.'));
  const automation = {
    prompt: missing,
    abort: missing,
    sessions: { list: missing },
    tools: { call: missing },
    workspace: { changes: missing },
    ...own,
  };
  const tools = browserTools({
    automation,
    shown: () => shown,
    transcript: async (id) => `# The conversation of ${id}`,
  });
  return (name: string) => {
    const found = tools.find((tool) => tool.name === name);
    if (!found) throw new Error(`There is no tool ${name}.`);
    return found;
  };
}

test('the agent is asked, and its answer comes back with how it ended', async () => {
  const asked: unknown[] = [];
  const tool = toolsWith({
    prompt: async (...given) => {
      asked.push(given);
      return { sessionID: 'ses_2', status: 'idle' };
    },
  })('vitrine_ask_agent');
  expect(await tool.execute({ text: 'Hello', agent: 'plan' })).toEqual({
    ...{ sessionID: 'ses_2', status: 'idle', conversation: '# The conversation of ses_2' },
  });
  expect(asked).toEqual([['Hello', { agent: 'plan' }]]);
});

test('a browser that stops waiting stops the agent', async () => {
  const stopped = withResolvers<{ sessionID: string; status: 'aborted' }>();
  const tool = toolsWith({
    prompt: () => stopped.promise,
    abort: async () => stopped.resolve({ sessionID: 'ses_1', status: 'aborted' }),
  })('vitrine_ask_agent');
  const waiting = new AbortController();
  const result = tool.execute({ text: 'Hello' }, { signal: waiting.signal });
  waiting.abort();
  expect(await result).toMatchObject({ status: 'aborted' });
});

test('a browser that has stopped waiting already asks nothing', async () => {
  const tool = toolsWith()('vitrine_ask_agent');
  const options = { signal: AbortSignal.abort(new Error('No longer wanted.')) };
  await expect(tool.execute({ text: 'Hello' }, options)).rejects.toThrow('No longer wanted.');
});

test.each([[{}], [{ text: '' }], [{ text: 'x', provider: 'openai' }], ['x'], [null]])(
  'an input that is not valid is refused: %j',
  async (input) => {
    await expect(toolsWith()('vitrine_ask_agent').execute(input)).rejects.toThrow('The input');
  },
);

test('a file is read by a call under the rules of the agent', async () => {
  const calls: unknown[] = [];
  const tools: BrowserToolsDeps['automation']['tools'] = {
    call: async (...given) => {
      calls.push(given);
      return { outcome: 'denied', output: 'No.', title: '', metadata: {} };
    },
  };
  const tool = toolsWith({ tools })('vitrine_read_file');
  expect(await tool.execute({ path: '.env' })).toEqual({ outcome: 'denied', output: 'No.' });
  expect(calls).toEqual([['read', { filePath: '.env' }]]);
});

test('the session on the page is read unless another one is named', async () => {
  const tool = toolsWith()('vitrine_read_session');
  expect(await tool.execute({})).toBe('# The conversation of ses_1');
  expect(await tool.execute({ sessionID: 'ses_9' })).toBe('# The conversation of ses_9');
  await expect(toolsWith({}, '')('vitrine_read_session').execute({ id: 1 })).rejects.toThrow('The input');
});

test('what is no model context is offered nothing', () => {
  expect([undefined, null, 'x', {}, { registerTool: async () => {} }].map(isModelContext)).toEqual([
    ...[false, false, false, false, true],
  ]);
});
