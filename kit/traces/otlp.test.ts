import { expect, test } from 'vitest';
import { call, finish, say } from '../../test/support/parts-model.ts';
import { finished, recordFrom } from '../../test/support/recordings.ts';
import { recordingText } from '../../src/session/recording/record.ts';
import { tracesOf, type Span } from './otlp.ts';

async function spansOf(steps?: Parameters<typeof finished>[0]): Promise<readonly Span[]> {
  const { store, session } = await finished(steps);
  const text = await recordingText(await recordFrom(store, session.id));
  expect(JSON.stringify(tracesOf(text))).toBe(JSON.stringify(tracesOf(text)));
  return tracesOf(text).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

const factsOf = (span: Span | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));

test('a turn has a span with those of its requests and calls below it', async () => {
  const spans = await spansOf();
  expect(spans.map(({ name }) => name)).toEqual([
    'invoke_agent build',
    'chat parts',
    'execute_tool read',
    'chat parts',
    'execute_tool edit',
    'chat parts',
  ]);
  const [turn, step, read] = spans;
  expect(turn?.parentSpanId).toBeUndefined();
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[\da-f]{32}$/);
    expect(span.spanId).toMatch(/^[\da-f]{16}$/);
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    expect(span.status).toEqual({ code: 1 });
    if (span !== turn) expect(span.parentSpanId).toBe(turn?.spanId);
  }
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  expect(factsOf(turn)).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'build',
    'gen_ai.request.model': 'parts',
  });
  expect(step).toMatchObject({ kind: 3 });
  expect(factsOf(read)).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'read',
    'gen_ai.tool.call.id': 'c1',
  });
});

test('what went wrong is an error, and no text of the session is in the trace', async () => {
  const spans = await spansOf([
    [...say('A secret thought.'), ...call('c1', 'read', { filePath: 'nowhere.txt' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  const read = spans.find(({ name }) => name === 'execute_tool read');
  expect(read?.status).toEqual({ code: 2, message: 'failed' });
  expect(factsOf(read)).toMatchObject({ 'error.type': 'failed' });
  expect(JSON.stringify(spans)).not.toMatch(/secret thought|nowhere\.txt|Fix add/);
});

test('a sub-agent hangs below the call that started it, and what was open ends with the recording', () => {
  const call = { messageID: 'm1', callID: 'c1' };
  const own = [
    { at: 0, type: 'turn.started' },
    { at: 1, type: 'call.running', ...call, tool: 'task' },
    { at: 2, type: 'task.started', ...call, childID: 'ses_b' },
    { at: 9, type: 'call.progress', ...call },
  ];
  const child = [
    { at: 3, type: 'turn.started' },
    { at: 8, type: 'turn.ended', status: 'idle' },
  ];
  const sessions = [
    { id: 'ses_a', events: own },
    { id: 'ses_b', events: child },
  ];
  const traces = tracesOf(
    JSON.stringify({ format: 'vitrine-recording', started: 1_000, title: '', sessions }),
  );
  const spans = traces.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  const [turn, task, below] = spans;
  expect(task?.parentSpanId).toBe(turn?.spanId);
  expect(below?.parentSpanId).toBe(task?.spanId);
  expect(turn?.endTimeUnixNano).toBe('1009000000');
  expect(below).toMatchObject({ startTimeUnixNano: '1003000000', endTimeUnixNano: '1008000000' });
});

test('what is no recording is refused', () => {
  expect(() => tracesOf('{}')).toThrow('This is not a recording of Vitrine.');
});
