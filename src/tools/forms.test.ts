import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { call, finish, say, type PartsStep } from '../../test/support/parts-model.ts';
import { echo, harness, next, type HarnessOptions } from '../../test/support/session-harness.ts';
import { TestCall } from '../../test/support/tool-context.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { PermissionSettings } from '../permissions/settings.ts';
import { PermissionDenied, type Answerer } from '../permissions/types.ts';
import type { Event } from '../session/log/events.ts';
import { ROOT } from '../workspace/workspace.ts';
import { bashTool } from './bash/bash.ts';
import { batchTool } from './batch/tool.ts';
import { builtinTools } from './builtin.ts';
import { define } from './define.ts';
import { globTool } from './glob/glob.ts';
import { grepTool } from './grep/grep.ts';
import { planTools } from './plan/tools.ts';
import type { ToolContext, ToolReturn } from './tool.ts';

/** The accepted forms of defining and calling a tool that no other test covers. */

const done: PartsStep = [...say('Done.'), finish()];

/** A tool named `probe` without arguments. */
const probe = (execute: (context: ToolContext) => Promise<ToolReturn>) =>
  define('probe', {
    description: 'Tries something.',
    parameters: z.object({}),
    asksFirst: true,
    execute: (_, context) => execute(context),
  });

/** Runs a turn of several steps that each call `probe`, and returns how the calls ended. */
async function probing(
  execute: (context: ToolContext) => Promise<ToolReturn>,
  options: HarnessOptions & { readonly times?: number } = {},
) {
  const { times = 1 } = options;
  const steps = Array.from({ length: times }, (_, n) => [
    ...call(`c${n + 1}`, 'probe', { n }),
    finish('tool-calls'),
  ]);
  const made = await harness([...steps, done], { ...options, tools: [probe(execute)] });
  await made.session.prompt('Go');
  await made.session.rested();
  return { ...made, ended: endsOf(made.events) };
}

const endsOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'call.ended' ? [`${event.outcome}: ${event.output}`] : []));

describe('the context', () => {
  test('identifies the call', async () => {
    let seen: JsonObject = {};
    const { session } = await probing(async (context) => {
      const { sessionID, messageID, callID, agent, model, directory, worktree, extra } = context;
      seen = { sessionID, messageID, callID, agent, model, directory, worktree, extra };
      expect(context.abort).toBeInstanceOf(AbortSignal);
      expect(context.abort.aborted).toBe(false);
      return '';
    });
    expect(seen).toEqual({
      ...{ sessionID: session.id, messageID: 'msg_2', callID: 'c1', agent: 'build' },
      ...{ model: { provider: 'test', model: 'parts' }, directory: ROOT, worktree: ROOT, extra: {} },
    });
  });
});

describe('ask', () => {
  const forms = {
    'with permission and patterns': (context: ToolContext) =>
      context.ask({ permission: 'deploy', patterns: ['eu'], always: ['*'], metadata: { to: 'eu' } }),
    'with tool, action and params': (context: ToolContext) =>
      context.ask({ tool: 'deploy', action: 'eu', params: { to: 'eu' } }),
  };

  test.each(Object.entries(forms))('%s resolves to true once it is allowed', async (_, ask) => {
    const { ended, events } = await probing(async (context) => await ask(context), {
      answerer: async () => ({ reply: 'once' }),
    });
    expect(ended).toEqual(['ok: true']);
    expect(events.find(({ type }) => type === 'permission.asked')).toMatchObject({
      ...{ tool: 'probe', permission: 'deploy', patterns: ['eu'] },
      subject: { kind: 'input', input: { to: 'eu' } },
    });
  });

  test.each(Object.entries(forms))('%s throws where it is refused', async (_, ask) => {
    const caught: unknown[] = [];
    const trying = (context: ToolContext) =>
      ask(context).catch((error: unknown) => {
        caught.push(error);
        throw error;
      });
    const refused = await probing(trying, { answerer: async () => ({ reply: 'reject', message: 'no' }) });
    expect(refused.ended).toEqual(['denied: The user refused this call and said: no']);
    const denied = await probing(trying, { settings: { deploy: 'deny' } });
    expect(denied.ended).toEqual([expect.stringMatching(/^denied: /)]);
    expect(caught).toHaveLength(2);
    expect(caught[1]).toBeInstanceOf(PermissionDenied);
  });

  test('the patterns for "Always" grant nothing by themselves', async () => {
    const asked = async (answerer: Answerer) => {
      const { events } = await probing(
        (context) => context.ask({ permission: 'deploy', patterns: ['eu'], always: ['*'] }),
        { times: 2, answerer },
      );
      return events.filter(({ type }) => type === 'permission.asked').length;
    };
    expect(await asked(async () => ({ reply: 'once' }))).toBe(2);
    expect(await asked(async () => ({ reply: 'session', patterns: ['*'] }))).toBe(1);
  });
});

