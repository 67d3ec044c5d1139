import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../session/request/model.ts';
import { streamPartSchema, type StreamPart } from '../session/log/parts.ts';
import { sdkModel } from './call.ts';
import { modelFault } from './faults.ts';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from './types.ts';

/** Pins the sequences that an upgrade of the SDK must not change. */

const NO_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
const finish = (
  unified: 'stop' | 'tool-calls' | 'length' | 'interrupted' = 'stop',
): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: NO_USAGE,
});
const start: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] };

type Ending = 'close' | 'open' | Error;

function languageModel(
  parts: readonly LanguageModelV4StreamPart[],
  ending: Ending = 'close',
  seen: (options: LanguageModelV4CallOptions) => void = () => {},
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('only streams');
    },
    doStream: async (options) => {
      seen(options);
      const left = [...parts];
      return {
        stream: new ReadableStream({
          pull(controller) {
            const part = left.shift();
            if (part) controller.enqueue(part);
            else if (ending === 'close') controller.close();
            else if (ending !== 'open') controller.error(ending);
          },
        }),
      };
    },
  };
}

const BASH = {
  name: 'bash',
  description: 'runs',
  schema: { type: 'object', properties: { command: { type: 'string' } } },
};

function request(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'You help.',
    messages: [{ role: 'user', content: 'hello' }],
    tools: [BASH],
    settings: {},
    signal: new AbortController().signal,
    onBody: () => {},
    ...over,
  };
}

function modelOf(load: () => Promise<LanguageModelV4> | LanguageModelV4) {
  const network = {
    origin: undefined,
    online: () => true,
    localAccessDenied: async () => false,
    reachable: async () => undefined,
  };
  const context = {
    provider: 'openai-compatible',
    model: 'test',
    baseURL: 'http://127.0.0.1:1/v1',
    network,
    redact: (text: string) => text.replaceAll('sk-secret', '[redacted key]'),
  } as const;
  return sdkModel(
    { provider: 'openai-compatible', model: 'test' },
    {
      load: async () => ({ model: await load() }),
      fault: (error, signal) => modelFault(error, context, signal),
    },
  );
}

async function collect(parts: AsyncIterable<StreamPart>): Promise<StreamPart[]> {
  const collected: StreamPart[] = [];
  for await (const part of parts) {
    expect(streamPartSchema.parse(part)).toEqual(part);
    expect(JSON.parse(JSON.stringify(part))).toEqual(part);
    collected.push(part);
  }
  return collected;
}

const run = (
  parts: readonly LanguageModelV4StreamPart[],
  ending: Ending = 'close',
  over: Partial<ModelRequest> = {},
) => collect(modelOf(() => languageModel(parts, ending)).stream(request(over)));

