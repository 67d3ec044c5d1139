import { configuredRules } from '../agents/rules.ts';
import { realClock, realIds } from '../base/clock.ts';
import { FaultError, faultOf } from '../base/fault.ts';
import type { Hash } from '../base/hash.ts';
import { lazily } from '../base/lazily.ts';
import type { Timer } from '../base/timer.ts';
import { browserNetwork } from '../models/browser-network.ts';
import type { KeyStore } from '../models/keys.ts';
import type { Script } from '../models/types.ts';
import { YouQueue } from '../models/you/queue.ts';
import type { Answerer } from '../permissions/types.ts';
import { visibilityOf } from '../permissions/visibility.ts';
import { RecentBodies } from '../session/inspect/bodies.ts';
import type { Model } from '../session/request/model.ts';
import type { QuestionAnswerer } from '../session/calls/questions.ts';
import { Sessions } from '../session/sessions.ts';
import { TabChannel } from '../storage/channel.ts';
import { webLocks } from '../storage/locks.ts';
import { STORAGE_WIDE_FAULTS } from '../storage/faults.ts';
import type { Storage } from '../storage/storage.ts';
import type { Toolbox } from '../tools/registry.ts';
import { OWN_SCRIPT, type App } from '../ui/app.ts';
import type { Web } from '../tools/webfetch/web.ts';
import type { WorkspaceKind } from '../workspace/workspace.ts';
import { openEmbedded } from '../workspace/embedded/open.ts';
import { takeSnapshot } from '../workspace/snapshot.ts';
import { ContainerSettings } from './container-settings.ts';
import { ConfigurationsOfApp } from './configurations.ts';
import { Containers } from './containers.ts';
import { digest } from './digest.ts';
import { HostSettings } from './host-settings.ts';
import { ConversationSettings } from './conversation-settings.ts';
import { Languages } from './languages.ts';
import { ModelSettings } from './model-settings.ts';
import { pluginHooks } from './plugin-hooks.ts';
import { outputsOutside } from './outputs-outside.ts';
import { PermissionSettingsOfApp } from './permission-settings.ts';
import { protectingStorage } from './protect-storage.ts';
import { SecretsOfApp } from './secrets.ts';
import { SessionsOfApp } from './sessions.ts';
import { starts } from './starts.ts';
import type { StorageNotice } from './storage-notice.ts';
import { WebSettings } from './web-settings.ts';
import { ToolLogOfApp } from './tool-log.ts';
import { AFTER_CHANGES, ToolSettings } from './tool-settings.ts';
import { loadedTools, type LoadedTools } from './tools.ts';
import { ToolServersOfApp } from './tool-servers.ts';
import { reachOf } from './reach/reach.ts';
import { Workspaces } from './workspaces.ts';
import { YouOfApp } from './you.ts';

/** How long deleted sessions and workspaces can be restored. */
const UNDO_MS = 24 * 60 * 60 * 1000;
/** How long full outputs are stored; sessions with Keep on store them longer. */
const OUTPUTS_MS = 7 * 24 * 60 * 60 * 1000;

export interface AppOptions {
  /** The element that gets the frames of workspaces. */
  readonly container: HTMLElement;
  readonly timer: Timer;
  readonly storage: Storage;
  readonly notice: StorageNotice;
  readonly keys: KeyStore;
  /** The kind of new workspaces if none is specified. */
  readonly kind: WorkspaceKind | 'auto';
  /** Whether the owner of this site has switched WebContainers off. */
  readonly containersOff: boolean;
}

/** The app, and those of its parts that automation uses. */
export interface AppParts {
  readonly app: App;
  readonly models: ModelSettings;
  readonly permissions: PermissionSettingsOfApp;
  readonly sessions: Sessions;
  readonly registry: Toolbox;
  /** Resolves when stored settings are read. */
  readonly ready: Promise<void>;
  /** Makes the scripted model of this name play this script from now on. */
  setScript(model: string, script: Script): void;
  /** Stops the app from sending model requests of its own, such as those for titles. */
  automate(): void;
  setAnswerer(answerer: Answerer | null): void;
  setQuestionAnswerer(answerer: QuestionAnswerer | null): void;
  /** Creates a workspace with these files and returns its id. */
  workspaceWith(files: Readonly<Record<string, string>>, name?: string): Promise<string>;
}