test('each outcome is one of four statuses', async () => {
  const failing = define('failing', {
    description: 'Fails.',
    parameters: z.object({}),
    execute: async () => {
      throw new Error('It failed.');
    },
  });
  const { session } = await harness(
    [
      [
        ...call('ok', 'echo', {}),
        ...call('failed', 'failing', {}),
        ...call('denied', 'probe', {}),
        ...call('invalid', 'nothing', {}),
        ...call('cancelled', 'question', { question: 'Which?' }),
        finish('tool-calls'),
      ],
    ],
    {
      tools: [
        echo,
        failing,
        probe((context) => context.ask({ permission: 'deploy', patterns: [] })),
        ...builtinTools,
      ],
      settings: { deploy: { '*': 'deny' } },
    },
  );
  const waiting = next(session, 'question.asked');
  await session.prompt('Go');
  await waiting;
  const statusOf = (callID: string) => {
    const part = session.state.parts.get(`msg_2/tool/${callID}`);
    return part?.type === 'tool' ? [part.status, part.outcome] : [];
  };
  expect(statusOf('cancelled')).toEqual(['pending', undefined]);
  session.abort();
  await session.rested();
  expect(statusOf('ok')).toEqual(['completed', 'ok']);
  for (const outcome of ['failed', 'denied', 'invalid', 'cancelled'])
    expect(statusOf(outcome)).toEqual(['error', outcome]);
});

describe('searches', () => {
  test.each([
    ['glob', globTool],
    ['grep', grepTool],
  ] as const)('%s ends after 60 seconds and at 100, and says both', async (kind, tool) => {
    const call = new TestCall({ files: { 'a.txt': 'a' } });
    const asked: { timeoutMs: number; limit: number }[] = [];
    const rest = { truncated: true, timedOut: true, hidden: 0, ignored: false };
    call.workspace.search.glob = async (query) => {
      asked.push(query);
      return { paths: [`${ROOT}/a.txt`], ...rest };
    };
    call.workspace.search.grep = async (query) => {
      asked.push(query);
      return { matches: [{ path: `${ROOT}/a.txt`, line: 1, text: 'a' }], ...rest };
    };
    const result = await call.run(tool, { pattern: 'a' });
    expect(asked).toEqual([expect.objectContaining({ timeoutMs: 60_000, limit: 100 })]);
    expect(result.output, kind).toContain('ended after 60 seconds');
    expect(result.output).toMatch(/Only the first 1 are shown|more are available/);
    expect(result.metadata).toMatchObject({ truncated: true, timedOut: true });
  });
});

test('a search with megabytes of matches is cut to the limits, and says so', async () => {
  const call = new TestCall({ files: { 'a.txt': `${'x'.repeat(200_000)}\n`.repeat(60) } });
  const result = await call.run(grepTool, { pattern: 'x' });
  expect(new TextEncoder().encode(result.output).length).toBeLessThanOrEqual(52_000);
  expect(result.metadata).toMatchObject({ truncated: true });
});

test('cd does not persist: each command starts at the root, or in its workdir', async () => {
  const call = new TestCall({ shell: () => 0, files: { 'sub/a.txt': '' } });
  await call.run(bashTool, { command: 'cd sub' });
  await call.run(bashTool, { command: 'pwd' });
  await call.run(bashTool, { command: 'pwd', workdir: 'sub' });
  expect(call.workspace.spawned.map(({ options }) => options.cwd)).toEqual([ROOT, ROOT, `${ROOT}/sub`]);
});