describe('output of a model', () => {
  test('text and reasoning, with what the provider wants back', async () => {
    const parts = await run([
      start,
      { type: 'response-metadata', id: 'r1', modelId: 'test-1', timestamp: new Date(0) },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm' },
      {
        type: 'reasoning-delta',
        id: '0',
        delta: '',
        providerMetadata: { anthropic: { signature: 'signed' } },
      },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hi', providerMetadata: { google: { thoughtSignature: 'abc' } } },
      { type: 'text-delta', id: '1', delta: ' there' },
      { type: 'text-end', id: '1' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'end_turn' },
        usage: {
          inputTokens: { total: 125, noCache: 100, cacheRead: 20, cacheWrite: 5 },
          outputTokens: { total: 12, text: 8, reasoning: 4 },
        },
        providerMetadata: { anthropic: { stopSequence: null } },
      },
    ]);
    expect(parts).toEqual([
      { type: 'start', warnings: [] },
      { type: 'response', id: 'r1', modelID: 'test-1' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', text: 'Hm' },
      {
        type: 'reasoning-delta',
        id: '0',
        text: '',
        providerMetadata: { anthropic: { signature: 'signed' } },
      },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', text: 'Hi' },
      { type: 'text-delta', id: '1', text: ' there' },
      { type: 'text-end', id: '1', providerMetadata: { google: { thoughtSignature: 'abc' } } },
      {
        type: 'finish',
        reason: 'stop',
        rawReason: 'end_turn',
        usage: {
          inputTokens: 125,
          outputTokens: 12,
          reasoningTokens: 4,
          cacheReadTokens: 20,
          cacheWriteTokens: 5,
        },
        providerMetadata: { anthropic: { stopSequence: null } },
      },
    ]);
  });

  test('parallel calls, one after the other', async () => {
    const parts = await run([
      start,
      { type: 'tool-input-start', id: 'a', toolName: 'bash' },
      { type: 'tool-input-delta', id: 'a', delta: '{"command":' },
      { type: 'tool-input-delta', id: 'a', delta: '"ls"}' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: '{"command":"ls"}' },
      {
        type: 'tool-call',
        toolCallId: 'b',
        toolName: 'bash',
        input: '',
        providerMetadata: { google: { thoughtSignature: 's' } },
      },
      finish('tool-calls'),
    ]);
    expect(parts).toEqual([
      { type: 'start', warnings: [] },
      { type: 'tool-input-start', callID: 'a', tool: 'bash' },
      { type: 'tool-input-delta', callID: 'a', delta: '{"command":' },
      { type: 'tool-input-delta', callID: 'a', delta: '"ls"}' },
      { type: 'tool-input-end', callID: 'a' },
      { type: 'tool-call', callID: 'a', tool: 'bash', input: { command: 'ls' } },
      {
        type: 'tool-call',
        callID: 'b',
        tool: 'bash',
        input: {},
        providerMetadata: { google: { thoughtSignature: 's' } },
      },
      { type: 'finish', reason: 'tool-calls', rawReason: 'tool-calls', usage: {} },
    ]);
  });

  test('repeated or empty ids are made unique, and each delta stays with its call', async () => {
    const call = (id: string, command: string): LanguageModelV4StreamPart[] => [
      { type: 'tool-input-start', id, toolName: 'bash' },
      { type: 'tool-input-delta', id, delta: JSON.stringify({ command }) },
      { type: 'tool-input-end', id },
      { type: 'tool-call', toolCallId: id, toolName: 'bash', input: JSON.stringify({ command }) },
    ];
    const parts = await run([
      start,
      ...call('call_0', 'a'),
      ...call('call_0', 'b'),
      ...call('', 'c'),
      finish('tool-calls'),
    ]);
    const ids = parts.flatMap((part) => ('callID' in part ? [`${part.type} ${part.callID}`] : []));
    expect(ids).toEqual(
      ['call_0', 'call_0_2', 'call'].flatMap((id) => [
        `tool-input-start ${id}`,
        `tool-input-delta ${id}`,
        `tool-input-end ${id}`,
        `tool-call ${id}`,
      ]),
    );
    expect(parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))).toEqual([
      { command: 'a' },
      { command: 'b' },
      { command: 'c' },
    ]);
  });

  test('a block that is reopened under the same id is another block', async () => {
    const block: LanguageModelV4StreamPart[] = [
      { type: 'text-start', id: 'txt-0' },
      { type: 'text-delta', id: 'txt-0', delta: 'x' },
      { type: 'text-end', id: 'txt-0' },
    ];
    const parts = await run([start, ...block, ...block, finish()]);
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.id] : []))).toEqual([
      'txt-0',
      'txt-0_2',
    ]);
  });

  test('a name in upper case means the tool in lower case, from the first delta on', async () => {
    const parts = await run([
      start,
      { type: 'tool-input-start', id: 'a', toolName: 'Bash' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'Bash', input: '{"command":"ls"}' },
      finish('tool-calls'),
    ]);
    expect(parts.slice(1, 3)).toEqual([
      { type: 'tool-input-start', callID: 'a', tool: 'bash' },
      { type: 'tool-call', callID: 'a', tool: 'bash', input: { command: 'ls' } },
    ]);
  });

  test('a file is kept as bytes, named by its hash', async () => {
    const kept: { hash: string; bytes: Uint8Array }[] = [];
    const parts = await run(
      [start, { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } }, finish()],
      'close',
      { onBlob: (blob) => kept.push(blob) },
    );
    const hash = '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81';
    expect(parts[1]).toEqual({ type: 'file', mediaType: 'image/png', blob: hash });
    expect(kept).toEqual([{ hash, bytes: new Uint8Array([1, 2, 3]) }]);
  });

  test('unknown parts are kept for the inspector', async () => {
    const source = {
      type: 'source',
      sourceType: 'url',
      id: 's',
      url: 'https://example.com/',
      title: 'T',
    } as const;
    const parts = await run([start, source, finish()]);
    expect(parts[1]).toEqual({ type: 'other', name: 'source', value: source });
  });

  test('warnings come with the start', async () => {
    const warning = { type: 'unsupported', feature: 'topK' } as const;
    expect((await run([{ type: 'stream-start', warnings: [warning] }, finish()]))[0]).toEqual({
      type: 'start',
      warnings: [warning],
    });
  });
});

