import { FaultError } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { AutomationSettings } from '../automation/arguments.ts';
import type { AutomationHost } from '../automation/automation.ts';
import { parseScript } from '../models/script/schema.ts';
import { conversationOf } from '../session/log/path.ts';
import { messageRecord } from '../session/log/records.ts';
import type { Session } from '../session/session.ts';
import { SessionFollower } from '../session/log/follower.ts';
import { BROWSER_MODEL } from '../ui/app.ts';
import { defaultAgent, type Agent } from '../agents/agents.ts';
import { NO_SETUP } from '../agents/setup.ts';
import { configuredRules } from '../agents/rules.ts';
import type { AppParts } from './app.ts';
import { listenToAll } from './automation-events.ts';

/** The names of the models of providers that have one only. */
const ONLY_MODELS: ReadonlyMap<string, string> = new Map([
  ['you', 'you'],
  ['browser', BROWSER_MODEL],
]);

/** The app and its parts, once they are created. */
export interface CreatedApp {
  readonly parts: AppParts;
}

/**
 * Connects the app to `window.vitrine`. The page shows each session that automation opens, because the address names
 * it.
 */
export function automationHost({ parts }: CreatedApp): AutomationHost {
  const { app, models, permissions, sessions, registry } = parts;

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

  async function createSession(files?: Readonly<Record<string, string>>): Promise<Session> {
    const workspaceID = files ? await parts.workspaceWith(files) : await defaultWorkspace();
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

  async function defaultWorkspace(): Promise<string> {
    const current = shownSessionID();
    // Read from the session's record, because a session with a damaged log cannot be opened and others must stay
    // usable.
    const record = (await app.sessions.list()).find(({ id }) => id === current);
    if (record) return record.state.workspaceID;
    return ((await app.workspaces.list())[0] ?? (await app.workspaces.create({ mayTryContainer: true }))).id;
  }

  return {
    ready: parts.ready,
    async configure({
      provider,
      model = '',
      baseURL,
      apiKey,
      script,
      permission,
      hosts,
    }: AutomationSettings) {
      const parsed = script === undefined ? undefined : parseScript(script);
      parts.automate();
      await models.choose(
        {
          provider,
          model: model || ONLY_MODELS.get(provider) || '',
          ...(baseURL !== undefined && { baseURL }),
        },
        apiKey === undefined ? undefined : { value: apiKey, remember: false },
      );
      // Set last, after everything that can fail: refused settings must not leave more allowed than before.
      if (hosts) await app.hosts.addHosts(hosts);
      permissions.override(permission);
      if (parsed) parts.setScript(model, parsed);
      if (parsed?.files) await createSession(parsed.files);
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
    async messages(id) {
      const session = await app.sessions.open(id);
      while (await session.loadOlder());
      return conversationOf(session.state).map((message) => messageRecord(session.state, message));
    },
    async events(id) {
      const events = await sessions.wholeLog(id);
      if (events.length === 0) await app.sessions.open(id);
      return events;
    },
    async export(id) {
      const recording = await (await app.recordings()).record(id);
      const { recordingText } = await import('../session/recording/record.ts');
      return JSON.parse(await recordingText(recording)) as Json;
    },
    async import(value) {
      const { readRecording } = await import('../session/recording/read.ts');
      const recording = await readRecording(JSON.stringify(value));
      const id = await (await app.recordings()).import(recording);
      showSession(id);
      return id;
    },
    async fork(id, { at }) {
      const count = at ?? (await sessions.wholeLog(id)).length;
      const forked = await (await app.recordings()).fork(id, count);
      showSession(forked);
      return forked;
    },
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
    async trust() {
      const id = await defaultWorkspace();
      await app.workspaces.open(id);
      await app.configurations.refresh(id);
      const grants = app.configurations.of(id)?.grants;
      if (!grants) return [];
      await app.configurations.answer(id, grants.hash, true);
      return grants.list.map(({ what }) => what);
    },
    liveSessions: () =>
      sessions.live().flatMap((session) => (session instanceof SessionFollower ? [] : session)),
    requireAgent: (name) => requireAgent(name, setupHere().agents),
    async tools({ agent = defaultAgent.name, model }) {
      const workspaceID = workspaceHere();
      if (workspaceID !== undefined) await app.configurations.refresh(workspaceID);
      const setup = setupHere();
      requireAgent(agent, setup.agents);
      const choice = models.choice();
      const ref = { provider: choice?.provider ?? 'scripted', model: model ?? choice?.model ?? '' };
      const rules = configuredRules(agent, permissions.current(), [], setup);
      const tools =
        workspaceID === undefined
          ? await registry.tools(ref, agent, { rules })
          : await registry.tools(ref, agent, {
              rules,
              workspace: await app.workspaces.open(workspaceID),
              own: app.configurations.ownFiles(),
            });
      // Without a workspace there are no skills yet.
      const offered = workspaceID === undefined ? tools.filter(({ id }) => id !== 'skill') : tools;
      return offered.map(({ id, description, schema }) => ({ id, description, schema: schema as Json }));
    },
    async registerTool(tool) {
      const { registeredTool } = await import('../automation/registered-tool.ts');
      registry.register(registeredTool(tool));
    },
    setAnswerer: (answerer) => parts.setAnswerer(answerer),
    setQuestionAnswerer: (answerer) => parts.setQuestionAnswerer(answerer),
    onEvents: (listener) => listenToAll(sessions, listener),
  };
}

function requireAgent(name: string, agents: readonly Agent[]): void {
  if (agents.some((agent) => agent.name === name)) return;
  throw new FaultError({
    code: 'agent-unknown',
    what: 'There is no agent of this name.',
    where: name,
    next: `The agents are: ${agents.map((agent) => agent.name).join(', ')}.`,
  });
}

function shownSessionID(): string | undefined {
  return /^#\/session\/([\w-]+)$/.exec(location.hash)?.[1];
}

function showSession(id: string): void {
  if (shownSessionID() !== id) location.hash = `#/session/${id}`;
}