test('a full output has a session directory, a number, its sizes and a call to read more', async () => {
  const text = 'word '.repeat(20_000);
  const call = new TestCall({
    shell: ({ print }) => {
      print(text);
      return 0;
    },
  });
  const { output, metadata } = await call.run(bashTool, { command: 'say' });
  const path = '~/.opencode/truncate/ses_1/tool_bash_001.txt';
  expect(metadata).toMatchObject({ originalSize: 100_000, truncatedSize: 51_200, outputPath: path });
  expect(output).toContain('Full output (1 line, 98 KB)');
  expect(output).toContain(`read(filePath="${path}", offset=1, limit=100)`);
});

describe('batch', () => {
  const made = { tool: 'read', args: { filePath: 'a.txt' } };
  const spelled = { tool: 'read', parameters: { filePath: 'a.txt' } };
  test.each<[string, JsonObject]>([
    ['tools and args', { tools: [made] }],
    ['tools and parameters', { tools: [spelled] }],
    ['tool_calls and args', { tool_calls: [made] }],
    ['tool_calls and parameters', { tool_calls: [spelled] }],
  ])('takes %s', async (_, input) => {
    const call = new TestCall();
    for (const atomic of [false, true]) await call.run(batchTool, { ...input, atomic });
    expect(call.made).toEqual([
      { calls: [made], atomic: false },
      { calls: [made], atomic: true },
    ]);
  });
});

/** The tools that a model is offered. */
async function offered(options: {
  readonly settings?: PermissionSettings;
  readonly agent?: string;
  readonly flags?: ReadonlySet<string>;
}): Promise<readonly string[]> {
  const { agent = 'build', ...rest } = options;
  const { session, model } = await harness([done], { tools: builtinTools, ...rest });
  await session.prompt('Go', { agent });
  await session.rested();
  return model.requests[0]?.tools.map(({ name }) => name) ?? [];
}

describe('a tool that is denied entirely', () => {
  test.each<[string, PermissionSettings, readonly string[]]>([
    ['bash', { bash: 'deny' }, ['bash']],
    ['edit, with all that change files', { edit: 'deny' }, ['edit', 'write', 'apply_patch']],
    ['all whose name begins so', { 'todo*': 'deny' }, ['todowrite', 'todoread']],
  ])('is never shown: %s', async (_, settings, gone) => {
    const all = await offered({});
    expect(await offered({ settings })).toEqual(all.filter((name) => !gone.includes(name)));
  });

  test('is shown where a part of it is not denied', async () => {
    expect(await offered({ settings: { bash: { '*': 'deny', 'git *': 'ask' } } })).toContain('bash');
  });

  test('no tool is offered that is denied to everyone or to the agent', async () => {
    expect(await offered({ settings: 'deny' })).toEqual([]);
    const explore = await offered({ agent: 'explore' });
    expect(explore).toContain('read');
    expect(explore).not.toContain('edit');
    expect(explore).not.toContain('todowrite');
  });

  test('is not named to a model that calls it anyway', async () => {
    const { session, events } = await harness(
      [[...call('c1', 'bash', { command: 'ls' }), finish('tool-calls')], done],
      {
        tools: builtinTools,
        settings: { bash: 'deny' },
      },
    );
    await session.prompt('Go');
    await session.rested();
    expect(endsOf(events)).toEqual([
      expect.stringMatching(/^invalid: There is no tool named 'bash'\. The tools are: read, /),
    ]);
  });
});

test('switches of the settings decide whether a tool is shown', async () => {
  expect(await offered({})).not.toContain('batch');
  expect(await offered({ flags: new Set(['experimental.batch_tool']) })).toContain('batch');
});

test('a name in upper case means the tool in lower case; planning tools may have a hyphen', async () => {
  const places = { planner: 'plan', builder: 'build', folder: '.opencode/plans' };
  const said: Json[] = [];
  const { session, events } = await harness(
    [
      [...call('c1', 'ECHO', { text: 'a' }), ...call('c2', 'plan-enter', {}), finish('tool-calls')],
      [...call('c3', 'Plan-Exit', {}), finish('tool-calls')],
      done,
    ],
    {
      tools: [echo, ...planTools(places)],
      questionAnswerer: async ({ tool }) => {
        said.push(tool);
        return [['Yes']];
      },
    },
  );
  await session.prompt('Go');
  await session.rested();
  expect(endsOf(events).map((line) => line.slice(0, 5))).toEqual(['ok: a', 'ok: T', 'ok: T']);
  expect(said).toEqual(['plan_enter', 'plan_exit']);
});
