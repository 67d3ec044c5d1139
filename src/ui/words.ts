import type { Mode } from '../permissions/modes.ts';
import type { Effort } from '../session/log/effort.ts';
import { permissionNamed } from '../tools/permissions.ts';
import { messages } from './languages/messages.ts';

/**
 * The texts of the page, except those of the panels that load later and have texts of their own. Texts are
 * short, plain and in sentence case: what happened, then the one thing to do. Names that tests and other tools
 * rely on are marked `contract`.
 */
export const words = messages('page', {
  brand: 'Vitrine',
  /** Units after a number that is already in the page's language. */
  units: {
    now: 'now',
    ms: (n: string) => `${n} ms`,
    s: (n: string) => `${n} s`,
    min: (n: string) => `${n} min`,
    h: (n: string) => `${n} h`,
    d: (n: string) => `${n} d`,
    minutesAndSeconds: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  },
  /** Names of providers that are not proper names. */
  providers: {
    'openai-compatible': 'OpenAI-compatible server',
    browser: 'In this browser',
    scripted: 'Scripted',
    you: 'You are the model',
  },
  skip: 'Skip to the message box',
  emptyTitle: 'A coding agent behind glass',
  emptyText:
    'It works on files in this tab and asks before it changes anything. You see every request and tool call, and you can pause, edit and replay them. No account, nothing to install.',
  pageDemo: 'Watch an agent build a page',
  demo: 'Watch a demo',
  demoHint: 'An agent finds and fixes a real bug. No key needed. It really runs, right here.',
  demoStarting: 'Starting the demo',
  watchRecorded: 'Or watch the recording',
  beModel: 'Be the model yourself',
  beModelHint: 'See what a model sees, and make a tool call by hand.',
  freeModel: 'Use a free model',
  freeModelHint: 'Sign in with OpenRouter, or run a small one in this tab.',
  ownModel: 'Use your own model',
  ownModelHint: 'OpenAI, Anthropic, Google, OpenRouter, or Ollama and others on your machine.',
  emptySession: 'What should we build?',
  emptySessionHint: 'Describe it. Drop files anywhere to add them.',
  /** The same for a touch screen, where nothing can be dropped. */
  emptySessionTouchHint: 'Describe it. Add files in the tab Files.',

  lessons: 'Lessons',
  lesson: 'Lesson',
  takeLesson: 'Take a lesson',
  takeLessonHint: 'Short and hands-on: what a tool call is, and what can go wrong with it. No key needed.',

  sessions: 'Sessions', // contract
  newSession: 'New session', // contract
  newWorkspace: 'New workspace',
  newWorkspaceOf: 'Workspace options',
  embedded: 'Embedded',
  workspaceNumber: (n: number) => `Workspace ${n}`,
  /** Stands in brackets behind the name of a workspace. */
  copyNumber: (n: number) => (n === 1 ? 'copy' : `copy ${n}`),
  newEmbedded: 'New embedded workspace',
  newWebContainer: 'New WebContainer, with Node',
  containerTrying: 'Trying to start a WebContainer, which has Node',
  searchSessions: 'Search sessions',
  noHits: 'Nothing found.',
  noSessions: 'No sessions yet.',
  untitled: 'Untitled',
  actions: 'Actions',
  rename: 'Rename',
  renameField: 'New name',
  audit: 'Permission decisions',
  writeSummary: 'Write a summary',
  exportRecording: 'Export recording',
  saveTranscript: 'Save as Markdown',
  openRecording: 'Open recording',
  keep: 'Keep long outputs',
  unkeep: 'Stop keeping long outputs',
  kept: 'kept',
  remove: 'Delete',
  removeWorkspace: 'Remove',
  sessionDeleted: (title: string) => `Deleted “${title}”.`,
  sessionArchived: (title: string) => `Archived “${title}”.`,
  workspaceRemoved: (name: string) => `Removed “${name}”.`,
  notices: 'Notices',
  forkedFrom: (title: string) => `Goes on from “${title}”`,
  panes: 'Panes',
  layouts: 'Layouts', // contract
  undo: 'Undo',
  dismiss: 'Dismiss',
  retry: 'Try again',

  message: 'Message', // contract
  send: 'Send', // contract
  stop: 'Stop', // contract
  placeholder: 'Describe a task',
  placeholderBusy: 'Your message goes out after this step',
  placeholderReadOnly: 'Read-only: open in another tab',
  mode: (name: string) => `Mode: ${name}`,
  modeBypassed: ': nothing is asked',
  modeHint: 'What needs your approval',
  modes: {
    ask: { name: 'Ask first', says: 'Asks before edits and commands, unless your settings allow them.' },
    'auto-edit': {
      name: 'Auto-edit',
      says: 'Changes files without asking. Everything else asks as before.',
    },
    plan: {
      name: 'Plan',
      says: 'Reads and plans only. Every command asks.',
    },
    bypass: {
      name: 'Bypass',
      says: 'Runs everything without asking. Only what your settings deny, dangerous commands and suspected loops still stop it.',
    },
  } as Readonly<Record<Mode, { name: string; says: string }>>,
  agentNoun: 'agent',
  agentIs: (shown: string) => `Agent: ${shown}`,
  /** Titles of agents that a person talks to, by name; any other agent is shown by its name. */
  agents: { build: 'Build', plan: 'Plan' } as Readonly<Record<string, string>>,
  agentHint: 'Which agent messages go to',
  askedBy: (agent: string, title: string) => `for sub-agent ${agent}: ${title}`,
  noModel: 'Choose a model',
  model: (name: string) => `Model: ${name}`,
  effort: 'Effort',
  efforts: {
    none: 'No thinking',
    minimal: 'Minimal',
    low: 'Low',
    medium: 'Medium',
    high: 'High',
    xhigh: 'Very high',
    max: 'Maximum',
  } satisfies Record<Effort, string>,

  status: 'Workspace', // contract
  statusDetails: 'About this workspace',
  containerRetry: 'Try a WebContainer again',
  workspaceStarting: 'Starting',
  workspaceReady: 'Ready',
  workspaceRestarting: 'Restarting',
  workspaceFailed: 'Failed',
  workspaceClosed: 'Closed',
  workspaceElsewhere: 'In another tab',
  workspaceNone: 'No workspace open',
  usage: (input: string, output: string) => `${input} in, ${output} out`,
  usageTitle: 'Tokens used by this session',

  context: 'Context',
  contextUsed: (used: string) => `${used} tokens used`,
  contextOf: (used: string, limit: string) => `${used} of ${limit} tokens used`,
  announceRetry: (what: string, time: string) => `${what} Trying again in ${time}.`,
  announceStarted: 'The agent is working.',
  announceYours: 'Your turn: write the model’s answer.',
  announceEnded: {
    idle: 'The agent is done.',
    error: 'The turn failed.',
    aborted: 'Stopped.',
    rejected: 'Denied. The turn has ended.',
    interrupted: 'The turn was interrupted.',
  },
  announceAsk: (what: string) => `Permission required: ${what}`,
  permissionFor: (permission: string) => permissionNamed(permission)?.question ?? `use ${permission}`,
  announceQuestion: (text: string) => `Question: ${text}`,

  workbench: 'Workbench',
  files: 'Files', // contract
  changes: 'Changes',
  terminal: 'Terminal', // contract
  preview: 'Preview', // contract
  inspector: 'Inspector', // contract
  log: 'Log',
  chat: 'Chat',
  loading: 'Loading',
  panelFailed: 'This panel could not be loaded.',
  filesRecorded:
    'A recording has no workspace of its own. The Inspector shows its files at each moment. Run it for real to get a workspace.',
  filesNotRecorded: 'No files are in this recording. Run it for real to get a workspace.',
  filesElsewhere: 'Files and terminal are in the other tab.',
  noWorkspace: 'Open a session to see its workspace.',

  settings: 'Settings', // contract
  settingsModel: 'Model',
  modelField: 'Model', // contract
  close: 'Close',

  newVersion: 'A new version is there.',
  partMissing: 'A part of the page could not be loaded.',
  partUnreachable: 'The server cannot be reached.',
  partUnreachableText: 'A part of the page could not be loaded. Sessions and drafts are kept.',
  reloadKeeps: 'Reload the page to continue. Sessions and drafts are kept.',
  reload: 'Reload',
  readOnlyTitle: 'This session is open in another tab.',
  readOnlyText: 'This one is read-only.',
  takeOver: 'Take over',
  memoryTitle: 'Nothing is being stored.',
  memoryText: 'Sessions and files last until this tab closes.',
  restartingTitle: 'The workspace is restarting.',
  failedTitle: 'The workspace could not be started.',

  titleWaiting: 'Waiting for you',
  titleWorking: 'Working',
  titlePaused: 'Paused',
  commands: {
    compare: 'Compare',
    newSession: 'New session',
    send: 'Send',
    compact: 'Summarize the conversation',
    undo: 'Undo the last message',
    redo: 'Redo what was undone',
    stepping: 'Step through',
    step: 'Step',
    continue: 'Continue',
    stop: 'Stop the turn',
    composer: 'Go to the message box',
    permission: 'Go to what is waiting for you',
    mode: 'Choose what needs your approval',
    agent: 'Choose the agent',
    settings: 'Settings',
    lessons: 'Lessons',
    openRepository: 'Open a repository',
    share: 'Share',
    files: 'Show files',
    openFile: 'Go to file',
    searchFiles: 'Search in files',
    terminal: 'Show the terminal',
    palette: 'All commands',
    keys: 'Keys',
    search: 'Search sessions',
    sidebar: 'Show or hide sessions',
    workbench: 'Show or hide the workbench',
    nextWaiting: 'Go to the next session that waits',
    talking: 'Layout for talking',
    reviewing: 'Layout for reviewing changes',
    watching: 'Layout for watching',
    fill: 'Fill the page with this pane',
    unfill: 'Show all panes again',
  },
});
