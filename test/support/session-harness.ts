import * as z from 'zod';
import { countingIds, steppingClock, type Clock, type Ids } from '../../src/base/clock.ts';
import type { Json } from '../../src/base/json.ts';
import type { PermissionSettings } from '../../src/permissions/settings.ts';
import type { Answerer } from '../../src/permissions/types.ts';
import type { ModelFacts } from '../../src/session/log/cost.ts';
import type { Event, EventOf, EventType, ModelRef } from '../../src/session/log/events.ts';
import type { Model } from '../../src/session/request/model.ts';
import type { QuestionAnswerer } from '../../src/session/calls/questions.ts';
import type { Session } from '../../src/session/session.ts';
import type { Setups } from '../../src/session/deps.ts';
import { Sessions } from '../../src/session/sessions.ts';
import type { SessionStore } from '../../src/session/log/store.ts';
import { memoryStorage } from '../../src/storage/memory/storage.ts';
import { define } from '../../src/tools/define.ts';
import type { ToolHooks } from '../../src/tools/hooks.ts';
import { ToolRegistry } from '../../src/tools/registry.ts';
import type { ToolContext, ToolInfo } from '../../src/tools/tool.ts';
import { takeSnapshot } from '../../src/workspace/snapshot.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ManualTimer } from './manual-timer.ts';
import { MemoryWorkspace } from './memory-workspace.ts';
import { PartsModel, type Steps } from './parts-model.ts';

export interface HarnessOptions {
  readonly tools?: readonly ToolInfo[];
  readonly settings?: PermissionSettings;
  readonly answerer?: Answerer;
  readonly questionAnswerer?: QuestionAnswerer;
  readonly store?: SessionStore;
  readonly workspace?: MemoryWorkspace;
  /** In place of the one in memory. */
  readonly runsIn?: Workspace;
  readonly ids?: Ids;
  readonly clock?: Clock;
  readonly hooks?: readonly ToolHooks[];
  readonly flags?: ReadonlySet<string>;
  /** In place of one made of `tools`. */
  readonly registry?: ToolRegistry;
  /** Of the model. */
  readonly facts?: ModelFacts;
  readonly makesRoom?: () => boolean;
  readonly titles?: () => boolean;
  /** No model is set up. */
  readonly noModel?: boolean;
  /** For titles and summaries. */
  readonly smallModel?: () => ModelRef | undefined;
  readonly onCommitted?: (sessionID: string, events: readonly Event[]) => void;
  /** In place of the one that says the steps. */
  readonly model?: () => Model;
  /** Whether a model that a file names has what it needs. */
  readonly isSetUp?: (ref: ModelRef) => boolean;
  /** The files are kept as they were before the first call. */
  readonly snapshots?: boolean;
  readonly setups?: Setups;
}

/** Sessions over memory, with a clock and ids that repeat and a model that says what it is told to say. */
export function sessionsOver(steps: Steps, options: HarnessOptions = {}) {
  const storage = memoryStorage();
  const store = options.store ?? storage.sessions;
  const workspace = options.workspace ?? new MemoryWorkspace();
  const model = new PartsModel(steps, undefined, options.facts);
  const timer = new ManualTimer();
  const asked: ModelRef[] = [];
  const sessions = new Sessions({
    store,
    rules: storage.rules,
    clock: options.clock ?? steppingClock(),
    ids: options.ids ?? countingIds(),
    timer,
    registry: options.registry ?? new ToolRegistry(options.tools ?? testTools),
    model: async (ref) => {
      asked.push(ref);
      return options.model?.() ?? model;
    },
    ...(options.isSetUp && { isSetUp: options.isSetUp }),
    defaultModel: () => (options.noModel ? undefined : model.ref),
    workspace: async () => options.runsIn ?? workspace,
    settings: () => options.settings ?? {},
    ...(options.setups && { setups: options.setups }),
    ...(options.hooks && { hooks: options.hooks }),
    ...(options.flags && { flags: () => options.flags ?? new Set() }),
    ...(options.smallModel && { smallModel: options.smallModel }),
    ...(options.titles && { titles: options.titles }),
    ...(options.snapshots && { snapshot: takeSnapshot }),
    ...(options.makesRoom && { makesRoom: options.makesRoom }),
    ...(options.onCommitted && { onCommitted: options.onCommitted }),
    ...(options.answerer && { answerer: () => options.answerer }),
    ...(options.questionAnswerer && { questionAnswerer: () => options.questionAnswerer }),
  });
  return { sessions, store, rules: storage.rules, workspace, model, timer, asked };
}

/** A new session, with everything that happens in it from now on. */
export async function harness(steps: Steps, options: HarnessOptions = {}) {
  const over = sessionsOver(steps, options);
  const session = await over.sessions.create({
    workspaceID: options.runsIn?.id ?? over.workspace.id,
    title: 'Test',
  });
  const events: Event[] = [];
  session.onEvents((batch) => events.push(...batch));
  return { ...over, session, events };
}

/** Resolves with the first event of this type, from now on, that fits. */
export function next<T extends EventType>(
  session: Session,
  type: T,
  fits: (event: EventOf<T>) => boolean = () => true,
): Promise<EventOf<T>> {
  return new Promise((resolve) => {
    const stop = session.onEvents((batch) => {
      for (const event of batch) {
        if (!isType(event, type) || !fits(event)) continue;
        stop();
        return resolve(event);
      }
    });
  });
}

/** Lets time pass, `ms` milliseconds at once, until `promise` resolves. */
export async function passing<T>(timer: ManualTimer, ms: number, promise: Promise<T>): Promise<T> {
  let settled = false;
  void promise.then(() => (settled = true));
  while (!settled) {
    timer.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return promise;
}

function isType<T extends EventType>(event: Event, type: T): event is Event & EventOf<T> {
  return event.type === type;
}

const textInput = z.object({ text: z.string().default('nothing') });

/** Changes nothing and asks nobody. */
export const echo = define('echo', {
  description: 'Says its text back.',
  parameters: textInput,
  readOnly: true,
  execute: async ({ text }) => ({ title: `echo ${text}`, output: text }),
});

/** Asks, then "changes" something. */
export const change = define('change', {
  description: 'Changes something.',
  parameters: textInput,
  asksFirst: true,
  execute: async ({ text }, context) => {
    await askFor(context, text);
    return `changed ${text}`;
  },
});

/** As {@link change}, but takes its time before it knows what to ask for. */
export const pondered = define('pondered', {
  description: 'Changes something after long thought.',
  parameters: textInput,
  asksFirst: true,
  execute: async ({ text }, context) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await askFor(context, text);
    return `changed ${text}`;
  },
});

/** Prints, then runs until it is aborted, and longer. */
export const endless = define('endless', {
  description: 'Never ends.',
  parameters: textInput,
  asksFirst: true,
  execute: async ({ text }, context) => {
    await askFor(context, text);
    context.metadata({ progress: 50 });
    context.output(`${text} so far\n`);
    return new Promise<Json>(() => undefined);
  },
});

function askFor(context: ToolContext, text: string): Promise<true> {
  return context.ask({
    permission: 'change',
    patterns: [text],
    always: ['*'],
    subject: { kind: 'input', input: { text } },
  });
}

export const testTools: readonly ToolInfo[] = [echo, change, pondered, endless];
