import { describe, expect, test } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { call, finish, say, type PartsStep, type Steps } from '../../test/support/parts-model.ts';
import { finished, interrupted, recordFrom, START } from '../../test/support/recordings.ts';
import { harness, next, passing, type HarnessOptions } from '../../test/support/session-harness.ts';
import type { Agent } from '../agents/agent.ts';
import { agents, primaryOf, subagents } from '../agents/agents.ts';
import { NO_SETUP } from '../agents/setup.ts';
import type { Event } from '../session/log/events.ts';
import { recordedModel } from '../models/recorded/recorded.ts';
import { youModel } from '../models/you/you.ts';
import { builtinTools } from '../tools/builtin.ts';
import { taskTools } from '../tools/task/tools.ts';
import type { Model, ModelRequest } from '../session/request/model.ts';
import type { Session } from '../session/session.ts';
import { importedSessions } from '../session/recording/import.ts';
import { Playback } from '../session/recording/playback.ts';
import { readRecording } from '../session/recording/read.ts';
import { recordingText, withoutRequests } from '../session/recording/record.ts';
import type { Recording } from '../session/recording/recording.ts';
import { timeoutTimer } from '../base/timer.ts';
import { RecordingRunOfApp } from './recording-run.ts';

const REF = { provider: 'recorded', model: 'test' };

/** Runs the recording live in a workspace with these files. */
async function rerun(
  recording: Recording,
  files: Readonly<Record<string, string>> = START,
  options: Partial<HarnessOptions> = {},
  asked: (request: ModelRequest) => void = () => undefined,
  begun: (run: RecordingRunOfApp, session: Session) => void = () => undefined,
) {
  const playback = new Playback(recording);
  const recorded = recordedModel(REF, {
    playback,
    timer: timeoutTimer,
    content: (hash) => recording.contents.get(hash),
    speed: () => Infinity,
    going: (signal) => run.untilResumed(signal),
  });
  const model: Model = {
    ...recorded,
    stream: (request) => {
      asked(request);
      return recorded.stream(request);
    },
  };
  const workspace = new MemoryWorkspace({ files });
  const over = await harness([], {
    tools: builtinTools,
    workspace,
    answerer: async () => ({ reply: 'once' }),
    model: () => model,
    ...options,
  });
  const run: RecordingRunOfApp = new RecordingRunOfApp(over.session, playback, REF, {
    content: (hash) => recording.contents.get(hash),
    stepper: () => over.sessions.stepper(over.session.id),
    session: (id) => over.sessions.live().find((each) => each.id === id),
    knows: (name) =>
      primaryOf(options.setups?.current(workspace.id).agents ?? agents).some((agent) => agent.name === name),
  });
  begun(run, over.session);
  await passing(over.timer, 16, run.run());
  const report = run.differences().map(({ recorded, state }) => `${recorded.callID} ${state}`);
  return { ...over, run, report, workspace };
}

async function recordingOf(steps?: Steps, options?: HarnessOptions): Promise<Recording> {
  const { store, session } = await finished(steps, options);
  return recordFrom(store, session.id);
}

test('the same files give the same results: every call runs again and asks for permission', async () => {
  const { report, workspace, events, run } = await rerun(await recordingOf());
  expect(report).toEqual(['c1 same', 'c2 same']);
  expect(run.over).toBe(true);
  expect(new TextDecoder().decode(await workspace.files.read('add.js'))).toContain('a + b');
  expect(events.filter(({ type }) => type === 'permission.asked')).toHaveLength(1);
});

test('other files give other results, and the differing call is named', async () => {
  const { report, run } = await rerun(await recordingOf(), {
    'add.js': '// a comment\nexport const add = (a, b) => a - b;\n',
  });
  expect(report).toEqual(['c1 differs', 'c2 same']);
  const [first] = run.differences();
  expect(first?.state === 'differs' && first.real.output).toContain('a comment');
});

