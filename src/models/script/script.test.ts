import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { FaultError } from '../../base/fault.ts';
import type { Timer } from '../../base/timer.ts';
import type { ModelRequest } from '../../session/request/model.ts';
import type { StreamPart } from '../../session/log/parts.ts';
import { RESULT_FILES_NOTE, wrapSteering } from '../../session/request/steering.ts';
import { sdkModel } from '../call.ts';
import { modelFault } from '../faults.ts';
import type { ModelMessage } from '../types.ts';
import { bareScriptedModel } from './bare.ts';
import { pieces, words } from './chunks.ts';
import { ScriptPlan, unplayedSteps, type ScriptMessage } from './plan.ts';
import { parseScript, type Script } from './schema.ts';
import { scriptedLanguageModel } from './scripted.ts';

const script = (turns: unknown, more: object = {}): Script =>
  parseScript({ version: 1, title: 'T', turns, ...more });
const user = (text: string): ScriptMessage => ({ by: 'user', text });
const model: ScriptMessage = { by: 'model' };
const nothing = () => ({ system: '', results: [], tools: [] });

test('what no request has got is left over', () => {
  const given = script([
    { steps: [{ text: 'a' }, { error: { status: 529 } }, { text: 'b' }] },
    { steps: [{}] },
  ]);
  const plan = new ScriptPlan(given);
  plan.next([user('one')], nothing);
  expect(unplayedSteps(given)).toEqual([
    { turn: 1, step: 2 },
    { turn: 1, step: 3 },
    { turn: 2, step: 1 },
  ]);
  plan.next([user('one'), model], nothing);
  plan.next([user('one'), model], nothing);
  expect(unplayedSteps(given)).toEqual([{ turn: 2, step: 1 }]);
  plan.next([user('one'), model, user('two')], nothing);
  expect(unplayedSteps(given)).toEqual([]);
});

describe('the schema', () => {
  test('takes the whole vocabulary, as a value or as JSON', () => {
    const source = {
      version: 1,
      title: 'A bug',
      files: { 'src/add.js': 'x' },
      chunkDelayMs: 15,
      turns: [
        {
          when: 'fix|mend',
          steps: [
            { reasoning: 'r', text: 't', tools: [{ tool: 'bash', input: { command: 'ls' } }] },
            { error: { status: 529, retryAfter: 1 } },
          ],
        },
      ],
    };
    expect(parseScript(source)).toEqual(source);
    expect(parseScript(JSON.stringify(source))).toEqual(source);
  });

  test('title, pace and input may be left out', () => {
    expect(parseScript({ version: 1, turns: [{ steps: [{ tools: [{ tool: 'list' }] }] }] })).toEqual({
      version: 1,
      title: '',
      chunkDelayMs: 0,
      turns: [{ steps: [{ tools: [{ tool: 'list', input: {} }] }] }],
    });
  });

  const step = (value: unknown) => ({ version: 1, turns: [{ steps: [value] }] });
  test.each([
    ['{', 'script', 'it is not JSON'],
    [{ version: 2, turns: [{ steps: [{}] }] }, 'version', 'expected 1'],
    [{ version: 1, turns: [] }, 'turns', ''],
    [{ version: 1, turns: [{ steps: [] }] }, 'turns[0].steps', ''],
    [step({ txt: 'typo' }), 'turns[0].steps[0]', 'txt'],
    [step({ tools: [{ tool: 'bash', input: 'ls' }] }), 'turns[0].steps[0].tools[0].input', ''],
    [step({ error: { status: 200 } }), 'turns[0].steps[0].error.status', ''],
    [{ version: 1, turns: [{ when: '(', steps: [{}] }] }, 'turns[0].when', 'not a regular expression: "("'],
    [{ ...step({}), files: { '../x': '' } }, 'files', 'inside the workspace'],
    [{ ...step({}), files: { '/etc/passwd': '' } }, 'files', 'inside the workspace'],
    [null, 'script', ''],
  ])('says what is wrong with %j', (source, where, what) => {
    expect(() => parseScript(source)).toThrow(FaultError);
    try {
      parseScript(source);
    } catch (error) {
      const fault = error instanceof FaultError ? error.fault : undefined;
      expect(fault).toMatchObject({ code: 'script-invalid' });
      expect(fault?.where).toContain(where);
      expect(fault?.what).toContain(what);
    }
  });
});