/** Creates every part of the app that `options` does not provide. */
export function createApp(options: AppOptions): AppParts {
  const { container, timer, storage, notice, keys, kind } = options;
  const channel = new TabChannel();
  const scripts = new Map<string, Script>();
  const recorded = new Map<string, Model>();
  const network = browserNetwork();
  const youQueue = new YouQueue();
  const conversations = new ConversationSettings(storage.settings);
  let automated = false;
  const web = new WebSettings(storage.settings, keys);
  const hosts = new HostSettings(storage.settings);
  const reach = reachOf({ hosts: () => hosts.hosts(), container, timer });
  const tools = new ToolSettings(storage.settings);
  const toolLog = new ToolLogOfApp({
    before: (...page) => sessions.eventsBefore(...page),
    redact: (text) => keys.redact(text),
  });
  const languages = new Languages(
    timer,
    (id) => configurations.current(id).flags[AFTER_CHANGES] ?? tools.flags().has(AFTER_CHANGES),
  );
  const pages: Web = {
    fetch: (...request) => fetch(...request),
    reachable: (address, signal) => network.reachable(address, signal),
    policed: async (origins) =>
      (await import('./reach/policed-frame.ts')).policedFrame(container, origins.join(' ')),
    proxy: () => web.proxy(),
  };
  const secrets = new SecretsOfApp(storage.settings, keys);
  const registry: LoadedTools = loadedTools(
    pages,
    (service) => web.key(service),
    languages.of,
    toolLog.starts.started,
    () => servers.settled(),
    (workspace) => configurations.tools(workspace),
  );
  const bodies = new RecentBodies();
  const protect = protectingStorage(() => storage.requestPersistence());
  let answerer: Answerer | null = null;
  let questionAnswerer: QuestionAnswerer | null = null;

  const models = new ModelSettings({
    settings: storage.settings,
    keys,
    network,
    timer,
    you: youQueue,
    recorded: (model) => recorded.get(model),
    async script(model) {
      if (model === OWN_SCRIPT) return scripts.get(model) ?? (await ownScript()).script;
      return (
        scripts.get(model) ?? (model.startsWith('lesson/') ? (await lessons()).script(model) : undefined)
      );
    },
  });
  const permissions = new PermissionSettingsOfApp(storage.settings, storage.rules, () =>
    channel.sendChanged('rules'),
  );

  const configurations: ConfigurationsOfApp = new ConfigurationsOfApp({
    settings: storage.settings,
    workspace: (id) => workspaces.open(id),
    permissions: () => permissions.current(),
    timer,
    services: {
      web: pages,
      secrets: {
        names: () => secrets.names(),
        fill: (text, host, context) => secrets.fill(text, host, (ask) => context.ask(ask)),
        hide: (text) => keys.redact(text),
      },
    },
    changed(workspaceID) {
      if (workspaceID === null) channel.sendChanged('configuration');
      for (const session of sessions.live())
        if (
          'rulesChanged' in session &&
          (workspaceID ?? session.state.workspaceID) === session.state.workspaceID
        )
          void session.rulesChanged();
    },
    now: () => realClock.now(),
  });

  const isBusy = (id: string) =>
    sessions.live().some(({ state }) => state.workspaceID === id && state.turn !== null);
  const outside = (id: string) =>
    outputsOutside(
      id,
      () => sessions.live(),
      storage.blobs,
      toolLog.files,
      () => configurations.ownFiles(),
    );
  const containerSettings = new ContainerSettings(storage.settings, options.containersOff);
  const containersReady = containerSettings.load();
  const containers: Containers = new Containers(containerSettings, {
    registry: storage.workspaces,
    timer,
    ready: containersReady,
    journal: (id) => storage.journal(id),
    outside,
    embedded: (id) =>
      openEmbedded({
        id,
        container,
        timer,
        journal: storage.journal(id),
        outside: outside(id),
        reach,
      }),
    isBusy,
  });

  const workspaces: Workspaces = new Workspaces({
    registry: storage.workspaces,
    locks: webLocks(),
    clock: realClock,
    ids: realIds,
    kind,
    tryContainer: (id) => containers.tryFor(id),
    start: (record) => containers.start(record),
    closeSessions: (id) => sessions.closeWorkspace(id),
    closeFollowers: (id) => sessions.closeFollowers(id),
    isBusy,
    isFollowed: (id) => sessions.live().some(({ writable, state }) => !writable && state.workspaceID === id),
    timer,
    changed: () => channel.sendChanged('workspaces'),
  });

  const servers: ToolServersOfApp = new ToolServersOfApp({
    configurations,
    keys,
    secrets,
    timer,
    workspace: (id) => workspaces.open(id),
    reads: (id) => {
      const configured = configuredRules('build', permissions.current(), [], configurations.current(id));
      return { visibility: visibilityOf({ configured, saved: [] }), except: [] };
    },
    register: (tool) => registry.register(tool),
  });

  const workspaceOf = (sessionID: string) =>
    sessions.live().find(({ id }) => id === sessionID)?.state.workspaceID;
  const sessions: Sessions = new Sessions({
    store: storage.sessions,
    rules: storage.rules,
    clock: realClock,
    ids: realIds,
    timer,
    registry,
    hooks: [languages.hooks, pluginHooks(configurations, (id) => workspaceOf(id))],
    madeFiles: toolLog.files,
    flags: () => tools.flags(),
    model: (ref, workspaceID) => models.model(ref, configurations.of(workspaceID)?.providers),
    isSetUp: ({ provider }, workspaceID) =>
      models.isSetUp(provider, configurations.of(workspaceID)?.providers),
    defaultModel() {
      const choice = models.choice();
      if (choice) return { provider: choice.provider, model: choice.model };
      throw new FaultError({
        code: 'no-model',
        what: 'No model is chosen.',
        next: 'Choose one in Settings.',
      });
    },
    workspace: (id) => workspaces.open(id),
    settings: () => permissions.current(),
    setups: configurations,
    answerer: () => answerer ?? undefined,
    questionAnswerer: () => questionAnswerer ?? undefined,
    // Automation counts the model's requests and can set a title itself.
    titles: ({ provider }) =>
      !automated && !['scripted', 'you'].includes(provider) && conversations.current().titles,
    makesRoom: () => conversations.current().summaries,
    snapshot: takeSnapshot,
    digest,
    sentBody: bodies.keep,
    onCommitted(_id, events) {
      channel.sendEvents(events);
      protect(events);
    },
  });
  const appSessions: SessionsOfApp = new SessionsOfApp(
    sessions,
    workspaces,
    () => channel.sendChanged('sessions'),
    (text) => keys.redact(text),
    {
      timer,
      digest,
      blob: (hash) => storage.blobs.get(hash),
      rehearse: (sessionID, ref, request) => {
        const workspaceID = workspaceOf(sessionID);
        const given = workspaceID === undefined ? null : configurations.of(workspaceID);
        return models.rehearse(ref, request, given?.providers);
      },
      keptBody: (id, messageID) => bodies.of(id, messageID),
    },
  );

  const watched = new Set<object>();
  sessions.onChange(() => {
    // The turn may have ended in a workspace that is not on the page.
    workspaces.suspendUnused();
    const live = sessions.live();
    for (const session of watched) {
      if (live.some((other) => other === session)) continue;
      watched.delete(session);
      notice.tell(null, session);
    }
    for (const session of live) {
      if (watched.has(session)) continue;
      watched.add(session);
      session.onProblem((fault) => {
        // Problems of the storage itself are reported by the storage. Reported by a session, they would stay after
        // the storage recovers, because nothing tells the session.
        if (!STORAGE_WIDE_FAULTS.has(fault.code)) notice.tell(fault, session);
      });
      if ('onStorage' in session)
        session.onStorage((log) => notice.tell(log.state === 'failing' ? log.fault : null, session));
    }
  });
  channel.onEvents((events) => {
    const [first] = events;
    if (first) void sessions.receive(first.sessionID, events);
  });
  channel.onChanged((what) => {
    if (what === 'workspaces') workspaces.reread();
    else if (what === 'sessions') appSessions.reread();
    else if (what === 'configuration') void configurations.load().catch(() => undefined);
    else void permissions.load().catch((error: unknown) => notice.tell(faultOf(error)));
  });
  permissions.onChange(() => {
    for (const session of sessions.live()) if ('rulesChanged' in session) void session.rulesChanged();
  });

  async function workspaceWith(
    files: Readonly<Record<string, string>>,
    name?: string,
    // A workspace with files keeps its kind, so there is nothing to try.
    of = kind === 'webcontainer' ? kind : ('embedded' as const),
  ): Promise<string> {
    const { id } = await workspaces.create({ kind: of, ...(name !== undefined && { name }) });
    try {
      const workspace = await workspaces.open(id);
      const encoder = new TextEncoder();
      for (const [path, text] of Object.entries(files))
        await workspace.files.write(path, encoder.encode(text));
    } catch (error) {
      await workspaces.delete(id);
      throw error;
    }
    return id;
  }

  async function purgeExpired(): Promise<void> {
    const now = realClock.now();
    await storage.sessions.purge(now - UNDO_MS);
    await storage.workspaces.purge(now - UNDO_MS);
    // Limited to workspaces that this tab writes: taking the locks of others would shut out other tabs.
    const writableIDs = new Set(
      sessions.live().flatMap(({ state, writable }) => (writable ? state.workspaceID : [])),
    );
    await sessions.dropExpiredOutputs(now - OUTPUTS_MS, (id) => writableIDs.has(id));
  }

  const recordings = lazily(async () => {
    const { RecordingsOfApp } = await import('./recordings.ts');
    const redact = (text: string) => keys.redact(text);
    return new RecordingsOfApp({
      storage,
      sessions,
      appSessions,
      workspaces,
      models: recorded,
      configurations,
      timer,
      ids: realIds,
      redact,
    });
  });

  const ownScript = lazily(async () => (await import('./own-script.ts')).OwnScript.open(storage.settings));

  const lessons = lazily(async () => {
    const { LessonsOfApp } = await import('./lessons.ts');
    return LessonsOfApp.open({
      settings: storage.settings,
      events: storage.sessions,
      sessions: appSessions,
      workspaces,
      makeWorkspace: (files, name) => workspaceWith(files, name, 'embedded'),
    });
  });

  const app: App = {
    sessions: appSessions,
    workspaces,
    containers,
    models,
    permissions,
    configurations,
    secrets,
    servers,
    web,
    hosts,
    conversations,
    tools,
    log: toolLog,
    you: new YouOfApp(
      youQueue,
      registry,
      (id) => sessions.live().find((session) => session.id === id)?.state.agent,
    ),
    storage: notice,
    recordings,
    lessons,
    lessonModel: async (sessionID) =>
      (await storage.settings.get('lessons.progress')) ? (await lessons()).modelOf(sessionID) : null,
    scriptText: async () => (await ownScript()).text,
    async playScript(text) {
      const { title, files } = await (await ownScript()).set(text);
      await models.choose({ provider: 'scripted', model: OWN_SCRIPT });
      if (!files) return null;
      return sessions.create({ workspaceID: await workspaceWith(files, title || undefined), title });
    },
    compare: async (request) =>
      (await import('./comparisons.ts')).compare(request, { sessions, workspaces, configurations }),
    ...starts({
      models,
      sessions,
      scripts,
      workspaceWith: (files, name) => workspaceWith(files, name, 'embedded'),
    }),
    redact: (text) => keys.redact(text),
    blob: (hash: Hash) => storage.blobs.get(hash),
  };

  return {
    app,
    models,
    permissions,
    sessions,
    registry,
    ready: Promise.all([
      models.load(),
      permissions.load(),
      web.load(),
      conversations.load(),
      tools.load(),
      configurations.load(),
      secrets.load(),
    ]).then(() => {
      sessions.warm();
      timer.after(5_000, () => void purgeExpired().catch(() => undefined));
    }),
    setScript: (model, script) => void scripts.set(model, script),
    automate: () => void (automated = true),
    setAnswerer(next) {
      answerer = next;
      for (const session of sessions.live()) if ('answererChanged' in session) session.answererChanged();
    },
    setQuestionAnswerer(next) {
      questionAnswerer = next;
      for (const session of sessions.live()) if ('answererChanged' in session) session.answererChanged();
    },
    workspaceWith,
  };
}