describe('calls that cannot run', () => {
  const long = 'x'.repeat(100_000);
  const invalid = async (toolName: string, input: string) => {
    const parts = await run([
      start,
      { type: 'tool-call', toolCallId: 'a', toolName, input },
      finish('tool-calls'),
    ]);
    expect(parts.map((part) => part.type)).toEqual(['start', 'tool-call', 'finish']);
    const call = parts[1];
    return call?.type === 'tool-call' ? call : undefined;
  };

  test('an unknown tool is named, and so are the available tools', async () => {
    const call = await invalid('rm', '{"path":"/"}');
    expect(call).toMatchObject({ tool: 'rm', input: { path: '/' }, invalid: { reason: 'unknown-tool' } });
    expect(call?.invalid?.message).toBe('There is no tool "rm". The tools are: bash.');
  });

  test('broken arguments are quoted only in part', async () => {
    const call = await invalid('bash', `{"command":"${long}`);
    expect(call?.invalid?.reason).toBe('bad-json');
    expect(call?.invalid?.message.length).toBeLessThan(400);
    expect(call?.invalid?.message).toContain('{"command":"xxx');
    expect(call?.input).toBe(`{"command":"${long}`);
  });

  test('a name in upper case with broken arguments is reported for its arguments', async () => {
    expect((await invalid('BASH', '{'))?.invalid?.reason).toBe('bad-json');
  });

  test('arguments that are nested too deep are not kept', async () => {
    const call = await invalid('bash', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    expect(call).toMatchObject({ tool: 'bash', input: null, invalid: { reason: 'too-deep' } });
    const fits = await invalid('bash', `${'{"a":'.repeat(90)}1${'}'.repeat(90)}`);
    expect(fits?.invalid).toBeUndefined();
  });

  test('arguments that would reach into prototypes are not parsed', async () => {
    expect((await invalid('bash', '{"__proto__":{"x":1}}'))?.invalid?.reason).toBe('bad-json');
  });
});

describe('failures', () => {
  test('a stream that ends without a finish is an error, and gets a finish', async () => {
    const parts = await run([
      start,
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'I will' },
    ]);
    expect(parts.slice(3)).toEqual([
      { type: 'text-end', id: '0' },
      { type: 'error', fault: expect.objectContaining({ code: 'stream-cut', retryable: true }) },
      { type: 'finish', reason: 'error', usage: {} },
    ]);
  });

  test('so is one that the provider calls interrupted, and an empty one', async () => {
    for (const said of [[start, finish('interrupted')], []])
      expect((await run(said)).filter((part) => part.type === 'error' || part.type === 'finish')).toEqual([
        { type: 'error', fault: expect.objectContaining({ code: 'stream-cut' }) },
        expect.objectContaining({ type: 'finish', reason: 'error' }),
      ]);
  });

  test('an error in the stream makes the finish an error, whatever reason follows', async () => {
    const parts = await run([
      start,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      finish('tool-calls'),
    ]);
    expect(parts.slice(1)).toEqual([
      { type: 'error', fault: expect.objectContaining({ code: 'overloaded', retryable: true }) },
      { type: 'finish', reason: 'error', rawReason: 'tool-calls', usage: {} },
    ]);
  });

  test('an error after the finish still comes before ours', async () => {
    const parts = await run([start, finish(), { type: 'error', error: new Error('late') }]);
    expect(parts.map((part) => part.type)).toEqual(['start', 'error', 'finish']);
  });

  test('a call that was complete before the stream broke keeps its part; the step is still an error', async () => {
    const parts = await run(
      [start, { type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: '{"command":"ls"}' }],
      new Error('socket hang up'),
    );
    expect(parts.map((part) => part.type)).toEqual(['start', 'tool-call', 'error', 'finish']);
    expect(parts.at(-1)).toMatchObject({ reason: 'error' });
  });

  test('a provider that cannot be loaded, throws or rejects is one error part and a finish', async () => {
    const thrown = new Error('no such chunk, sk-secret');
    for (const load of [
      () => Promise.reject(thrown),
      () => ({ ...languageModel([]), doStream: () => Promise.reject(thrown) }),
      () => ({
        ...languageModel([]),
        doStream: () => {
          throw thrown;
        },
      }),
    ])
      expect(await collect(modelOf(load).stream(request()))).toEqual([
        {
          type: 'error',
          fault: {
            code: 'unexpected',
            what: 'no such chunk, [redacted key]',
            next: 'Try again, or choose another model.',
            retryable: false,
          },
        },
        { type: 'finish', reason: 'error', usage: {} },
      ]);
  });

  test('messages that cannot be sent are reported as such', async () => {
    const parts = await run([], 'close', {
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: {} }] },
      ],
    });
    expect(parts[0]).toMatchObject({ type: 'error', fault: { code: 'bad-request', retryable: false } });
  });

  test('invalid settings are named', async () => {
    const parts = await run([], 'close', { settings: { temperature: 'hot' } });
    expect(JSON.stringify(parts[0])).toContain('temperature');
  });
});