describe('the next step', () => {
  const two = script([{ steps: [{ text: 'a1' }, { text: 'a2' }] }, { steps: [{ text: 'b1' }] }]);
  const textAt = (plan: ScriptPlan, ...spoken: ScriptMessage[]) => {
    const planned = plan.next(spoken, nothing);
    return 'missing' in planned ? planned.missing : planned.step.text;
  };

  test('the turn is the nth prompt, the step the nth answer to it', () => {
    const plan = new ScriptPlan(two);
    expect(textAt(plan, user('x'))).toBe('a1');
    expect(textAt(plan, user('x'), model)).toBe('a2');
    expect(textAt(plan, user('x'), model, model, user('y'))).toBe('b1');
  });

  test('the same messages give the same step, so that a failed request can be repeated', () => {
    const plan = new ScriptPlan(two);
    expect(textAt(plan, user('x'), model)).toBe('a2');
    expect(textAt(plan, user('x'), model)).toBe('a2');
  });

  test('past the end, the message says what was asked for', () => {
    const plan = new ScriptPlan(two);
    expect(textAt(plan, user('x'), model, model)).toBe(
      'The script "T" is past its end: turn 1, step 3 was asked for, and that turn has 2 steps.',
    );
    expect(textAt(plan, user('x'), user('y'), user('z'))).toBe(
      'The script "T" has no turn for this prompt: turn 3, step 1 was asked for, and it has 2 turns.',
    );
  });

  test('turns may begin with the first prompt that is answered, whatever came before it', () => {
    const next = script([{ steps: [{ text: 'n1' }, { text: 'n2' }] }], { title: '', begins: 'next-prompt' });
    const plan = new ScriptPlan(next);
    const before = [user('x'), model, user('y'), model];
    expect(textAt(plan, ...before, user('z'))).toBe('n1');
    expect(textAt(plan, ...before, user('z'), model)).toBe('n2');
    expect(textAt(plan, ...before, user('another z'))).toBe('n1');
    expect(textAt(plan, ...before, user('z'), model, model)).toBe(
      'The script is past its end: turn 1, step 3 was asked for, and that turn has 2 steps.',
    );
    expect(textAt(plan, ...before, user('z'), model, model, user('more'))).toBe(
      'The script has no turn for this prompt: turn 2, step 1 was asked for, and it has 1 turn.',
    );
    expect(textAt(plan, user('in a session of its own'))).toBe('n1');
  });

  test('a sub-agent does not play the turn that has called it', () => {
    const task = (prompt: string) => ({ tool: 'task', input: { prompt } });
    const calling = { when: '^Go', steps: [{ tools: [task('Look'), task('Read')] }, { text: 'end' }] };
    const alone = new ScriptPlan(script([{ steps: calling.steps }]));
    expect(textAt(alone, user('Go'))).toBeUndefined();
    expect(textAt(alone, user('Look'))).toBe(
      'The script "T" has no turn for the sub-agent\'s prompt "Look": give it a turn with "when".',
    );
    expect(textAt(alone, user('Go'), model)).toBe('end');
    // A turn for any prompt is its own where the other one has a condition.
    const both = new ScriptPlan(
      script([calling, { when: '^Re', steps: [{ text: 'r' }] }, { steps: [{ text: 's' }] }]),
    );
    expect(textAt(both, user('Go'))).toBeUndefined();
    expect(textAt(both, user('Read'))).toBe('r');
    expect(textAt(both, user('Look'))).toBe('s');
  });

  test('calls of two scripts in one conversation have ids of their own', () => {
    const later = new ScriptPlan(script([{ steps: [{ text: 'n' }] }], { begins: 'next-prompt' }));
    expect(later.next([user('x'), model, user('y')], nothing).position).toEqual({ turn: 1, step: 0 });
  });

  test('a fault is used once; a retry gets the next step', () => {
    const plan = new ScriptPlan(
      script([
        {
          steps: [
            { error: { status: 529 } },
            { error: { status: 500 } },
            { text: 'at last' },
            { text: 'more' },
          ],
        },
      ]),
    );
    expect(plan.next([user('x')], nothing)).toMatchObject({ step: { error: { status: 529 } } });
    expect(plan.next([user('x')], nothing)).toMatchObject({ step: { error: { status: 500 } } });
    expect(textAt(plan, user('x'))).toBe('at last');
    expect(textAt(plan, user('x'), model)).toBe('more');
  });

  test('each conversation has its own faults, and so do the same prompts after a completed turn', () => {
    const plan = new ScriptPlan(script([{ steps: [{ error: { status: 529 } }, { text: 'ok' }] }]));
    plan.next([user('x')], nothing);
    expect(plan.next([user('y')], nothing)).toMatchObject({ step: { error: { status: 529 } } });
    expect(textAt(plan, user('x'))).toBe('ok');
    plan.completed([user('x')]);
    expect(plan.next([user('x')], nothing)).toMatchObject({ step: { error: { status: 529 } } });
  });

  test('a turn with `when` is taken at its first match, once, and before the others', () => {
    const plan = new ScriptPlan(
      script([
        { steps: [{ text: 'first' }] },
        { when: '^fix', steps: [{ text: 'fixed' }] },
        { steps: [{ text: 'second' }] },
      ]),
    );
    const played = (prompts: readonly string[]) =>
      prompts.map((_, index) =>
        textAt(
          plan,
          ...prompts
            .slice(0, index + 1)
            .flatMap((text) => [user(text), model])
            .slice(0, -1),
        ),
      );
    expect(played(['fix it', 'hello', 'fix again'])).toEqual(['fixed', 'first', 'second']);
    expect(played(['hello', 'fix it'])).toEqual(['first', 'fixed']);
  });

  test('a prompt sent during a turn is the next prompt, as written; files of results are not', () => {
    const plan = new ScriptPlan(
      script([{ steps: [{ text: 'a' }, { text: 'b' }] }, { when: '^stop$', steps: [{ text: 'c' }] }]),
    );
    expect(textAt(plan, user('x'), model, user(`${RESULT_FILES_NOTE}\n`))).toBe('b');
    expect(textAt(plan, user('x'), model, user(wrapSteering('stop')))).toBe('c');
  });

  test('a prompt that no turn matches takes none', () => {
    const plan = new ScriptPlan(script([{ when: 'fix', steps: [{ text: 'fixed' }] }]));
    expect(textAt(plan, user('hello'))).toContain('no turn for this prompt: turn 1, step 1');
    expect(textAt(plan, user('hello'), user('fix'))).toBe('fixed');
  });
});