test('a refusal ends the run; missing calls are listed', async () => {
  const refused = await recordingOf([
    [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
    [
      ...call('c2', 'edit', { filePath: 'add.js', oldString: 'a - b', newString: 'a + b' }),
      finish('tool-calls'),
    ],
    [...call('c3', 'glob', { pattern: '*' }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ]);
  const { report, session } = await rerun(refused, START, { answerer: async () => ({ reply: 'reject' }) });
  expect(report).toEqual(['c1 same', 'c2 differs', 'c3 not-made']);
  expect(session.state.lastTurn?.status).toBe('rejected');
});

test('several prompts are sent in order, each with its own answers', async () => {
  const over = await finished([
    [...say('One.'), finish()],
    [...say('Two.'), finish()],
  ]);
  await over.session.prompt('Again');
  await passing(over.timer, 16, over.session.rested());
  await over.session.stored();
  const { session } = await rerun(await recordFrom(over.store, over.session.id));
  const texts = [...session.state.parts.values()].flatMap((part) => (part.type === 'text' ? part.text : []));
  expect(texts).toEqual(['Fix add', 'One.', 'Again', 'Two.']);
});

test('past its end the recorded model says so instead of hanging', async () => {
  const { session, timer } = await rerun(await recordingOf([[...say('Hello.'), finish()]]));
  await session.prompt('And now?', { model: REF });
  expect(await passing(timer, 16, session.rested())).toBe('error');
  expect(session.state.lastTurn?.fault?.code).toBe('recording-exhausted');
});

/** Answers depend on the agent: sub-agents run at the same time as the agent that started them. */
const delegating: Steps = ({ messages }) => {
  const told = JSON.stringify(messages);
  const steps = messages.filter(({ role }) => role === 'assistant').length;
  for (const name of ['first', 'second'])
    if (told.startsWith(`[{"role":"user","content":"Look at the ${name}`))
      return steps === 0
        ? [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')]
        : [...say(`The ${name} is fine.`), finish()];
  const give = (id: string, name: string) =>
    call(id, 'task', { description: name, prompt: `Look at the ${name} line`, agent: 'general' });
  return steps === 0
    ? [...give('t1', 'first'), ...give('t2', 'second'), finish('tool-calls')]
    : [...say('Both are fine.'), finish()];
};

test('sub-agents run again too: each gives its own answers, its tools really run', async () => {
  const tools = [...builtinTools, ...taskTools(subagents)];
  const recording = await recordingOf(delegating, { tools });
  expect(recording.sessions).toHaveLength(3);
  const { report, sessions, session } = await rerun(recording, START, { tools });
  // Their own calls are compared too.
  expect(report).toEqual(['t1 same', 't2 same', 'c1 same', 'c1 same']);
  const said = [...session.state.parts.values()].flatMap((part) =>
    part.type === 'tool' ? (/is fine|second is/.exec(part.output ?? '') ? part.output : []) : [],
  );
  expect(said.map((output) => /The (\w+) is fine/.exec(output ?? '')?.[1])).toEqual(['first', 'second']);
  expect((await sessions.list()).filter(({ state }) => state.parent)).toHaveLength(2);

  const other = await rerun(recording, {}, { tools });
  // They found no file this time and still gave the recorded answers: only their own calls differ.
  expect(other.report).toEqual(['t1 same', 't2 same', 'c1 differs', 'c1 differs']);
  expect(other.run.differences().map((call) => call.session)).toEqual([0, 0, 1, 2]);
});

test('messages sent during a turn are sent again at the same step, in order', async () => {
  const over = await interrupted();
  const { report, session, events } = await rerun(await recordFrom(over.store, over.session.id));
  expect(report).toEqual(['c1 same', 'c2 same']);
  const texts = [...session.state.parts.values()].flatMap((part) => (part.type === 'text' ? part.text : []));
  expect(texts).toEqual(['Fix add', 'Let me look.', 'And be quick', 'Really', 'As you say.']);
  expect(events.filter(({ type }) => type === 'turn.started')).toHaveLength(1);
});

test('messages sent before the first answer are sent again too', async () => {
  const recording = await recordingOf([[...say('To both.'), finish()]]);
  const [own] = recording.sessions;
  const at = own.events.findIndex(({ type }) => type === 'step.started');
  const [first, step] = [own.events.find(({ type }) => type === 'prompt.accepted'), own.events[at]];
  if (first?.type !== 'prompt.accepted' || step?.type !== 'step.started') throw new Error('It has no turn.');
  const second = { ...first, messageID: 'msg_second', parentID: first.messageID, text: 'And sub' };
  const events = own.events.toSpliced(at, 1, second, { ...step, parentID: 'msg_second' });
  const { session } = await rerun({ ...recording, sessions: [{ ...own, events }] });
  const texts = [...session.state.parts.values()].flatMap((part) => (part.type === 'text' ? part.text : []));
  expect(texts.toSorted()).toEqual(['And sub', 'Fix add', 'To both.']);
});

test('a failed attempt fails again, and the retry follows', async () => {
  const recording = await recordingOf([
    [{ type: 'error', fault: { code: 'overloaded', what: 'Overloaded.', retryable: true } }, finish('error')],
    [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
    [...say('Read.'), finish()],
  ]);
  const { report, session } = await rerun(recording);
  expect(report).toEqual(['c1 same']);
  expect(session.state.lastTurn?.status).toBe('idle');
});

test('answers that a person wrote as the model are played without asking anybody', async () => {
  const answers = [
    { text: 'I look.', calls: [{ tool: 'read', args: '{"filePath":"add.js"}' }] },
    { text: '', calls: [{ tool: 'read', args: '{"filePath":' }] },
    { text: 'Seen.', calls: [] },
  ];
  const model = youModel(
    { provider: 'you', model: 'you' },
    { ask: async () => answers.shift() ?? Promise.reject(new Error('Nobody answers.')) },
  );
  const written = await recordingOf([], { model: () => model });
  expect(written.sessions[0].events.filter(({ type }) => type === 'call.ended')).toMatchObject([
    { outcome: 'ok' },
    { outcome: 'invalid' },
  ]);
  const { report, session } = await rerun(written);
  expect(report).toEqual(['call_1_1 same', 'call_2_1 same']);
  expect(answers).toEqual([]);
  expect(session.state.lastTurn?.status).toBe('idle');
});

/** Lets everything run that needs no further input. */
function afterRounds(rounds: number, run: () => void): void {
  setImmediate(() => (rounds === 0 ? run() : afterRounds(rounds - 1, run)));
}

test('nothing is sent while the run is paused, and it continues afterwards', async () => {
  const recording = await recordingOf();
  const said: string[] = [];
  const { report } = await rerun(recording, START, {}, undefined, (run, session) => {
    session.onEvents((events) => {
      for (const event of events) {
        if (event.type === 'call.ended' && event.callID === 'c1') {
          run.setPaused(true);
          afterRounds(50, () => {
            said.push(...[...session.state.parts.values()].flatMap(({ type }) => type));
            run.setPaused(false);
          });
        }
      }
    });
  });
  // The prompt, and the first step.
  expect(said).toEqual(['text', 'text', 'tool']);
  expect(report).toEqual(['c1 same', 'c2 same']);
});

test('a paused run can be stopped', async () => {
  const { run, session } = await rerun(await recordingOf(), START, {}, undefined, (run, session) => {
    session.onEvents((events) => {
      if (!events.some(({ type }) => type === 'call.ended')) return;
      run.setPaused(true);
      setImmediate(() => session.abort());
    });
  });
  expect(run.over).toBe(true);
  expect(session.state.lastTurn?.status).toBe('aborted');
});

test('an agent from the recorded files is used again if it exists', async () => {
  const careful: Agent = { ...agents[0]!, name: 'careful', description: 'Looks twice' };
  const setup = { ...NO_SETUP, agents: [...agents, careful] };
  const setups = { current: () => setup, refresh: async () => setup };
  const over = await harness([[...say('Looked.'), finish()]], { setups, snapshots: true });
  await over.session.prompt('Look', { agent: 'careful' });
  await passing(over.timer, 16, over.session.rested());
  await over.session.stored();
  const recording = await recordFrom(over.store, over.session.id);
  const agentOf = ({ events }: { events: readonly Event[] }) =>
    events.flatMap((event) => (event.type === 'prompt.accepted' ? event.agent : []));
  expect(agentOf(await rerun(recording, START, { setups }))).toEqual(['careful']);
  expect(agentOf(await rerun(recording))).toEqual(['build']);
});

describe('a compacted conversation', () => {
  /** More text than is kept next to a summary. */
  const long: PartsStep = [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', text: 'long '.repeat(40_000) },
    { type: 'text-end', id: 't' },
  ];
  const compactions = (events: readonly Event[]) =>
    events.flatMap((event) => (event.type === 'context.compacted' ? event.reason : []));

  test('is compacted again: between turns, during a turn, and after a request that was too long; overridden messages are the same', async () => {
    const over = await harness(
      [
        [...long, finish()],
        [...say('They said much.'), finish()],
        [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
        [...say('Much, and then read.'), finish()],
        [...long, finish()],
        [
          { type: 'error', fault: { code: 'context-overflow', what: 'Too long.', retryable: false } },
          finish('error'),
        ],
        [...say('All of it.'), finish()],
        [...say('Done.'), finish()],
        [...say('Really.'), finish()],
      ],
      { tools: builtinTools, workspace: new MemoryWorkspace({ files: START }), snapshots: true },
    );
    const { session, timer } = over;
    const other = { role: 'user' as const, content: 'Third, as it was meant' };
    (await over.sessions.stepper(session.id)).setEditor(async (_, held) => {
      const third =
        held.point === 'request' &&
        held.content.messages.at(-1)?.content === 'Fourth' &&
        held.rendered.at(-1);
      if (!third || held.point !== 'request') return undefined;
      return {
        kind: 'request',
        content: { system: held.content.system, messages: [...held.content.messages.slice(0, -1), other] },
        lasting: [{ messageID: third.messageID, rendered: [other] }],
      };
    });
    const rested = () => passing(timer, 16, session.rested());
    await session.prompt('First');
    await rested();
    session.compact();
    await rested();
    void next(session, 'call.running').then(() => session.compact());
    await session.prompt('Second');
    await rested();
    await session.prompt('Third');
    await rested();
    await session.prompt('Fourth');
    await rested();
    await session.stored();
    expect(compactions(over.events)).toEqual(['person', 'person', 'overflow']);

    const recording = await readRecording(await recordingText(await recordFrom(over.store, session.id)));
    const requests: unknown[] = [];
    const again = await rerun(recording, START, {}, ({ messages }) => requests.push(messages));
    expect(again.session.state.lastTurn?.status).toBe('idle');
    expect(again.report).toEqual(['c1 same']);
    expect(compactions(again.events)).toEqual(compactions(over.events));
    expect(requests).toEqual(over.model.requests.map(({ messages }) => messages));
    expect(requests.at(-1)).toContainEqual(other);
    const [retold] = again.session.state.retold ?? [];
    const prompts = [...again.session.state.messages.values()].filter(({ role }) => role === 'user');
    expect(retold?.messageID).toBe(prompts.at(-1)?.id);
  });
});

describe('edits made while stepping', () => {
  async function edited(): Promise<Recording> {
    const over = await harness(
      [
        [...call('c1', 'read', { filePath: 'nowhere.js' }), finish('tool-calls')],
        [...say('Seen.'), finish()],
      ],
      { tools: builtinTools, workspace: new MemoryWorkspace({ files: START }), snapshots: true },
    );
    const stepper = await over.sessions.stepper(over.session.id);
    const toPause = async (act: () => unknown) => {
      const began = next(over.session, 'pause.began');
      await act();
      await passing(over.timer, 16, began);
    };
    stepper.setBreakpoints([{ point: 'request' }, { point: 'call' }]);
    await toPause(() => over.session.prompt('Fix add'));
    const messages = [{ role: 'user' as const, content: 'Only look: sk-0123456789abcdef0123' }];
    await toPause(() => stepper.step({ kind: 'request', content: { system: 'Be short.', messages } }));
    while (stepper.paused()[0]?.held.point !== 'call') await toPause(() => stepper.step());
    await stepper.runToEnd({ kind: 'input', input: { filePath: 'add.js' } });
    await passing(over.timer, 16, over.session.rested());
    await over.session.stored();
    return readRecording(await recordingText(await recordFrom(over.store, over.session.id)));
  }

  test('are recorded with everything they refer to, can be imported, and are repeated in a live run without pausing', async () => {
    const recording = await edited();
    const [own] = recording.sessions;
    const types = own.events.map(({ type }) => type);
    for (const type of ['pause.began', 'pause.ended', 'request.edited', 'call.edited'] as const)
      expect(types).toContain(type);
    const request = own.events.find((event) => event.type === 'request.edited')?.request;
    expect(new TextDecoder().decode(recording.contents.get(request?.system ?? ''))).toBe('Be short.');
    // Text in the form of a key is masked there too, and the hash is that of the masked text.
    expect(JSON.stringify(request)).toContain('Only look: [secret]');

    const [commit] = await importedSessions(recording, { workspaceID: 'w', newSessionID: () => 'ses_new' });
    expect(commit?.blobs.map(({ hash }) => hash)).toContain(request?.system);
    expect(commit?.session.state.paused).toBeUndefined();

    // A link contains the prompts, and only those messages that were edited.
    const linked = await readRecording(await recordingText(withoutRequests(recording)));
    expect((await recordingText(linked)).length).toBeLessThan((await recordingText(recording)).length);
    const promptless = withoutRequests(recording, { prompts: false });
    expect(promptless.contents.size).toBeLessThan(linked.contents.size);
    const bare = withoutRequests(recording, { edits: false });
    expect((await rerun(bare)).events.some(({ type }) => type === 'request.edited')).toBe(false);
    const { report, session, events } = await rerun(linked);
    expect(report).toEqual(['c1 same']);
    expect(session.state.lastTurn?.status).toBe('idle');
    expect(events.some(({ type }) => type === 'pause.began')).toBe(false);
    expect(events.find((event) => event.type === 'call.edited')).toMatchObject({
      callID: 'c1',
      edit: { kind: 'input', to: { filePath: 'add.js' } },
    });
    const sent = events.find((event) => event.type === 'request.edited')?.request.append[0];
    expect(sent).toMatchObject({ text: '[{"role":"user","content":"Only look: [secret]"}]' });
  });

  test('repeat answers in place of a tool, edited results and overrides', async () => {
    const over = await harness(
      [
        [
          ...call('c1', 'read', { filePath: 'add.js' }),
          ...call('c2', 'glob', { pattern: '*' }),
          finish('tool-calls'),
        ],
        [...say('Seen.'), finish()],
        [...say('Again.'), finish()],
      ],
      { tools: builtinTools, workspace: new MemoryWorkspace({ files: START }), snapshots: true },
    );
    const { session, timer } = over;
    const stepper = await over.sessions.stepper(session.id);
    const other = { role: 'user' as const, content: 'Look twice' };
    stepper.setEditor(async (_, held) => {
      if (held.point === 'call' && held.callID === 'c1')
        return { kind: 'answer', output: 'Nothing is there.', outcome: 'failed' };
      if (held.point === 'result' && held.callID === 'c2') return { kind: 'output', output: 'Some files' };
      const [first] = held.point === 'request' ? held.rendered : [];
      if (held.point !== 'request' || held.rendered.length !== 2 || !first) return undefined;
      return {
        kind: 'request',
        content: { system: held.content.system, messages: [other, ...held.content.messages.slice(1)] },
        lasting: [{ messageID: first.messageID, rendered: [other] }],
      };
    });
    await session.prompt('Look');
    await passing(timer, 16, session.rested());
    await session.prompt('And again');
    await passing(timer, 16, session.rested());
    await session.stored();
    const recording = await readRecording(await recordingText(await recordFrom(over.store, session.id)));

    const again = await rerun(recording, { 'other.js': '' });
    // The comparison uses the result of the tool itself.
    expect(again.report).toEqual(['c1 same', 'c2 differs']);
    const parts = [...again.session.state.parts.values()].flatMap((part) =>
      part.type === 'tool' ? `${part.callID} ${part.outcome}: ${part.output}` : [],
    );
    expect(parts).toEqual(['c1 failed: Nothing is there.', 'c2 ok: Some files']);
    expect(again.session.state.retold).toMatchObject([
      { messageID: [...again.session.state.messages.keys()][0] },
    ]);
    // No edits happen after the end of the run.
    const edits = again.events.length;
    await again.session.prompt('And now?', { model: REF });
    await passing(again.timer, 16, again.session.rested());
    expect(again.events.slice(edits).some(({ type }) => type.endsWith('.edited'))).toBe(false);
  });

  test('repeat overrides, and their removal, at the same steps', async () => {
    const over = await harness(
      [
        [...call('c1', 'read', { filePath: 'add.js' }), finish('tool-calls')],
        [...say('Seen.'), finish()],
        [...say('Again.'), finish()],
        [...say('More.'), finish()],
      ],
      { tools: builtinTools, workspace: new MemoryWorkspace({ files: START }), snapshots: true },
    );
    const { session, timer } = over;
    const stepper = await over.sessions.stepper(session.id);
    const other = { role: 'user' as const, content: 'Look twice' };
    stepper.setEditor(async (_, held) => {
      const [first] = held.point === 'request' ? held.rendered : [];
      if (held.point !== 'request' || held.rendered.length !== 1 || !first) return undefined;
      return {
        kind: 'request',
        content: { system: 'Be short.', messages: [other] },
        lasting: [{ messageID: first.messageID, rendered: [other] }],
        systemLasts: true,
      };
    });
    const sayIt = async (text: string) => {
      await session.prompt(text);
      await passing(timer, 16, session.rested());
    };
    await sayIt('Look');
    const [promptID = ''] = session.state.messages.keys();
    await session.tellAsItIs(promptID);
    await sayIt('And again');
    await session.tellOwnSystem('build');
    await sayIt('And more');
    await session.stored();
    const recording = await readRecording(await recordingText(await recordFrom(over.store, session.id)));

    const told = over.model.requests.map(({ system, messages }) => [system, messages[0]]);
    const own = told[3]?.[0];
    expect(told).toEqual([
      ['Be short.', other],
      ['Be short.', other],
      ['Be short.', { role: 'user', content: 'Look' }],
      [own, { role: 'user', content: 'Look' }],
    ]);
    const requests: unknown[] = [];
    const again = await rerun(recording, START, {}, ({ system, messages }) =>
      requests.push([system, messages[0]]),
    );
    expect(again.report).toEqual(['c1 same']);
    expect(requests).toEqual(told);
    expect(again.session.state.retold).toBeUndefined();
    expect(again.session.state.retoldSystems).toBeUndefined();
    const kinds = ({ type }: { type: string }) => type.endsWith('.retold');
    expect(again.events.filter(kinds).map(({ type }) => type)).toEqual(
      over.events.filter(kinds).map(({ type }) => type),
    );
  });
});
