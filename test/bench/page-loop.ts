import * as z from 'zod';
import { pageClock, pageIds } from '../../src/base/clock.ts';
import { hashText } from '../../src/base/hash.ts';
import { timeoutTimer } from '../../src/base/timer.ts';
import { sdkModel } from '../../src/models/call.ts';
import { ScriptPlan } from '../../src/models/script/plan.ts';
import { scriptedLanguageModel } from '../../src/models/script/scripted.ts';
import type { ModelMessage, Script } from '../../src/models/types.ts';
import { Session } from '../../src/session/session.ts';
import { Sessions } from '../../src/session/sessions.ts';
import { openStorage } from '../../src/storage/open.ts';
import { define } from '../../src/tools/define.ts';
import { ToolRegistry } from '../../src/tools/registry.ts';
import { openEmbedded } from '../../src/workspace/embedded/open.ts';
import { MemoryJournal } from '../../src/workspace/memory-journal.ts';
import { takeSnapshot } from '../../src/workspace/snapshot.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';

/** Model calls in one turn; the agent's limit is 100. */
const STEPS_PER_TURN = 100;
const REF = { provider: 'scripted', model: 'bench' };

/**
 * Each turn: 99 steps with one trivial call (none like the one before, which would be a loop), and some `text` before it,
 * then a last word.
 */
function script(steps: number, text?: string): Script {
  const turns = Array.from({ length: steps / STEPS_PER_TURN }, () => ({
    steps: [
      ...Array.from({ length: STEPS_PER_TURN - 1 }, (_, n) => ({
        ...(text !== undefined && { text }),
        tools: [{ tool: 'ping', input: { n } }],
      })),
      { text: 'Done.' },
    ],
  }));
  return { version: 1, title: 'bench', chunkDelayMs: 0, turns };
}

/** Opened once: its shells warm up in other processes for a while, which is no cost of the loop. */
let opened: Promise<Workspace> | undefined;

async function openWorkspace(): Promise<Workspace> {
  const workspace = openEmbedded({ id: 'loop', journal: new MemoryJournal(), container: document.body });
  await workspace.capabilities();
  return workspace;
}

/**
 * The same, keeping all that a recording is made of: beyond the log, the files as they were at the start and after turns
 * that changed some. How many times as long it takes for that, as if all of it had held up the loop.
 */
export async function recordedLoop(steps: number): Promise<{ readonly ms: number; readonly ratio: number }> {
  let keeping = 0;
  const ms = await ownLoop(steps, async (workspace, sink) => {
    const started = performance.now();
    const manifest = await takeSnapshot(workspace, sink);
    keeping += performance.now() - started;
    return manifest;
  });
  return { ms, ratio: ms / (ms - keeping) };
}

/** Milliseconds for so many steps in a session as the app has it, on IndexedDB, durability rule on. */
export async function ownLoop(steps: number, snapshot?: typeof takeSnapshot): Promise<number> {
  const { session, close } = await openSession(steps, snapshot ? { snapshot } : {});
  const started = performance.now();
  for (let turn = 0; turn < steps / STEPS_PER_TURN; turn++) await runTurn(session, turn);
  const took = performance.now() - started;
  await close();
  return took;
}

export async function runTurn(session: Session, turn: number): Promise<void> {
  await session.prompt(`Turn ${turn}`);
  const status = await session.rested();
  if (status !== 'idle') throw new Error(`The loop ended with ${status}`);
}

interface LoopOptions {
  readonly snapshot?: typeof takeSnapshot;
  /** The work that each call does in the workspace. */
  readonly work?: (workspace: Workspace) => Promise<void>;
  /** The text that the model says before each call. */
  readonly text?: string;
}

/** A session whose scripted model has so many steps to play. */
export async function openSession(
  steps: number,
  { snapshot, work, text }: LoopOptions,
): Promise<{ readonly session: Session; close(): Promise<void>; reopen(): Promise<Session> }> {
  const storage = await openStorage({ onProblem: (fault) => console.error(fault) });
  const workspace = await (opened ??= openWorkspace());
  const languageModel = scriptedLanguageModel(new ScriptPlan(script(steps, text)), 'bench');
  const ping = define('ping', {
    description: 'Answers.',
    parameters: z.object({ n: z.number() }),
    readOnly: true,
    execute: async ({ n }) => {
      await work?.(workspace);
      return `pong ${n}`;
    },
  });
  const sessions = new Sessions({
    store: storage.sessions,
    rules: storage.rules,
    clock: pageClock,
    ids: pageIds,
    timer: timeoutTimer,
    registry: new ToolRegistry([ping]),
    model: async () =>
      sdkModel(REF, {
        load: async () => ({ model: languageModel }),
        fault: async (error) => ({ code: 'bench', what: String(error) }),
      }),
    defaultModel: () => REF,
    workspace: async () => workspace,
    settings: () => ({}),
    digest: async (text) => hashText(text),
    ...(snapshot && { snapshot }),
  });
  const session = await sessions.create({ workspaceID: 'loop' });
  return {
    session,
    reopen: async () => {
      await session.close();
      const again = await sessions.open(session.id);
      if (!(again instanceof Session)) throw new Error('Another tab writes this session.');
      return again;
    },
    async close() {
      await session.close();
      storage.close();
    },
  };
}

/** The same with nothing around it: the SDK's own loop, the same scripted model and tool. */
export async function bareLoop(steps: number): Promise<number> {
  const { streamText, stepCountIs, tool } = await import('ai');
  const model = scriptedLanguageModel(new ScriptPlan(script(steps)), 'bench');
  const ping = tool({
    description: 'Answers.',
    inputSchema: z.object({ n: z.number() }),
    execute: async ({ n }) => `pong ${n}`,
  });
  const messages: ModelMessage[] = [];
  const started = performance.now();
  for (let turn = 0; turn < steps / STEPS_PER_TURN; turn++) {
    messages.push({ role: 'user', content: `Turn ${turn}` });
    const result = streamText({ model, messages, tools: { ping }, stopWhen: stepCountIs(STEPS_PER_TURN) });
    let calls = 0;
    for await (const part of result.fullStream) if (part.type === 'tool-result') calls++;
    if (calls !== STEPS_PER_TURN - 1) throw new Error(`${calls} calls in a turn`);
    messages.push(...(await result.response).messages);
  }
  return performance.now() - started;
}