describe('abort', () => {
  test('ends the iteration at once, although the model hangs', async () => {
    const aborter = new AbortController();
    const said: LanguageModelV4StreamPart[] = [
      start,
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hm' },
    ];
    const types: string[] = [];
    for await (const part of modelOf(() => languageModel(said, 'open')).stream(
      request({ signal: aborter.signal }),
    )) {
      types.push(part.type);
      if (part.type === 'text-delta') queueMicrotask(() => aborter.abort());
    }
    expect(types).toEqual(['start', 'text-start', 'text-delta']);
  });

  test('before the model answers, or before the call, yields nothing', async () => {
    const aborter = new AbortController();
    const hanging = {
      ...languageModel([]),
      doStream: () => {
        queueMicrotask(() => aborter.abort());
        return new Promise<never>(() => {});
      },
    };
    expect(await collect(modelOf(() => hanging).stream(request({ signal: aborter.signal })))).toEqual([]);
    expect(
      await collect(
        modelOf(() => languageModel([start, finish()])).stream(request({ signal: AbortSignal.abort() })),
      ),
    ).toEqual([]);
  });

  test('a reader that stops reading cancels the stream', async () => {
    let onCancel = () => {};
    const cancelled = new Promise<void>((resolve) => (onCancel = resolve));
    const model = languageModel([]);
    const endless: LanguageModelV4 = {
      ...model,
      doStream: async () => ({
        stream: new ReadableStream({
          pull: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'x' }),
          cancel: () => onCancel(),
        }),
      }),
    };
    for await (const part of modelOf(() => endless).stream(request())) if (part.type === 'text-delta') break;
    await expect(cancelled).resolves.toBeUndefined();
  });
});

