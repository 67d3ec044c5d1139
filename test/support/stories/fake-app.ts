import { Stepper } from '../../../src/session/stepping/stepper.ts';
import { countingIds, pageClock } from '../../../src/base/clock.ts';
import { Listeners } from '../../../src/base/listeners.ts';
import { FaultError, type Fault } from '../../../src/base/fault.ts';
import { maskSecrets } from '../../../src/base/secrets.ts';
import { hashText } from '../../../src/base/hash.ts';
import { timeoutTimer } from '../../../src/base/timer.ts';
import { Inspection, type NetworkRequest } from '../../../src/session/inspect/inspection.ts';
import { Audit } from '../../../src/session/log/audit.ts';
import { CallLog } from '../../../src/session/log/call-log.ts';
import { rulesFromJson, rulesToJson } from '../../../src/permissions/rules-file.ts';
import { EVERYWHERE, type Action, type SavedRule } from '../../../src/permissions/types.ts';
import { ToolStarts } from '../../../src/tools/log/starts.ts';
import type { YouRequest } from '../../../src/models/you/queue.ts';
import type { Effort } from '../../../src/session/log/effort.ts';
import type { Event, ModelRef } from '../../../src/session/log/events.ts';
import type { SessionMarks, SessionRecord } from '../../../src/session/log/store.ts';
import type {
  App,
  AppLessons,
  AppTabModels,
  BrowserModelState,
  KeptTabModel,
  ContainerNews,
  LocalFinding,
  ModelChoice,
  ModelDraft,
  Ready,
  ToolPermission,
  ToolServer,
  WorkspaceSummary,
} from '../../../src/ui/app.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';
import { FakeOffline } from '../fake-offline.ts';
import { MemoryWorkspace } from '../memory-workspace.ts';
import { FakeSession } from './fake-session.ts';

/** The whole app behind the page, in memory, with every answer set by hand. */
export class FakeApp implements App {
  readonly steppers = new Map<string, Stepper>();
  readonly changes = new Listeners<void>();
  readonly all: FakeSession[] = [];
  readonly deleted = new Set<string>();
  readonly marks = new Map<string, SessionMarks>();
  readonly spaces: WorkspaceSummary[] = [];
  readonly blobs = new Map<string, string>();
  readonly calls: unknown[][] = [];
  efforts: readonly Effort[] = [];
  /** The media types that the model is not sent. */
  refusedType: RegExp | null = null;
  /** If true, the app does not know of any model whether it sees pictures. */
  picturesUnknown = false;
  setUp: readonly string[] = ['openai'];
  modelChoice: ModelChoice | null = { provider: 'openai', model: 'gpt-5' };
  savedModels: readonly ModelRef[] = [];
  /** The addresses of providers that have one. */
  readonly modelAddresses = new Map<string, string>();
  smallModel: ModelRef | null = null;
  localFindings: readonly LocalFinding[] = [];
  saved: SavedRule[] = [];
  toolPermissions: ToolPermission[] = [
    { permission: 'read', action: 'custom' },
    { permission: 'bash', action: 'ask' },
    { permission: 'edit', action: 'ask' },
  ];
  fault: Fault | null = null;
  persists = true;
  readonly offline = new FakeOffline();
  listFault: Fault | null = null;
  readonly #workspaces = new Map<string, Workspace>();
  /** The ids of the sessions that are open in this tab. */
  readonly #opened = new Set<string>();
  #onChange = (listener: () => void) => this.changes.add(listener);

  space(id: string, name: string): WorkspaceSummary {
    const space: WorkspaceSummary = { id, name, kind: 'embedded', updated: Date.now() };
    this.spaces.push(space);
    this.changes.emit();
    return space;
  }

  add(session: FakeSession): FakeSession {
    this.all.push(session);
    this.changes.emit();
    return session;
  }

  workspace(id: string): Workspace {
    const workspace = this.#workspaces.get(id) ?? new MemoryWorkspace({ id });
    this.#workspaces.set(id, workspace);
    return workspace;
  }

  containerNews: ContainerNews | null = null;
  containerChoice = { allowed: true, offBySite: false, key: '' };

  script = '';
  readonly scriptText = async (): Promise<string> => this.script;
  readonly playScript = async (text: string): Promise<null> => {
    this.script = text;
    return null;
  };

