import { pageClock, pageIds } from '../../src/base/clock.ts';
import type { Timer } from '../../src/base/timer.ts';
import { subagents } from '../../src/agents/agents.ts';
import { LessonsOfApp } from '../../src/app/lessons.ts';
import { createModels } from '../../src/models/models.ts';
import { YouQueue } from '../../src/models/you/queue.ts';
import { EVERYWHERE } from '../../src/permissions/types.ts';
import { Sessions } from '../../src/session/sessions.ts';
import { memoryStorage } from '../../src/storage/memory/storage.ts';
import { builtinTools } from '../../src/tools/builtin.ts';
import { ToolRegistry } from '../../src/tools/registry.ts';
import { taskTools } from '../../src/tools/task/tools.ts';
import { EmbeddedWorkspace } from '../../src/workspace/embedded/embedded-workspace.ts';
import { MemoryJournal } from '../../src/workspace/memory-journal.ts';
import { takeSnapshot } from '../../src/workspace/snapshot.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { connectLocally } from './local-kernel.ts';

/** Nobody waits for the pace of a script. */
const atOnce: Timer = {
  after(_ms, run) {
    const handle = setImmediate(run);
    return () => clearImmediate(handle);
  },
};

/** Lessons over everything that the app joins for them, in Node: the loop, the tools, the embedded workspace. */
export async function lessonApp(storage = memoryStorage(), language = 'en') {
  const workspaces = new Map<string, Workspace>();
  const queue = new YouQueue();
  /** Why no workspace can be made, where none can. */
  const full: { told: Error | null } = { told: null };
  const sessions: Sessions = new Sessions({
    store: storage.sessions,
    rules: storage.rules,
    clock: pageClock,
    ids: pageIds,
    timer: atOnce,
    registry: new ToolRegistry([...builtinTools, ...taskTools(subagents)]),
    model: (ref) => models.model(ref),
    defaultModel: () => ({ provider: 'scripted', model: 'none' }),
    workspace: async (id) => opened(id),
    settings: () => ({}),
    snapshot: takeSnapshot,
  });
  const lessons: LessonsOfApp = await LessonsOfApp.open({
    language,
    settings: storage.settings,
    wholeLog: (id) => sessions.wholeLog(id),
    rulesEverywhere: () => storage.rules.list(EVERYWHERE),
    revoke: (id) => storage.rules.remove(id),
    sessions: {
      list: () => sessions.list(),
      create: (options) => sessions.create(options),
      open: (id) => sessions.open(id),
      live: () => sessions.live(),
      onChange: (listener) => sessions.onChange(listener),
    },
    workspaces: { open: async (id) => opened(id), delete: async (id) => void workspaces.delete(id) },
    async makeWorkspace(files) {
      if (full.told) throw full.told;
      const id = pageIds.next('wsp');
      const workspace = new EmbeddedWorkspace({
        id,
        journal: new MemoryJournal(),
        connect: connectLocally,
        programs: async () => ({ shell: new Blob(), search: new Blob() }),
      });
      workspaces.set(id, workspace);
      for (const [path, text] of Object.entries(files))
        await workspace.files.write(path, new TextEncoder().encode(text));
      return id;
    },
  });
  const models = createModels({
    baseURL: () => undefined,
    script: (model) => lessons.script(model),
    you: queue,
    keys: { get: () => undefined, redact: (text) => text },
    network: {
      origin: undefined,
      online: () => true,
      localAccessDenied: async () => false,
      reachable: async () => true,
    },
    timer: atOnce,
  });

  function opened(id: string): Workspace {
    const workspace = workspaces.get(id);
    if (!workspace) throw new Error(`No workspace ${id}`);
    return workspace;
  }

  return {
    lessons,
    workspaces,
    full,
    queue,
    sessions,
    storage,
    close: async () => {
      for (const workspace of workspaces.values()) await workspace.close();
    },
  };
}