describe('cases and chance', () => {
  const facts =
    (results: readonly string[], tools: readonly string[] = [], system = '') =>
    () => ({
      ...{ results, tools, system },
    });
  const textOf = (planned: ReturnType<ScriptPlan['next']>) =>
    'missing' in planned ? planned.missing : planned.step.text;

  test('the first case that holds is taken: by result, prompt, system prompt and tools', () => {
    const plan = new ScriptPlan(
      script([
        {
          steps: [
            {
              cases: [
                { if: { result: '^fail [1-9]', tools: ['bash'] }, text: 'mend' },
                { if: { prompt: 'quick' }, text: 'quick' },
                { if: { system: 'German' }, text: 'deutsch' },
                { text: 'else' },
              ],
            },
          ],
        },
      ]),
    );
    const next = (prompt: string, asked: ReturnType<typeof facts>) =>
      textOf(plan.next([user(prompt)], asked));
    expect(next('x', facts(['ok', 'fail 2'], ['bash']))).toBe('mend');
    expect(next('x', facts(['fail 2'], ['read']))).toBe('else');
    expect(next('be quick', facts(['fail 0'], ['bash']))).toBe('quick');
    expect(next('x', facts([], [], 'Answer in German.'))).toBe('deutsch');
    // The end of a long output is looked at as well as its beginning.
    const long = `${'line\n'.repeat(20_000)}`;
    expect(next('x', facts([`fail 1 ${long}`], ['bash']))).toBe('mend');
    const last = new ScriptPlan(
      script([{ steps: [{ cases: [{ if: { result: 'fail 3' }, text: 'end' }] }] }]),
    );
    expect(textOf(last.next([user('x')], facts([`${long}fail 3`])))).toBe('end');
  });

  test('where no case holds, the message says so', () => {
    const plan = new ScriptPlan(script([{ steps: [{ cases: [{ if: { result: 'x' }, text: 'a' }] }] }]));
    expect(textOf(plan.next([user('x')], nothing))).toBe(
      'None of the cases of turn 1, step 1 of the script holds for this request.',
    );
  });

  test('chance takes by weight, and the same with the same seed', () => {
    const taken = (seed: number) => {
      const steps = Array.from({ length: 50 }, () => ({
        chance: [{ text: 'often', weight: 9 }, { text: 'seldom' }],
      }));
      const plan = new ScriptPlan(script([{ steps }], { seed }));
      return steps.map((_, answers) =>
        textOf(plan.next([user('x'), ...Array.from({ length: answers }, () => model)], nothing)),
      );
    };
    expect(taken(1)).toEqual(taken(1));
    expect(taken(1)).not.toEqual(taken(2));
    const all = Array.from({ length: 40 }, (_, seed) => taken(seed)).flat();
    const seldom = all.filter((text) => text === 'seldom').length / all.length;
    expect(seldom).toBeGreaterThan(0.07);
    expect(seldom).toBeLessThan(0.13);
  });

  test('what chance has let fail is drawn again by the retry, until it answers', () => {
    const plan = new ScriptPlan(
      script([{ steps: [{ chance: [{ error: { status: 529 }, weight: 3 }, { text: 'ok' }] }] }]),
    );
    const texts: unknown[] = [];
    while (texts.at(-1) !== 'ok' && texts.length < 100) texts.push(textOf(plan.next([user('x')], nothing)));
    expect(texts.at(-1)).toBe('ok');
  });

  test('an answer that is cut uses its step up', () => {
    const plan = new ScriptPlan(script([{ steps: [{ text: 'half', cut: 2 }, { text: 'whole' }] }]));
    expect(textOf(plan.next([user('x')], nothing))).toBe('half');
    expect(textOf(plan.next([user('x')], nothing))).toBe('whole');
  });

  test.each([
    [{ cases: [{ if: {}, text: 'a' }] }, 'names nothing to look for'],
    [{ cases: [{ if: { result: '(' }, text: 'a' }] }, 'not a regular expression: "("'],
    [{ text: 'a', chance: [{ text: 'b' }] }, 'has cases or chance beside something else'],
    [{ chance: [{ text: 'b', weight: 0 }] }, 'turns[0].steps[0].chance[0].weight'],
    [{ delayMs: 60_001 }, 'turns[0].steps[0].delayMs'],
    [{ tools: [{ tool: 'read', input: { a: 1 }, raw: '{' }] }, 'has both input and raw'],
  ])('says what is wrong with %j', (step, what) => {
    expect(() => script([{ steps: [step] }])).toThrow(what);
  });
});