  readonly containers: App['containers'] = {
    choice: () => this.containerChoice,
    choose: async (change) => {
      this.containerChoice = { ...this.containerChoice, ...change };
      this.changes.emit();
    },
    news: () => this.containerNews,
    retry: async (id) => void this.calls.push(['retry', id]),
    accept: async (id) => (this.calls.push(['accept', id]), true),
    dismiss: () => {
      this.containerNews = null;
      this.changes.emit();
    },
    useEmbedded: async (id) => void this.calls.push(['useEmbedded', id]),
    onChange: this.#onChange,
  };

  readonly sessions: App['sessions'] = {
    list: async () => this.all.filter(({ id }) => !this.deleted.has(id)).map((each) => this.#recordOf(each)),
    // As in the app, a session that was opened stays open after its turn.
    live: () => this.all.filter(({ id, state }) => this.#opened.has(id) || state.turn !== null),
    create: async ({ workspaceID }) => {
      const session = new FakeSession(`ses_${this.all.length}`, workspaceID, '');
      this.#opened.add(session.id);
      return this.add(session);
    },
    open: async (id) => {
      const session = this.all.find((each) => each.id === id) ?? fail(`No session ${id}`);
      this.#opened.add(id);
      return session;
    },
    delete: async (id) => {
      this.deleted.add(id);
      this.changes.emit();
    },
    restore: async (id) => {
      this.deleted.delete(id);
      this.changes.emit();
    },
    mark: async (id, marks) => {
      this.marks.set(id, { ...this.marks.get(id), ...marks });
      this.changes.emit();
    },
    search: async (query) =>
      this.all
        .filter(({ state }) => state.title.toLowerCase().includes(query.toLowerCase()))
        .map(({ id, state }) => ({ sessionID: id, title: state.title, excerpt: `… ${query} …` })),
    stepper: async (id) => {
      const stepper = this.steppers.get(id) ?? new Stepper(countingIds());
      this.steppers.set(id, stepper);
      return stepper;
    },
    audit: async (id) => new Audit({ read: (...page) => this.#eventsBefore(id, ...page), mask: maskSecrets }),
    inspect: async (id) => {
      const session = this.all.find((known) => known.id === id) ?? fail(`No session ${id}`);
      return new Inspection({
        sessionID: id,
        timer: timeoutTimer,
        read: async (from) => session.events.slice(from),
        live: { nextSeq: () => session.state.nextSeq, listen: (listener) => session.onEvents(listener) },
        blob: (hash) => this.blob(hash),
        keptBody: () => undefined,
        rehearse: async () => this.rehearsed,
        digest: async (text) => hashText(text),
        mask: maskSecrets,
      });
    },
    onChange: this.#onChange,
  };

  /** What every model would send. */
  rehearsed: NetworkRequest | null = null;

  /** Saved keys. */
  keys: string[] = [];
  readonly redact = (text: string): string =>
    this.keys.reduce((clean, key) => clean.replaceAll(key, '[redacted key]'), text);

  readonly workspaces: App['workspaces'] = {
    look: () => () => {},
    list: async () => [...this.spaces],
    create: async () => this.space(`wsp_${this.spaces.length}`, `workspace-${this.spaces.length}`),
    rename: async (id, name) => {
      this.calls.push(['renameWorkspace', id, name]);
    },
    delete: async (id) => void this.calls.push(['deleteWorkspace', id]),
    restore: async (id) => void this.calls.push(['restoreWorkspace', id]),
    open: async (id) => this.workspace(id),
    takeOver: async (id) => {
      this.calls.push(['takeOver', id]);
      for (const session of this.all) session.writable = true;
      this.changes.emit();
    },
    onChange: this.#onChange,
  };

  /** Tells for each provider where its key is kept. */
  readonly modelKeys = new Map<string, 'tab' | 'device'>();
  models: App['models'] = {
    providers: [
      { id: 'openai', name: 'OpenAI', key: 'required', addresses: [] },
      {
        id: 'openai-compatible',
        name: 'OpenAI-compatible',
        key: 'optional',
        addresses: [{ name: 'Ollama', baseURL: 'http://localhost:11434/v1' }],
      },
    ],
    choice: () => this.modelChoice,
    saved: () => this.savedModels,
    remove: async ({ model }) => {
      this.savedModels = this.savedModels.filter((each) => each.model !== model);
      if (this.modelChoice?.model === model) this.modelChoice = this.savedModels[0] ?? null;
      this.changes.emit();
    },
    small: () => this.smallModel ?? undefined,
    chooseSmall: async (model) => {
      this.smallModel = model;
      this.changes.emit();
    },
    isSetUp: (provider) => this.setUp.includes(provider),
    efforts: () => this.efforts,
    refuses: (_model, mediaType) => this.refusedType?.test(mediaType) ?? false,
    seesPictures: () => (this.picturesUnknown ? undefined : !this.refusedType?.test('image/png')),
    leaveOutPictures: (model) => void this.calls.push(['leaveOutPictures', model]),
    choose: async (choice, key) => {
      this.calls.push(['choose', choice, key]);
      this.modelChoice = choice;
      this.changes.emit();
    },
    nameOf: (provider) => this.models.providers.find(({ id }) => id === provider)?.name ?? provider,
    baseURLOf: (provider) => this.modelAddresses.get(provider),
    keyOf: (provider) => this.modelKeys.get(provider) ?? 'none',
    forgetKey: async (provider) => {
      this.modelKeys.delete(provider);
      this.changes.emit();
    },
    list: async (draft: ModelDraft) => {
      this.calls.push(['list', draft]);
      if (this.listFault) throw new FaultError(this.listFault);
      return [{ id: 'gpt-5' }, { id: 'gpt-5-mini', name: 'Small' }];
    },
    lookForLocal: async () => {
      this.calls.push(['lookForLocal']);
      return this.localFindings;
    },
    test: async (draft) => void this.calls.push(['test', draft]),
    onChange: this.#onChange,
  };

  browserModelState: BrowserModelState = 'none';
  keptTabModels: readonly KeptTabModel[] = [];
  readonly #inTab: AppTabModels = {
    onGraphics: async () => false,
    offered: async () => [
      {
        id: 'lab/tiny',
        name: 'Tiny',
        licence: 'Apache-2.0',
        millions: 100,
        megabytes: 200,
        page: 'https://models.example/lab/tiny',
      },
    ],
    kept: async () => this.keptTabModels,
    download: async (id, progress, signal) => {
      this.calls.push(['downloadTabModel', id]);
      if (this.tabModelFault) {
        this.keptTabModels = [{ id, name: 'Tiny', bytes: 0, isWhole: false }];
        throw new FaultError(this.tabModelFault);
      }
      const isAgain = this.keptTabModels.length > 0;
      progress(50_000_000, 200_000_000);
      this.keptTabModels = [{ id, name: 'Tiny', bytes: 50_000_000, isWhole: false }];
      if (!isAgain)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      this.keptTabModels = [{ id, name: 'Tiny', bytes: 200_000_000, isWhole: true }];
    },
    take: async (files) => void this.calls.push(['takeTabModel', files.map(({ name }) => name)]),
    remove: async (id) => {
      this.calls.push(['removeTabModel', id]);
      this.keptTabModels = [];
    },
  };
  /** If this is set, every download of such a model ends with it. */
  tabModelFault: Fault | null = null;
  browserModel: App['browserModel'] = async () => ({
    inTab: this.#inTab,
    state: async () => this.browserModelState,
    download: async (progress) => {
      this.calls.push(['downloadBrowserModel']);
      progress(1);
      this.browserModelState = 'available';
    },
  });

  openRouterFault: Fault | null = null;
  readonly openRouter: App['openRouter'] = async () => ({
    signIn: () => void this.calls.push(['signIn']),
    signedIn: async (search) => {
      this.calls.push(['signedIn', search]);
      if (this.openRouterFault) throw new FaultError(this.openRouterFault);
      this.modelKeys.set('openrouter', 'tab');
      const choice = { provider: 'openrouter', model: 'lab/tiny:free' };
      await this.models.choose(choice);
      return choice;
    },
  });

  readonly permissions: App['permissions'] = {
    tools: () => this.toolPermissions,
    set: async (permission: string, action: Action) => {
      this.calls.push(['setPermission', permission, action]);
      this.toolPermissions = this.toolPermissions.map((each) =>
        each.permission === permission ? { permission, action } : each,
      );
      this.changes.emit();
    },
    rules: async () => this.saved,
    revoke: async (id) => {
      this.saved = this.saved.filter((rule) => rule.id !== id);
      this.changes.emit();
    },
    exportRules: async () => rulesToJson(this.saved),
    importRules: async (workspaceID, json) => {
      const rules = rulesFromJson(json);
      this.saved = [
        ...this.saved,
        ...rules.map(({ scope, ...rule }, i) => ({
          ...rule,
          id: `i${i}`,
          workspaceID: scope ? EVERYWHERE : workspaceID,
          time: 0,
        })),
      ];
      this.changes.emit();
      return rules.length;
    },
    onChange: this.#onChange,
  };

  toolServers: readonly ToolServer[] = [];
  readonly servers: App['servers'] = {
    list: () => this.toolServers,
    add: async (server) => void this.calls.push(['addServer', server]),
    remove: async (name) => void this.calls.push(['removeServer', name]),
    connect: (name) => void this.calls.push(['connectServer', name]),
    signOut: async (name) => void this.calls.push(['signOut', name]),
    setRemembered: async (name, remembered) => void this.calls.push(['rememberServer', name, remembered]),
    onChange: (listener) => this.changes.add(listener),
  };

  readonly heldSecrets = new Map<string, 'tab' | 'device'>();
  readonly secrets: App['secrets'] = {
    names: () => [...this.heldSecrets.keys()],
    kept: (name) => this.heldSecrets.get(name) ?? 'none',
    set: async (name, { remember }) => {
      this.heldSecrets.set(name, remember ? 'device' : 'tab');
      this.changes.emit();
    },
    forget: async (name) => {
      this.heldSecrets.delete(name);
      this.changes.emit();
    },
    asked: () => [],
    allow: async () => {},
    dismiss: () => {},
    onChange: this.#onChange,
  };

  configuration: ReturnType<App['configurations']['of']> = null;
  trust: boolean | null = null;
  own: Readonly<Record<string, string>> = {};
  readonly configurations: App['configurations'] = {
    of: () => this.configuration,
    refresh: async () => undefined,
    isAnswered: () => !this.configuration?.grants || this.trust !== null,
    answer: async (workspaceID, hash, trusted) => {
      this.calls.push(['trust', workspaceID, hash, trusted]);
      this.trust = trusted;
      if (this.configuration?.grants)
        this.configuration = { ...this.configuration, grants: { ...this.configuration.grants, trusted } };
      this.changes.emit();
    },
    ownFiles: () => this.own,
    checkOwnFile: async () => ({ isUsed: true, problems: [] }),
    setOwnFile: async (path, text) => {
      const { [path]: _, ...rest } = this.own;
      this.own = text === null ? rest : { ...rest, [path]: text };
      this.changes.emit();
    },
    onChange: this.#onChange,
  };

  switches = [{ name: 'experimental.batch_tool', on: true }];
  readonly tools: App['tools'] = {
    switches: () => this.switches,
    setSwitch: async (name, on) => {
      this.switches = this.switches.map((each) => (each.name === name ? { name, on } : each));
      this.changes.emit();
    },
    onChange: this.#onChange,
  };
  readonly toolStarts = new ToolStarts(pageClock);
  readonly compare: App['compare'] = () => Promise.reject(new Error('Nothing is compared in stories.'));
  readonly recordings: App['recordings'] = () => Promise.reject(new Error('There are none in stories.'));
  readonly log: App['log'] = {
    calls: async (sessionID) =>
      new CallLog({
        sessionID,
        read: (...page) => this.#eventsBefore(sessionID, ...page),
        mask: maskSecrets,
      }),
    starts: this.toolStarts,
  };

  help = { titles: true, summaries: true };
  readonly conversations: App['conversations'] = {
    current: () => this.help,
    set: async (change) => {
      this.help = { ...this.help, ...change };
      this.changes.emit();
    },
    onChange: this.#onChange,
  };

  readonly searchKeys = new Map<string, 'tab' | 'device'>();
  proxy: string | undefined;
  readonly web: App['web'] = {
    proxy: () => this.proxy,
    setProxy: async (text) => {
      if (text === 'wrong') throw new FaultError({ code: 'no-proxy', what: 'This is no proxy.' });
      this.proxy = text === '' ? undefined : text;
      this.changes.emit();
    },
    searchKey: (service) => this.searchKeys.get(service) ?? 'none',
    setSearchKey: async (service, { remember }) => {
      this.searchKeys.set(service, remember ? 'device' : 'tab');
      this.changes.emit();
    },
    forgetSearchKey: async (service) => {
      this.searchKeys.delete(service);
      this.changes.emit();
    },
    onChange: this.#onChange,
  };

  readonly repositories: App['repositories'] = async () => ({
    opening: () => ({
      run: () =>
        Promise.reject(new FaultError({ code: 'clone-failed', what: 'The fake has no repositories.' })),
      discard: async () => {},
    }),
  });
  reachable: readonly string[] = [];
  readonly hosts: App['hosts'] = {
    hosts: async () => this.reachable,
    setHosts: async (lines) => {
      if (lines.includes('://'))
        throw new FaultError({ code: 'no-host', what: 'Line 1 is no host.', next: 'Name a host.' });
      return (this.reachable = lines.split('\n').filter((line) => line !== ''));
    },
    addHosts: async (more) => void (this.reachable = [...this.reachable, ...more]),
    wanted: null,
    answer: async () => {},
    onChange: this.#onChange,
  };

  youRequests: readonly YouRequest[] = [];
  youProblem: string | null = null;
  readonly you: App['you'] = {
    waiting: () => this.youRequests,
    answer: (id, answer) => {
      this.calls.push(['answerAsModel', id, answer]);
      this.youRequests = this.youRequests.filter((request) => request.id !== id);
      this.changes.emit();
    },
    problem: async () => this.youProblem,
    onChange: this.#onChange,
  };

  readonly storage: App['storage'];

  constructor() {
    const problem = () => this.fault;
    const persists = () => this.persists;
    this.storage = {
      get persistent() {
        return persists();
      },
      get problem() {
        return problem();
      },
      usage: async () => ({ used: 31_400_000, quota: 2_000_000_000 }),
      onChange: this.#onChange,
    };
  }

  readonly startYou: App['startYou'] = async (ready) => {
    this.calls.push(['startYou']);
    const space = this.space('wsp_you', 'first-call');
    return this.#started(new FakeSession('ses_you', space.id, 'You are the model'), ready);
  };

  /** What `lessons()` resolves to, where a test brings it. */
  lessonsOf: AppLessons | null = null;
  readonly lessons: App['lessons'] = async () => this.lessonsOf ?? fail('No lessons');
  readonly lessonModel: App['lessonModel'] = async (sessionID) =>
    (await this.lessonsOf?.modelOf(sessionID)) ?? null;

  readonly startDemo: App['startDemo'] = async (ready) => {
    this.calls.push(['startDemo']);
    const space = this.space('wsp_demo', 'demo');
    return this.#started(new FakeSession('ses_demo', space.id, 'Fix the totals'), ready);
  };

  readonly startPageDemo: App['startPageDemo'] = async (ready) => {
    const space = this.space('wsp_page', 'page');
    return this.#started(new FakeSession('ses_page', space.id, 'Split the bill'), ready);
  };

  #recordOf({ id, state }: FakeSession): SessionRecord {
    const { messages: _m, parts: _p, pending: _q, questions: _r, ...rest } = state;
    const marks = this.marks.get(id);
    return { id, state: rest, foldedTo: state.nextSeq, deleted: null, ...(marks && { marks }) };
  }

  async #eventsBefore(id: string, before: number, limit: number): Promise<readonly Event[]> {
    const events = this.all.find((session) => session.id === id)?.events ?? [];
    return events.slice(0, before).slice(-limit);
  }

  async #started(session: FakeSession, ready: Ready): Promise<FakeSession> {
    this.add(session);
    await ready(session);
    await session.prompt('Begin');
    return session;
  }

  /** The prompts that were sent, keyed by workspace. */
  readonly prompts = new Map<string, readonly string[]>();
  readonly promptHistory: App['promptHistory'] = async () => ({
    load: async (id) => this.prompts.get(id) ?? [],
    add: async (id, text) => void this.prompts.set(id, [...(this.prompts.get(id) ?? []), text]),
  });

  readonly languageOf: App['languageOf'] = async () => {
    throw new Error('No language services here');
  };
  readonly previewOf: App['previewOf'] = async () => {
    throw new Error('No previews here');
  };
  readonly folders: App['folders'] = async () => ({
    get: async () => undefined,
    put: async () => {},
    remove: async () => {},
  });

  readonly blob: App['blob'] = async (hash) => {
    const text = this.blobs.get(hash);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  };
}

function fail(message: string): never {
  throw new Error(message);
}