describe('the request', () => {
  test('tools go without execute, settings and options by name, broken arguments as an object', async () => {
    let asked: LanguageModelV4CallOptions | undefined;
    const model = languageModel([start, finish()], 'close', (options) => (asked = options));
    await collect(
      modelOf(() => model).stream(
        request({
          settings: { maxOutputTokens: 5, theme: 'dark', providerOptions: { test: { a: 1 } } },
          messages: [
            { role: 'user', content: 'hello' },
            {
              role: 'assistant',
              content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: '{"comm' }],
            },
            {
              role: 'tool',
              content: [
                {
                  type: 'tool-result',
                  toolCallId: 'a',
                  toolName: 'bash',
                  output: { type: 'error-text', value: 'broken' },
                },
              ],
            },
          ],
        }),
      ),
    );
    expect(asked?.tools).toEqual([
      { type: 'function', name: 'bash', description: 'runs', inputSchema: BASH.schema },
    ]);
    expect(asked).toMatchObject({ maxOutputTokens: 5, providerOptions: { test: { a: 1 } } });
    expect(asked).not.toHaveProperty('theme');
    expect(asked?.prompt.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(asked?.prompt[2]).toMatchObject({ content: [{ toolCallId: 'a', input: {} }] });
  });
});

describe('any stream', () => {
  const id = fc.constantFrom('', '0', 'a', 'call_0');
  const toolName = fc.constantFrom('bash', 'Bash', 'nothing', '');
  const part: fc.Arbitrary<LanguageModelV4StreamPart> = fc.oneof(
    fc.record({ type: fc.constantFrom('text-start', 'text-end', 'reasoning-start', 'reasoning-end'), id }),
    fc.record({
      type: fc.constantFrom('text-delta', 'reasoning-delta'),
      id,
      delta: fc.string({ unit: 'binary' }),
    }),
    fc.record({ type: fc.constant('tool-input-start'), id, toolName }),
    fc.record({ type: fc.constant('tool-input-delta'), id, delta: fc.string() }),
    fc.record({ type: fc.constant('tool-input-end'), id }),
    fc.record({
      type: fc.constant('tool-call'),
      toolCallId: id,
      toolName,
      input: fc.oneof(fc.json(), fc.string(), fc.constant('')),
    }),
    fc.record({ type: fc.constant('error'), error: fc.anything() }),
    fc.constant<LanguageModelV4StreamPart>({ type: 'ping' }),
    fc.constant(finish('tool-calls')),
    fc.constant(finish('interrupted')),
    fc.constant(start),
  );
  const ending = fc.constantFrom<Ending>('close', new Error('socket hang up'));

  test('becomes valid: ids are unique, blocks are closed, and the last part is one finish', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 25 }), ending, async (parts, end) => {
        const out = await run(parts, end);
        expect(out.filter(({ type }) => type === 'finish')).toEqual([out.at(-1)]);
        const callIDs = out.flatMap((each) => (each.type === 'tool-call' ? [each.callID] : []));
        expect(new Set(callIDs).size).toBe(callIDs.length);
        expect(callIDs.length).toBe(parts.filter(({ type }) => type === 'tool-call').length);
        const open = new Set<string>();
        const seen = new Set<string>();
        for (const each of out) {
          if (each.type === 'text-start' || each.type === 'reasoning-start') {
            expect(seen).not.toContain(each.id);
            open.add(each.id);
            seen.add(each.id);
          }
          if (each.type === 'text-delta' || each.type === 'reasoning-delta') expect(open).toContain(each.id);
          if (each.type === 'text-end' || each.type === 'reasoning-end')
            expect(open.delete(each.id)).toBe(true);
        }
        expect([...open]).toEqual([]);
        const failed = out.some(({ type }) => type === 'error');
        expect(out.at(-1)).toMatchObject(failed ? { reason: 'error' } : { reason: 'tool-calls' });
      }),
    );
  });
});