describe('chunks', () => {
  const LONE_SURROGATE = /\p{Surrogate}/u;

  test('are the whole text, and never split a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const chunks of [words(text), pieces(text)]) {
          expect(chunks.join('')).toBe(text);
          if (!LONE_SURROGATE.test(text))
            for (const chunk of chunks) expect(chunk).not.toMatch(LONE_SURROGATE);
        }
      }),
    );
  });

  test('text comes in words, arguments in pieces', () => {
    expect(words('I will  look.\nThen')).toEqual(['I ', 'will  ', 'look.\n', 'Then']);
    expect(pieces(JSON.stringify({ command: 'a'.repeat(100) })).length).toBeGreaterThan(1);
    expect(pieces('x'.repeat(1_000_000)).length).toBeLessThan(500);
  });
});

/** A timer that advances only on request. */
function handTimer(): Timer & { waiting: number; tick(): void } {
  const runs = new Set<() => void>();
  return {
    get waiting() {
      return runs.size;
    },
    after(_ms, run) {
      runs.add(run);
      return () => void runs.delete(run);
    },
    tick() {
      for (const run of [...runs]) {
        runs.delete(run);
        run();
      }
    },
  };
}

describe('played', () => {
  const network = {
    origin: undefined,
    online: () => true,
    localAccessDenied: async () => false,
    reachable: async () => undefined,
  };
  const context = {
    provider: 'scripted',
    model: 'script',
    baseURL: '',
    network,
    redact: (text: string) => text,
  } as const;
  const fault = (error: unknown, signal: AbortSignal) => modelFault(error, context, signal);
  const ref = { provider: 'scripted', model: 'script' };
  const tools = ['bash', 'read'].map((name) => ({ name, description: name, schema: { type: 'object' } }));
  const request = (messages: ModelMessage[], signal = new AbortController().signal): ModelRequest => ({
    system: '',
    messages,
    tools,
    settings: {},
    signal,
    onBody: () => {},
  });
  const prompts = (count: number, answers: number): ModelMessage[] => [
    ...Array.from({ length: count }, (_, index): ModelMessage => ({
      role: 'user',
      content: `prompt ${index}`,
    })),
    ...Array.from({ length: answers }, (): ModelMessage => ({ role: 'assistant', content: 'said' })),
  ];
  const bare = (source: Script, timer?: Timer) =>
    bareScriptedModel(ref, new ScriptPlan(source), fault, timer);
  const throughSdk = (source: Script) => {
    const languageModel = scriptedLanguageModel(new ScriptPlan(source), 'script');
    return sdkModel(ref, { load: async () => ({ model: languageModel }), fault });
  };
  const collect = async (parts: AsyncIterable<StreamPart>) => {
    const collected: StreamPart[] = [];
    for await (const part of parts) collected.push(part);
    return collected;
  };

  test('a step yields its reasoning, its text and its calls', async () => {
    const parts = await collect(
      bare(
        script([
          {
            steps: [
              { reasoning: 'Hm.', text: 'I look.', tools: [{ tool: 'bash', input: { command: 'ls' } }] },
            ],
          },
        ]),
      ).stream(request(prompts(1, 0))),
    );
    expect(parts).toEqual([
      { type: 'start', warnings: [] },
      { type: 'response', id: 'script_1_1', modelID: 'script' },
      { type: 'reasoning-start', id: 'reasoning' },
      { type: 'reasoning-delta', id: 'reasoning', text: 'Hm.' },
      { type: 'reasoning-end', id: 'reasoning' },
      { type: 'text-start', id: 'text' },
      { type: 'text-delta', id: 'text', text: 'I ' },
      { type: 'text-delta', id: 'text', text: 'look.' },
      { type: 'text-end', id: 'text' },
      { type: 'tool-input-start', callID: 'call_1_1_1', tool: 'bash' },
      { type: 'tool-input-delta', callID: 'call_1_1_1', delta: '{"command":"ls"}' },
      { type: 'tool-input-end', callID: 'call_1_1_1' },
      { type: 'tool-call', callID: 'call_1_1_1', tool: 'bash', input: { command: 'ls' } },
      { type: 'finish', reason: 'tool-calls', usage: {} },
    ]);
  });

  test('an error step fails like a provider with this status', async () => {
    const parts = await collect(
      bare(script([{ steps: [{ error: { status: 529, retryAfter: 1 } }] }])).stream(request(prompts(1, 0))),
    );
    expect(parts).toEqual([
      {
        type: 'error',
        fault: expect.objectContaining({ code: 'overloaded', retryable: true, retryAfterMs: 1000 }),
      },
      { type: 'finish', reason: 'error', usage: {} },
    ]);
  });

  test('a cut answer ends in the middle, without and with its calls, and can be retried', async () => {
    const call = { tool: 'bash', input: { command: 'ls' } };
    const source = script([{ steps: [{ text: 'one two', tools: [call], cut: 5 }] }]);
    const parts = await collect(bare(source).stream(request(prompts(1, 0))));
    expect(parts.filter(({ type }) => type === 'text-delta')).toMatchObject([
      { text: 'one ' },
      { text: 't' },
    ]);
    expect(parts.slice(-2)).toMatchObject([
      { type: 'error', fault: { code: 'stream-cut', retryable: true } },
      { type: 'finish', reason: 'error' },
    ]);
    const later = script([{ steps: [{ tools: [call], cut: 4 }] }]);
    const begun = await collect(bare(later).stream(request(prompts(1, 0))));
    expect(begun.map(({ type }) => type)).not.toContain('tool-call');
    expect(begun).toContainEqual({ type: 'tool-input-delta', callID: 'call_1_1_1', delta: '{"co' });
  });

  test('arguments that are no JSON make an invalid call', async () => {
    const source = script([{ steps: [{ tools: [{ tool: 'bash', raw: '{"command": "ls' }] }] }]);
    const parts = await collect(bare(source).stream(request(prompts(1, 0))));
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'tool-call', input: '{"command": "ls', invalid: expect.anything() }),
    );
  });

  test('a delayed answer or refusal waits first', async () => {
    const timer = handTimer();
    const source = script([{ steps: [{ delayMs: 5_000, error: { status: 500 } }] }]);
    const parts = collect(bare(source, timer).stream(request(prompts(1, 0))));
    await vi.waitFor(() => expect(timer.waiting).toBe(1));
    timer.tick();
    expect((await parts)[0]).toMatchObject({ type: 'error' });
  });

  test('cases see results of the last step, the system prompt and the tools', async () => {
    const steps = [{ text: 'a' }, { cases: [{ if: { result: 'fail 1', tools: ['bash'] }, text: 'mend' }] }];
    const result = { type: 'tool-result' as const, toolCallId: 'c', toolName: 'bash' };
    const messages: ModelMessage[] = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'bash', input: {} }] },
      { role: 'tool', content: [{ ...result, output: { type: 'text', value: 'fail 1' } }] },
    ];
    for (const one of [bare(script([{ steps }])), throughSdk(script([{ steps }]))])
      expect(await collect(one.stream(request(messages)))).toContainEqual({
        ...{ type: 'text-delta', id: 'text', text: 'mend' },
      });
  });

  test('past the end it fails, and is not retryable', async () => {
    const parts = await collect(bare(script([{ steps: [{ text: 'a' }] }])).stream(request(prompts(1, 1))));
    expect(parts[0]).toMatchObject({ type: 'error', fault: { code: 'script-exhausted', retryable: false } });
    expect(JSON.stringify(parts[0])).toContain('turn 1, step 2');
  });

  test('keeps the pace, and abort ends a pause at once', async () => {
    const timer = handTimer();
    const aborter = new AbortController();
    const source = script([{ steps: [{ text: 'one two three' }] }], { chunkDelayMs: 1000 });
    const types: string[] = [];
    for await (const part of bare(source, timer).stream(request(prompts(1, 0), aborter.signal))) {
      types.push(part.type);
      if (part.type === 'text-start') queueMicrotask(() => timer.tick());
      if (part.type === 'text-delta') queueMicrotask(() => aborter.abort());
    }
    expect(types).toEqual(['start', 'response', 'text-start', 'text-delta']);
    expect(timer.waiting).toBe(0);
  });

  const stepArbitrary = fc.oneof(
    fc.record(
      {
        reasoning: fc.string(),
        text: fc.string({ maxLength: 80 }),
        tools: fc.array(
          fc.record({
            tool: fc.constantFrom('bash', 'Bash', 'read', 'nothing'),
            input: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue()),
          }),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: [] },
    ),
    fc.record({ error: fc.record({ status: fc.integer({ min: 400, max: 599 }) }) }),
    fc.record({ text: fc.string({ minLength: 3, maxLength: 80 }), cut: fc.nat(90) }),
    fc.record({ tools: fc.constant([{ tool: 'bash', raw: '{"command": ' }]) }),
  );

  test('the same parts come with and without the SDK, for any script', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 3 }), async (steps) => {
        const source = script([{ steps }]);
        const [plain, sdk] = [bare(source), throughSdk(source)];
        for (let answers = 0; answers <= steps.length; answers++) {
          const asked = request(prompts(1, answers));
          expect(await collect(plain.stream(asked))).toEqual(await collect(sdk.stream(asked)));
        }
      }),
      { numRuns: 60 },
    );
  });
});
