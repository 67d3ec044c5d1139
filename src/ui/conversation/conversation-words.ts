import type { DangerKind } from '../../permissions/types.ts';
import { permissionNamed } from '../../tools/permissions.ts';
import { messages } from '../languages/messages.ts';
import { formatNumber } from '../languages/numbers.ts';

/** The texts of a conversation and its cards, which load when a session is first shown. See `words.ts`. */
export const conversationWords = messages('conversation', {
  demoEnd: 'What next?',
  showPage: 'Show the page',
  lookInside: 'Look inside',
  lookInsideHint: 'Every request, call and decision of this run.',
  commentLine: (line: number) => `Comment on line ${line}`,
  commentRemoved: (line: number) => `Comment on removed line ${line}`,

  conversation: 'Conversation', // contract
  ownCommand: 'You ran a command',
  ownCall: 'A test called a tool',
  you: 'You',
  agent: 'Agent',
  latest: 'Jump to latest',
  older: 'Loading older messages',
  copied: 'Copied',
  copyCode: 'Copy code',
  cutText: (shown: number, of: number) =>
    `The first ${formatNumber(shown)} of ${formatNumber(of)} characters.`,
  showAll: 'Show all',
  showLess: 'Show less',
  wholeText: 'Whole text',
  copyText: 'Copy the whole text',
  thinking: 'Thinking',
  thought: (time: string) => `Thought for ${time}`,
  openSettings: 'Check the key and model',
  app: 'The app',
  effortDefault: 'Model default',
  modelSettings: 'Model settings',
  contextKinds: {
    system: 'Instructions',
    tools: 'Tools',
    messages: 'Messages',
    outputs: 'Tool outputs',
    files: 'Files',
  },
  contextFree: 'Free',
  contextHint: 'Estimated from length and corrected by the provider’s count.',
  sessionSpend: 'This session',
  spendWithTasks: 'With sub-agents',
  tokensIn: 'In',
  tokensCached: 'Cached',
  tokensOut: 'Out',
  tokensReasoning: 'Reasoning',
  cost: 'Cost',
  unpriced: 'Price unknown.',
  partlyPriced: 'Steps whose price is unknown are not in the cost.',
  stepSpends: 'Usage by step',
  step: 'Step',
  time: 'Time',
  summary: 'Summary',
  summing: 'Summarizing the conversation',
  notSummed: 'The conversation was not summarized. Nothing is lost.',
  summed: (before: string, after: string) => `Summarized: ${before} tokens became ${after}`,
  summedHead: 'The model now sees this summary and the newest messages. Everything above stays here.',
  summedAll: 'The model now sees this summary. Everything above stays here.',
  unseenOutput: 'Removed to save space: the model no longer sees this output.',

  retryIn: (time: string) => `Trying again in ${time}`,
  retrying: 'Trying again',
  retryAttempt: (n: number, of: number) => `try ${n} of ${of}`,
  retryNow: 'Try now',
  retryCancel: 'Cancel',

  turnThinking: 'Thinking',
  turnYours: 'Your turn: you are the model',
  turnRunning: 'Running a tool',
  turnWaiting: 'Waiting for you',
  turnWaited: 'The agent waited for an answer',
  turnAborted: 'This turn was stopped.',
  turnRejected: 'A call was denied or a question dismissed, so the turn ended.',
  turnInterrupted: 'This turn was interrupted. What was done is kept.',
  turnFailed: 'The turn failed.',

  outcomes: {
    ok: 'done',
    failed: 'failed',
    denied: 'denied',
    cancelled: 'cancelled',
    interrupted: 'interrupted',
    invalid: 'not valid',
  },
  typing: 'writing arguments',
  queued: 'queued',
  running: 'running',
  waiting: 'waiting for you',
  waited: 'waited for an answer',
  exit: (code: number) => `exit ${code}`,
  testsPassed: (n: number) => (n === 1 ? '1 test passed' : `${n} tests passed`),
  testsFailed: (n: number, of: number) => `${n} of ${of} tests failed`,
  more: (n: number) => `and ${n} more`,
  madeCalls: 'Calls of this batch',
  found: 'Found',
  problems: (n: number) => (n === 1 ? '1 error' : `${n} errors`),
  errorsIn: (path: string) => `Errors in ${path}`,
  arguments: 'Arguments',
  noArguments: 'No arguments',
  output: 'Output',
  noOutput: 'No output',
  earlierLeftOut: 'Earlier output is not shown here.',
  earlierCut: 'Earlier output is not shown while it runs.',
  fullOutput: (size: string) => `Show the full output (${size})`,
  fullOutputDropped: 'The full output was deleted after 7 days. This preview stays.',
  fullOutputMissing: 'The full output could not be found in this browser.',
  attachment: (name: string) => `Attachment ${name}`,
  changesOf: (path: string) => `Changes to ${path}`,
  diffFile: (from: string | null, to: string | null) =>
    from === null ? `${to} (new)` : to === null ? `${from} (removed)` : from === to ? to : `${from} → ${to}`,
  added: (n: number) => `+${n}`,
  removed: (n: number) => `−${n}`,
  moreRows: (n: number) => `Show ${n} more lines`,

  permission: 'Permission required', // contract
  nth: (n: number, of: number) => `${n} of ${of}`,
  allowOnce: 'Allow once', // contract
  allowSession: 'Allow for this session', // contract
  allowAlways: 'Always allow', // contract
  allowEverywhere: 'Allow everywhere',
  allowEverywhereHint: 'Always allow this, in all workspaces.',
  deny: 'Deny', // contract
  denyWhy: 'Tell the agent why', // contract
  denyHint: 'If you deny with a reason, the agent continues. Without one, it stops.',
  asked: 'What the agent asks for',
  foldedBlanks: (breaks: number, blanks: number) =>
    [
      ...(breaks > 0 ? [`${formatNumber(breaks)} line ends`] : []),
      ...(blanks > 0 ? [`${formatNumber(blanks)} ${breaks > 0 ? 'other ' : ''}blanks`] : []),
    ].join(', '),
  foldedText: (lines: number, characters: number) =>
    lines > 1
      ? `${formatNumber(lines)} more lines (${formatNumber(characters)} characters)`
      : `${formatNumber(characters)} more characters`,
  showFolded: 'Show or hide this part',
  textSize: (lines: number, characters: number) =>
    `${lines === 1 ? '1 line' : `${formatNumber(lines)} lines`}, ${formatNumber(characters)} characters. Open what is folded before you allow it.`,
  copyAsked: 'Copy all of it',
  moreBelow: 'There is more below',
  wouldRead: (paths: string) => `It would read ${paths}.`,
  wouldSave: '“Always” would allow',
  wouldSaveForSession: '“Allow for this session” would allow',
  meaning: {
    anything: (permission: string) => permissionNamed(permission)?.anything ?? 'anything',
    exactly: (permission: string) => (permission === 'bash' ? 'exactly this command' : 'only this'),
    matching: () => 'whatever matches; * stands for anything',
    folder: (_: string, folder: string) => `any file in ${folder}`,
    ending: (_: string, ending: string) => `any file that ends in ${ending}`,
    host: (_: string, host: string) => `any page of ${host}`,
    arguments: (_: string, command: string) => `${command} with any arguments`,
  },
  wider: (folders: string) => `Any file in ${folders} instead`,
  pattern: (n: number) => `Pattern ${n}`,
  dropPattern: (pattern: string) => `Leave out ${pattern}`,
  noPattern: 'Nothing is left to save; allow once or deny.',
  askedWhole: (reason: string) => `Only exactly this can be remembered: ${reason}.`,
  askedWholeOnce: (reason: string) => `This can’t be remembered: ${reason}.`,
  inFolder: (path: string) => `in ${path}`,
  asksByDefault: (permission: string) => permissionNamed(permission)?.asksByDefault,
  asksBecause: {
    default: 'This asks by default.',
    'own-config': 'Your own configuration asks for this.',
    config: 'The configuration of this workspace asks for this.',
    settings: 'Your settings ask for this.',
    agent: 'This agent must ask for this.',
    session: 'A rule of this session asks for this.',
    workspace: 'A rule of this workspace asks for this.',
    parent: 'The agent that assigned this work must ask for this too.',
    everywhere: 'A rule for all workspaces asks for this.',
    mode: 'The mode of this session asks for this.',
    none: 'No rule covers this.',
  },
  asksAnyway: 'What you allowed elsewhere does not apply to this agent.',
  dangerous: (reasons: readonly string[]) =>
    `Always asks, whatever your rules say: it ${reasons.join(', and it ')}.`,
  /** Each text completes a sentence that begins with “it”. */
  dangers: {
    remove: 'may delete or empty the whole workspace, a system folder or Git’s own files',
    'fork-bomb': 'starts itself again and again until nothing else can run',
    'network-to-shell': 'runs a downloaded script without showing it to you',
    'hidden-code': 'runs code that is hidden from you until it runs',
    disk: 'overwrites a disk or a device',
    permissions: 'changes who may use a whole tree of files',
    'git-history': 'rewrites or removes Git history, here or on a server',
    'git-discard': 'throws away changes that are not committed',
    'git-files': 'changes what Git runs on its own: hooks or configuration',
    system: 'stops the machine or all of its processes',
  } as Readonly<Record<DangerKind, string>>,
  repetition: {
    'same-call': (n: number) => `The agent is making the same call for the ${ordinal(n)} time in a row:`,
    cycle: (n: number) =>
      `The agent is going round in circles: these calls, in this order, for the ${ordinal(n)} time:`,
    'same-failure': (n: number) =>
      `The last ${n} calls of this tool failed in the same way. Now the agent wants to call:`,
  },
  repetitionFailure: 'They failed with',
  permissionOtherTab: 'Answer this in the other tab.',

  question: 'Question', // contract
  ownAnswer: 'Your own answer',
  next: 'Next',
  back: 'Back',
  submit: 'Submit',
  dismissQuestion: 'Dismiss',
  dismissHint: 'Without an answer the turn ends.',
  moreWaiting: (n: number) => `${n} more waiting`,
});

function ordinal(n: number): string {
  return n === 2 ? '2nd' : n === 3 ? '3rd' : `${n}th`;
}
