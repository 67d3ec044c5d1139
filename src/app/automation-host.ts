import { FaultError } from '../base/fault.ts';
import type { AutomationHost } from '../automation/types.ts';
import type { Script } from '../models/script/schema.ts';
import type { Session } from '../session/session.ts';
import { SessionFollower } from '../session/log/follower.ts';
import { NO_SETUP } from '../agents/setup.ts';
import type { AppParts } from './app.ts';
import { configure } from './automation-configure.ts';
import { listenToAll } from './automation-events.ts';
import { requireModel } from './automation-models.ts';
import { recordsOf } from './automation-records.ts';
import { requireAgent, toolsHere } from './automation-tools.ts';
import { seedPage } from './seed-page.ts';
import { showSession, shownSessionID } from './shown-session.ts';

/** The app and its parts, once they are created. */
export interface CreatedApp {
  readonly parts: AppParts;
}

/**
 * Connects the app to `window.vitrine`. The page shows each session that automation opens, because the address names
 * it.
 */
export function automationHost({ parts }: CreatedApp): AutomationHost {
  seedPage(location.search, () => localStorage);
  const { app, models, sessions, registry } = parts;
  const { openSession, createSession, workspaceHere, setupHere } = accessTo(parts);
  const defaultWorkspace = () => workspaceOfPage(parts);
  let script: Script | undefined;

  return {
    ready: parts.ready,
    async configure(settings) {
      const chosen = await configure(parts, settings);
      script = chosen;
      if (chosen?.files) await createSession(chosen.files);
    },
    async unplayed() {
      if (!script) return null;
      const { unplayedSteps } = await import('../models/script/plan.ts');
      return unplayedSteps(script);
    },
    model() {
      const choice = models.choice();
      return choice ? { provider: choice.provider, model: choice.model } : undefined;
    },
    async currentSession() {
      const id = shownSessionID();
      return id ? openSession(id) : createSession();
    },
    openSession,
    createSession,
    sessions: () => app.sessions.list(),
    ...recordsOf(parts),
    async restore(id, options) {
      const { restoreSession } = await import('./automation-restore.ts');
      return restoreSession(await openSession(id), options);
    },
    async changes({ since = 'session' }) {
      const { changesOf } = await import('./automation-restore.ts');
      const id = shownSessionID();
      const session = id === undefined ? undefined : await openSession(id);
      const workspace = await app.workspaces.open(await defaultWorkspace());
      return changesOf(workspace, session, since, (hash) => sessions.content(hash));
    },
    currentWorkspace: async () => app.workspaces.open(await defaultWorkspace()),
    trust: async () => trust(parts, await defaultWorkspace()),
    liveSessions: () =>
      sessions.live().flatMap((session) => (session instanceof SessionFollower ? [] : session)),
    requireAgent: (name) => requireAgent(name, setupHere().agents),
    requireModel: (model) => requireModel(models, model),
    tools: (options) => toolsHere(parts, workspaceHere(), setupHere, options),
    async registerTool(tool) {
      const { registeredTool } = await import('../automation/registered-tool.ts');
      return registry.register(registeredTool(tool));
    },
    setAnswerer: (answerer) => parts.setAnswerer(answerer),
    setQuestionAnswerer: (answerer) => parts.setQuestionAnswerer(answerer),
    onEvents: (listener) => listenToAll(sessions, listener),
  };
}

/** Opens and makes sessions, which the page then shows, and tells what belongs to the one on it. */
function accessTo(parts: AppParts) {
  const { app, sessions } = parts;

  async function openSession(id: string): Promise<Session> {
    const session = await app.sessions.open(id);
    if (session instanceof SessionFollower)
      throw new FaultError({
        code: 'workspace-elsewhere',
        what: 'Another tab writes to this session.',
        where: id,
        next: 'Use that tab, or take over the workspace.',
      });
    showSession(id);
    return sessions.open(id);
  }

  async function createSession(
    files?: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  ): Promise<Session> {
    const workspaceID = files ? await parts.workspaceWith(files) : await workspaceOfPage(parts);
    const session = await sessions.create({ workspaceID });
    showSession(session.id);
    return session;
  }

  /** The workspace of the session on the page. */
  function workspaceHere(): string | undefined {
    const id = shownSessionID();
    return sessions.live().find((session) => session.id === id)?.state.workspaceID;
  }

  function setupHere() {
    const id = workspaceHere();
    return (id === undefined ? undefined : app.configurations.of(id)?.setup) ?? NO_SETUP;
  }

  return { openSession, createSession, workspaceHere, setupHere };
}

/** Trusts all that the files of a workspace would allow right now, and returns it in words. */
async function trust({ app }: AppParts, id: string): Promise<readonly string[]> {
  await app.workspaces.open(id);
  await app.configurations.refresh(id);
  const grants = app.configurations.of(id)?.grants;
  if (!grants) return [];
  await app.configurations.answer(id, grants.hash, true);
  return grants.list.map(({ what }) => what);
}

/** The workspace of the session on the page, or else the first one, which is created if there is none. */
async function workspaceOfPage({ app }: AppParts): Promise<string> {
  const current = shownSessionID();
  // Read from the session's record, because a session with a damaged log cannot be opened and others must stay
  // usable.
  const record = (await app.sessions.list()).find(({ id }) => id === current);
  if (record) return record.state.workspaceID;
  return ((await app.workspaces.list())[0] ?? (await app.workspaces.create({ mayTryContainer: true }))).id;
}
