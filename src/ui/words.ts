import type { Mode } from '../permissions/modes.ts';
import type { DangerKind } from '../permissions/types.ts';

/**
 * Every word the page says, in one place. Short, plain, sentence case: what happened, then the one thing to do.
 * Names that others rely on (roles and accessible names of the page's contract) are marked.
 */
export const words = {
  brand: 'Vitrine',
  skip: 'Skip to the message box',
  emptyTitle: 'A coding agent behind glass',
  emptyText:
    'It reads, runs and edits files in a workspace inside this tab. You see every step, and it asks before it changes anything.',
  demo: 'Watch a demo',
  demoHint: 'An agent finds and fixes a real bug. No key needed, really run here.',
  demoStarting: 'Starting the demo',
  ownModel: 'Use your own model',
  ownModelHint: 'OpenAI, Anthropic, Google, OpenRouter, or Ollama and others on your machine.',
  emptySession: 'What should be done in this workspace?',
  emptySessionHint: 'Say it in your own words. Files can be added in the Files tab.',

  sessions: 'Sessions', // contract
  newSession: 'New session', // contract
  newWorkspace: 'New workspace',
  searchSessions: 'Search sessions',
  noHits: 'Nothing found.',
  noSessions: 'No sessions yet.',
  untitled: 'Untitled',
  actions: 'Actions',
  rename: 'Rename',
  renameField: 'New name',
  keep: 'Keep full outputs',
  unkeep: 'Stop keeping full outputs',
  kept: 'kept',
  remove: 'Delete',
  removeWorkspace: 'Remove',
  sessionDeleted: (title: string) => `Deleted “${title}”.`,
  workspaceRemoved: (name: string) => `Removed “${name}”.`,
  notices: 'Notices',
  panes: 'Panes',
  undo: 'Undo',
  dismiss: 'Dismiss',

  conversation: 'Conversation', // contract
  you: 'You',
  agent: 'Agent',
  latest: 'Jump to latest',
  older: 'Loading older messages',
  copied: 'Copied',
  copyCode: 'Copy code',
  thinking: 'Thinking',
  thought: (time: string) => `Thought for ${time}`,
  retry: 'Try again',
  openSettings: 'Check the key and model',

  message: 'Message', // contract
  send: 'Send', // contract
  stop: 'Stop', // contract
  placeholder: 'Ask for something',
  placeholderBusy: 'Sent when this step ends',
  placeholderReadOnly: 'Another tab is writing',
  mode: (name: string) => `Mode: ${name}`,
  modeHint: 'How much is asked in this session',
  modes: {
    ask: { name: 'Ask', label: 'Ask', says: 'You are asked as your settings say.' },
    'auto-edit': {
      name: 'Auto-edit',
      label: 'Auto-edit',
      says: 'Files of the workspace are changed without asking. Everything else asks as before.',
    },
    plan: {
      name: 'Plan',
      label: 'Plan',
      says: 'The agent looks and plans. It changes nothing, and every command asks.',
    },
    bypass: {
      name: 'Bypass',
      label: 'Bypass: nothing is asked',
      says: 'Everything runs without asking you. Only what your settings deny, dangerous commands and loops still stop it.',
    },
  } as Readonly<Record<Mode, { name: string; label: string; says: string }>>,
  noModel: 'Choose a model',
  model: (name: string) => `Model: ${name}`,

  status: 'Workspace', // contract
  workspaceStarting: 'Starting',
  workspaceReady: 'Ready',
  workspaceRestarting: 'Restarting',
  workspaceFailed: 'Failed',
  workspaceClosed: 'Closed',
  workspaceElsewhere: 'In another tab',
  workspaceNone: 'No workspace open',
  usage: (input: string, output: string) => `${input} in, ${output} out`,
  usageTitle: 'Tokens used by this session',

  retryIn: (time: string) => `Trying again in ${time}`,
  retrying: 'Trying again',
  retryAttempt: (n: number, of: number) => `try ${n} of ${of}`,
  retryNow: 'Try now',
  retryCancel: 'Cancel',
  announceRetry: (what: string, time: string) => `${what} Trying again in ${time}.`,

  turnThinking: 'Thinking',
  turnRunning: 'Running a tool',
  turnWaiting: 'Waiting for you',
  announceStarted: 'The agent is working.',
  announceEnded: {
    idle: 'The agent is done.',
    error: 'The turn failed.',
    aborted: 'Stopped.',
    rejected: 'Denied. The turn has ended.',
    interrupted: 'The turn was interrupted.',
  },
  announceAsk: (what: string) => `Permission required: ${what}`,
  turnAborted: 'You stopped this turn.',
  turnRejected: 'You denied a call or dismissed a question, so the turn ended.',
  turnInterrupted: 'The tab closed during this turn. What was done is kept.',
  turnFailed: 'The turn failed.',

  verbs: {
    question: 'Ask',
    bash: 'Run',
    read: 'Read',
    edit: 'Edit',
    write: 'Write',
    glob: 'Search',
    grep: 'Search',
    list: 'List',
    apply_patch: 'Patch',
    todowrite: 'Plan',
    todoread: 'Plan',
    webfetch: 'Fetch',
  } as Readonly<Record<string, string>>,
  outcomes: {
    ok: 'done',
    failed: 'failed',
    denied: 'denied',
    cancelled: 'cancelled',
    interrupted: 'interrupted',
    invalid: 'bad arguments',
  },
  typing: 'writing arguments',
  queued: 'queued',
  running: 'running',
  waiting: 'waiting for you',
  exit: (code: number) => `exit ${code}`,
  more: (n: number) => `and ${n} more`,
  todosDone: (done: number, of: number) => `${done} of ${of} done`,
  inPath: (path: string) => `in ${path}`,
  output: 'Output',
  noOutput: 'No output',
  earlierCut: 'Earlier output is not shown while it runs.',
  outputMayBeCut: 'It was ended early; output it had not yet passed on may be missing.',
  fullOutput: (size: string) => `Show the full output (${size})`,
  fullOutputDropped: 'The full output was past its 7 days and is gone. This preview stays.',
  fullOutputMissing: 'The full output could not be found in this browser.',
  attachment: (name: string) => `Attachment ${name}`,
  changes: (path: string) => `Changes to ${path}`,
  diffFile: (from: string | null, to: string | null) =>
    from === null ? `${to} (new)` : to === null ? `${from} (removed)` : from === to ? to : `${from} → ${to}`,
  added: (n: number) => `+${n}`,
  removed: (n: number) => `−${n}`,
  moreRows: (n: number) => `Show ${n} more lines`,

  permission: 'Permission required', // contract
  permissionFor: {
    bash: 'run a command',
    edit: 'change a file',
    read: 'read a file',
    glob: 'search file names',
    grep: 'search in files',
    list: 'list a folder',
    doom_loop: 'go on with what looks like a loop',
    webfetch: 'fetch a page',
  } as Readonly<Record<string, string>>,
  permissionOther: (tool: string) => `use ${tool}`,
  nth: (n: number, of: number) => `${n} of ${of}`,
  allowOnce: 'Allow once', // contract
  allowSession: 'Allow for this session', // contract
  allowAlways: 'Always allow', // contract
  allowEverywhere: 'Allow everywhere',
  allowEverywhereHint: 'In every workspace, for good.',
  deny: 'Deny', // contract
  denyWhy: 'Tell the agent why', // contract
  denyHint: 'With a reason the agent goes on; without one the turn ends.',
  asked: 'What is asked for',
  wouldSave: 'A lasting answer would allow',
  pattern: (n: number) => `Pattern ${n}`,
  dropPattern: (pattern: string) => `Leave out ${pattern}`,
  noPattern: 'Nothing is left to save; allow once or deny.',
  inFolder: (path: string) => `in ${path}`,
  asksBecause: {
    default: 'It asks because that is the default.',
    settings: 'It asks because your settings say so.',
    agent: 'It asks because this agent has to.',
    session: 'It asks because of a rule of this session.',
    workspace: 'It asks because of a rule of this workspace.',
    parent: 'It asks because the agent that gave out this work has to ask too.',
    everywhere: 'It asks because of a rule for every workspace.',
    mode: 'It asks because of the mode of this session.',
    none: 'It asks because no rule covers it.',
  },
  dangerous: 'This is asked for whatever your rules allow:',
  dangers: {
    remove:
      'It may remove the workspace, a home or system folder, Git’s own files, or what only the run tells.',
    'fork-bomb': 'It starts itself again and again, until nothing else can run.',
    'network-to-shell': 'It runs what it fetches from the network, unseen.',
    'hidden-code': 'What it runs is hidden: decoded or put together only when it runs.',
    disk: 'It overwrites a disk or a device.',
    permissions: 'It changes who may use a whole tree of files.',
    'git-history': 'It rewrites or removes Git history, here or on a server.',
    'git-discard': 'It throws away changes that are not committed.',
    'git-files': 'It changes what Git runs by itself: hooks or configuration.',
    system: 'It stops the machine or all of its processes.',
  } as Readonly<Record<DangerKind, string>>,
  repetition: {
    'same-call': (n: number) => `The agent makes the same call for the ${ordinal(n)} time in a row:`,
    cycle: (n: number) =>
      `The agent goes round in circles: these calls, in this order, for the ${ordinal(n)} time:`,
    'same-failure': (n: number) =>
      `The last ${n} calls of this tool failed alike. Now the agent wants to call:`,
  },
  repetitionFailure: 'They failed with',
  permissionOtherTab: 'The tab that writes answers this.',

  question: 'Question', // contract
  ownAnswer: 'Your own answer',
  next: 'Next',
  back: 'Back',
  submit: 'Submit',
  dismissQuestion: 'Dismiss',
  dismissHint: 'Without an answer the turn ends.',
  moreWaiting: (n: number) => `${n} more waiting`,
  announceQuestion: (text: string) => `Question: ${text}`,

  workbench: 'Workbench',
  files: 'Files', // contract
  terminal: 'Terminal', // contract
  log: 'Log',
  chat: 'Chat',
  loading: 'Loading',
  panelFailed: 'This panel could not be loaded.',
  filesElsewhere: 'The files and the terminal are in the tab that writes.',
  noWorkspace: 'Open a session to see its workspace.',

  settings: 'Settings', // contract
  settingsModel: 'Model',
  settingsPermissions: 'Permissions',
  settingsRules: 'Saved answers',
  settingsLook: 'Look',
  settingsStorage: 'Storage',
  provider: 'Provider', // contract
  chooseProvider: 'Choose one',
  baseURL: 'Base URL', // contract
  apiKey: 'API key', // contract
  modelField: 'Model', // contract
  keyStored: { none: '', tab: 'Stored for this tab', device: 'Stored on this device' },
  keyOptional: 'Only if your server wants one',
  keyPlaceholder: 'Paste the key',
  remember: 'Remember the key on this device',
  rememberHint: 'Otherwise it is gone when this tab closes. It is only ever sent to the provider.',
  forgetKey: 'Forget the key',
  getKey: 'Get a key',
  test: 'Test the connection',
  testing: 'Testing',
  testOk: 'The model answered.',
  save: 'Save',
  saved: 'Saved.',
  close: 'Close',
  baseURLDefault: 'The provider’s own address',
  listing: 'Fetching the list of models',
  listed: (n: number) => `${n} models to choose from, or type another name.`,
  permissionNames: {
    bash: 'Run commands',
    edit: 'Change files',
    read: 'Read files',
    glob: 'Search file names',
    grep: 'Search in files',
    list: 'List folders',
    doom_loop: 'Go on in a loop',
    webfetch: 'Fetch pages',
  } as Readonly<Record<string, string>>,
  permissionActions: { allow: 'Allow', ask: 'Ask', deny: 'Deny', custom: 'By pattern' },
  permissionsHint: 'What the agent may do without asking, in every workspace.',
  rulesHint: 'What you have always allowed, here or in every workspace.',
  noRules: 'No saved answers yet.',
  ruleScopes: { workspace: 'this workspace', everywhere: 'everywhere' },
  exportRules: 'Export to a file',
  importRules: 'Import from a file',
  importedRules: (n: number) => (n === 1 ? '1 answer was added.' : `${n} answers were added.`),
  rulesFile: 'vitrine-rules.json',
  revoke: 'Revoke',
  revokeRule: (rule: string) => `Revoke ${rule}`,
  settingsWeb: 'Web',
  fetchProxy: 'Proxy for fetching pages',
  fetchProxyHint:
    'Most sites do not let pages like this one read them. A proxy you trust can; it sees every address. Put {url} where the address goes. Empty: none.',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  storageUsed: (used: string, quota: string) => `${used} used of ${quota} that the browser allows.`,
  storageUnknown: 'The browser does not say how much is used.',
  storagePersistent: 'Sessions and files are stored in this browser.',
  storageMemory: 'Nothing is stored: this browser refuses it. All is lost when the tab closes.',

  readOnlyTitle: 'Another tab is writing here.',
  readOnlyText: 'This one follows along.',
  takeOver: 'Take over',
  memoryTitle: 'Nothing is being stored.',
  memoryText: 'Sessions and files last until this tab closes.',
  restartingTitle: 'The workspace is restarting.',
  failedTitle: 'The workspace could not be started.',

  titleWaiting: 'Waiting for you',
  titleWorking: 'Working',
  commands: {
    newSession: 'New session',
    send: 'Send',
    stop: 'Stop the turn',
    composer: 'Go to the message box',
    permission: 'Go to what waits for you',
    mode: 'Choose how much is asked',
    settings: 'Settings',
    files: 'Show files',
    terminal: 'Show the terminal',
    search: 'Search sessions',
    sidebar: 'Show or hide sessions',
    workbench: 'Show or hide the workbench',
  },
} as const;

function ordinal(n: number): string {
  return n === 2 ? '2nd' : n === 3 ? '3rd' : `${n}th`;
}
