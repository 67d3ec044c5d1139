import { FaultError } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { AutomationSettings } from '../automation/arguments.ts';
import type { AutomationHost } from '../automation/automation.ts';
import { parseScript } from '../models/script/schema.ts';
import { messageRecord } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { SessionFollower } from '../session/follower.ts';
import { defaultAgent, type Agent } from '../agents/agents.ts';
import { NO_SETUP } from '../agents/setup.ts';
import { configuredRules } from '../agents/rules.ts';
import type { Storage } from '../storage/storage.ts';
import type { AppParts } from './app.ts';

/** What the composition root has joined. */
export interface Started {
  readonly parts: AppParts;
  readonly storage: Storage;
}

/** Lends the app to `window.vitrine`. What it opens, the page shows: the address names the session. */
export function automationHost({ parts, storage }: Started): AutomationHost {
  const { app, models, permissions, sessions, registry } = parts;

  async function openSession(id: string): Promise<Session> {
    const session = await app.sessions.open(id);
    if (session instanceof SessionFollower)
      throw new FaultError({
        code: 'workspace-elsewhere',
        what: 'This session is written by another tab.',
        where: id,
        next: 'Drive that tab, or take the workspace over.',
      });
    show(id);
    return sessions.open(id);
  }

  async function createSession(files?: Readonly<Record<string, string>>): Promise<Session> {
    const workspaceID = files ? await parts.workspaceWith(files) : await defaultWorkspace();
    const session = await sessions.create({ workspaceID });
    show(session.id);
    return session;
  }

  /** Of the session that the page shows. */
  function workspaceHere(): string | undefined {
    const id = shown();
    return sessions.live().find((session) => session.id === id)?.state.workspaceID;
  }

  function setupHere() {
    const id = workspaceHere();
    return (id === undefined ? undefined : app.configurations.of(id)?.setup) ?? NO_SETUP;
  }

  async function defaultWorkspace(): Promise<string> {
    const current = shown();
    // From its record: one whose log is damaged cannot be opened, and others are made beside it.
    const record = (await app.sessions.list()).find(({ id }) => id === current);
    if (record) return record.state.workspaceID;
    return ((await app.workspaces.list())[0] ?? (await app.workspaces.create())).id;
  }

  return {
    ready: parts.ready,
    async configure({ provider, model = '', baseURL, apiKey, script, permission }: AutomationSettings) {
      const parsed = script === undefined ? undefined : parseScript(script);
      parts.automate();
      await models.choose(
        {
          provider,
          model: model || (provider === 'you' ? provider : ''),
          ...(baseURL !== undefined && { baseURL }),
        },
        apiKey === undefined ? undefined : { value: apiKey, remember: false },
      );
      // Last of what can fail: settings that are refused must not leave more allowed than before.
      permissions.override(permission);
      if (parsed) parts.setScript(model, parsed);
      if (parsed?.files) await createSession(parsed.files);
    },
    model() {
      const choice = models.choice();
      return choice ? { provider: choice.provider, model: choice.model } : undefined;
    },
    async currentSession() {
      const id = shown();
      return id ? openSession(id) : createSession();
    },
    openSession,
    createSession,
    sessions: () => app.sessions.list(),
    async messages(id) {
      const session = await app.sessions.open(id);
      while (await session.loadOlder());
      return [...session.state.messages.values()].map((message) => messageRecord(session.state, message));
    },
    async events(id) {
      const events = await storage.sessions.events(id, 0);
      if (events.length === 0) await app.sessions.open(id);
      return events;
    },
    async export(id) {
      const recording = await (await app.recordings()).record(id);
      const { recordingText } = await import('../session/recording/record.ts');
      return JSON.parse(recordingText(recording)) as Json;
    },
    async import(value) {
      const { readRecording } = await import('../session/recording/read.ts');
      const recording = await readRecording(JSON.stringify(value));
      const id = await (await app.recordings()).import(recording);
      show(id);
      return id;
    },
    currentWorkspace: async () => app.workspaces.open(await defaultWorkspace()),
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
      const everywhere = await registry.tools(ref, agent, { rules });
      const here =
        workspaceID === undefined
          ? []
          : await registry.tools(ref, agent, { rules, workspace: await app.workspaces.open(workspaceID) });
      const tools = [...new Map([...everywhere, ...here].map((tool) => [tool.id, tool])).values()];
      return tools.map(({ id, description, schema }) => ({ id, description, schema: schema as Json }));
    },
    setAnswerer: (answerer) => parts.setAnswerer(answerer),
    setQuestionAnswerer: (answerer) => parts.setQuestionAnswerer(answerer),
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

function shown(): string | undefined {
  return /^#\/session\/([\w-]+)$/.exec(location.hash)?.[1];
}

function show(id: string): void {
  if (shown() !== id) location.hash = `#/session/${id}`;
}
