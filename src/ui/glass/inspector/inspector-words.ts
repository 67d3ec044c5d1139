import type { StationName } from '../../../session/inspect/life.ts';
import type { SpanKind } from '../../../session/inspect/spans.ts';
import type { PausePoint } from '../../../session/stepping/points.ts';
import type { Outcome } from '../../../session/log/events.ts';
import type { Call } from '../../../session/inspect/timeline-items.ts';
import { conversationWords } from '../../conversation/conversation-words.ts';
import { messages } from '../../languages/messages.ts';

/** Texts of the inspector, loaded with it. */
export const inspectorWords = messages('inspector', {
  none: 'Nothing has happened in this session yet. Each request to a model and each call of a tool will be listed here.',
  noSession: 'Open or start a session to look into it.',
  failed: (why: string) => `The log of this session could not be read: ${why}`,
  loading: 'Reading the log',

  tree: 'Turns, steps and calls',
  turn: (n: number) => `Turn ${n}`,
  summing: 'Summarizing',
  step: (n: number) => `Step ${n}`,
  stepOfTurn: (turn: number, step: number) => `Turn ${turn}, step ${step}`,
  summary: 'Summary',
  still: 'still running',
  states: {
    thinking: conversationWords.typing,
    running: conversationWords.running,
    waiting: conversationWords.waiting,
    held: 'paused by hand',
    done: conversationWords.outcomes.ok,
    failed: 'failed',
    stopped: 'stopped',
  },
  turnStates: {
    idle: 'done',
    error: 'failed',
    aborted: 'stopped',
    rejected: 'denied',
    interrupted: 'interrupted',
  },
  kinds: {
    model: 'Model',
    waiting: 'Waiting for an answer',
    tool: 'Tools',
    retry: 'Waiting to try again',
    held: 'Paused by hand',
  } as Readonly<Record<SpanKind, string>>,
  legend: 'What the time went to',
  folded: (time: string) => `${time} waiting for an answer, folded`,
  foldedPauses: (time: string) => `${time} paused by you, folded`,

  search: 'Search in steps and calls',
  searchHint: 'Tool, argument, output, text, preview',
  filter: 'Show',
  filters: {
    all: 'Everything',
    steps: 'Steps only',
    asked: 'Calls that asked',
    failed: 'Failed or denied',
    edited: 'What you changed',
  },
  onlyTool: (tool: string, verb: string) => `Calls of ${tool}${verb === tool ? '' : ` (${verb})`}`,
  noMatch: 'No step or call matches.',
  found: (n: number) => (n === 1 ? '1 match' : `${n} matches`),

  edited: 'changed by you',
  heldFor: (at: string, time: string) => `You paused it ${at}, for ${time}.`,
  holding: (at: string) => `Paused by hand ${at}.`,
  holdPoints: {
    request: 'before it went out',
    response: 'after the answer',
    call: 'before it ran',
    result: 'before the model got its result',
  } as Readonly<Record<PausePoint, string>>,
  editedRequest: 'You changed this request before it went out. This is what the model got.',
  retoldRequest: 'It includes changes that you made at an earlier pause.',
  requestBefore: 'Before you changed it',

  detail: 'Details',
  life: 'Life of this call',
  stepLife: 'Life of this step',
  stations: {
    registered: 'registered',
    resolved: 'resolved',
    pending: 'pending',
    permitted: 'permitted',
    running: 'running',
    ended: 'ended',
  } as Readonly<Record<StationName, string>>,
  stationStates: {
    passed: 'passed',
    now: 'here now',
    skipped: 'skipped',
    failed: 'failed here',
    ahead: 'not yet',
  },
  outcomes: conversationWords.outcomes,
  stepStations: {
    asked: 'built',
    sent: 'sent',
    first: 'first token',
    answered: 'answer finished',
    ended: 'ended',
  },

  tabs: {
    call: 'Call',
    rules: 'Rules',
    output: 'Output',
    stream: 'Stream',
    request: 'Request',
    answer: 'Answer',
  },

  said: 'Arguments, as the model wrote them',
  typed: 'Arguments, as they streamed in',
  typedPieces: (n: number) => `Streamed in ${n} ${n === 1 ? 'chunk' : 'chunks'}`,
  parsed: 'Arguments, as the tool received them',
  same: 'The tool received them exactly as written.',
  neverRan: 'The tool did not run.',
  stillTyped: 'The model is still writing them.',
  valid: 'They match the schema of the tool.',
  invalid: {
    'unknown-tool': 'There is no tool of this name.',
    'bad-json': 'They are not valid JSON.',
    'bad-input': 'They do not match the schema of the tool.',
    'too-deep': 'They are nested too deep.',
  } as Readonly<Record<string, string>>,
  notFit: 'They do not match the schema of the tool.',
  calledBy: (callID: string) => `Made by call ${callID}.`,

  decisions: 'Decisions, in order',
  noRules: 'No rule was checked for this call.',
  considered: (pattern: string) => `Rules that match ${pattern}`,
  noneConsidered: (pattern: string) => `No rule matches ${pattern}.`,
  consideredRule: (rule: string, action: string, source: string) => `${rule}: ${action}, from ${source}`,
  decided: 'decided',
  aside: 'ignored: it does not show what would run',
  unlisted: (n: number) =>
    n === 1 ? 'One earlier rule is not listed.' : `${n} earlier rules are not listed.`,

  metadata: 'Metadata of the call',
  metadataEnd: 'At the end',
  printed: 'Printed while it ran',
  before: 'Output before it was cut',
  after: 'Output after it was cut',
  outputWhole: 'Full output',
  sawTitle: 'What the model saw',
  saw: (step: string) => `In the request of ${step}:`,
  unseen: 'No model has seen it yet.',
  noResult: 'It has no result yet.',

  parts: 'Parts of the answer, in order',
  noParts: 'Nothing has arrived yet.',
  more: (n: number) => `Show ${n} more`,

  equal: 'The body rebuilt from the log equals what was sent.',
  different: 'The body rebuilt from the log differs from what was sent.',
  differentAt: (offset: number) => `They differ from character ${offset} on.`,
  differentFiles: 'An attached file is no longer stored on this device.',
  differentWhy:
    'It was sent by another version of this page, or with another address or other provider settings than now.',
  inPage: 'This model runs in the page: nothing went over a network.',
  notSent: 'Nothing has been sent.',
  unknownBody: 'The body cannot be rebuilt to compare it.',
  sentSha: 'SHA-256 as sent',
  rebuiltSha: 'SHA-256 as rebuilt',
  wasSent: 'As sent',
  wasRebuilt: 'As rebuilt',
  bodyKept: 'Body, as sent',
  bodyRebuilt: 'Body, as rebuilt from the log',
  masked: 'Secrets are masked. The digests are of the whole text.',
  requestFailed: (why: string) => `The request cannot be rebuilt: ${why}`,
  requestLacks: {
    withheld: 'Whoever shared this recording left out what was sent to the model.',
    attachment:
      'This recording does not hold the whole request: it tells of an attachment that was left out, or there was no room for it.',
    older:
      'This recording does not hold the whole request: it was made by an older version, or had no room for it.',
  },
  rebuilding: 'Rebuilding the request',
  system: 'System prompt',
  messages: (n: number, shared: number) =>
    shared === 0 ? `Messages: ${n}` : `Messages: ${n}, of which ${n - shared} new with this step`,
  newMessage: 'new',
  tools: (n: number) => `Tools: ${n}`,
  settings: 'Settings',
  characters: (n: string) => `${n} characters`,
  model: 'Model',
  agent: 'Agent',

  asked: 'Prompt',
  turnEnded: 'Ended',
  spoken: { text: 'Text', reasoning: 'Reasoning' },
  usage: 'Usage and time',
  tokens: {
    inputTokens: 'Input',
    outputTokens: 'Output',
    reasoningTokens: 'of which reasoning',
    cacheReadTokens: 'Read from the cache',
    cacheWriteTokens: 'Written to the cache',
  },
  cost: 'Cost',
  noCost: 'price unknown',
  firstPiece: 'First token after',
  took: 'Took',
  ended: 'Ended with',
  tokensPerSecond: 'Output tokens per second',
  fault: 'Error',
  tried: (attempt: number, delay: string) => `Tried again after ${delay}, retry ${attempt}.`,
  noUsage: 'The provider reported no usage.',

  copy: 'Copy as',
  copyJSON: 'JSON',
  copyCurl: 'cURL',
  copySnippet: 'AI SDK',
  copied: (what: string) => `Copied as ${what}.`,
  copyFailed: 'Copying failed.',
  noCurl: 'Nothing is sent to this model, so there is nothing to copy as cURL.',
  showAll: (n: string) => `Show all ${n} characters`,
});

/** The outcome of a call, in the words of its card. */
export function endOf({ failedExit }: Call, outcome: Outcome): string {
  const said = inspectorWords.outcomes[outcome];
  return failedExit === undefined ? said : `${said}, ${conversationWords.exit(failedExit)}`;
}
