import { plan } from '../../agents/plan.ts';
import type { Event, EventOf } from './events.ts';
import type { Usage } from './parts.ts';
import { todosOf } from './todos.ts';
import { addCall, foldStreamPart, closeOpenParts } from './reduce-part.ts';
import { withoutTexts } from '../request/request.ts';
import { partKey, type Message, type SessionState, type ToolPart } from './state.ts';

/**
 * While a call runs, at least this many characters of its live output are kept, and at most twice as many.
 */
const LIVE_CHARACTERS = 30_000;

export function emptyState(sessionID: string): SessionState {
  return {
    sessionID,
    workspaceID: '',
    title: '',
    keep: false,
    agent: null,
    created: 0,
    updated: 0,
    nextSeq: 0,
    head: null,
    messages: new Map(),
    parts: new Map(),
    pending: new Map(),
    questions: new Map(),
    todos: [],
    granted: [],
    limits: [],
    tasks: [],
    startSnapshot: null,
    turn: null,
    lastTurn: null,
    usage: {},
  };
}

export function reduce(events: Iterable<Event>, state: SessionState): SessionState {
  for (const event of events) fold(state, event);
  return state;
}

/**
 * Applies one event, in place. Never fails: an event about a message or call that is not loaded changes only
 * the time and `nextSeq`, so that a state may hold only the newest messages.
 */
export function fold(state: SessionState, event: Event): void {
  state.nextSeq = event.seq + 1;
  state.updated = event.time;
  switch (event.type) {
    case 'session.created':
      state.created = event.time;
      state.workspaceID = event.workspaceID;
      state.title = event.title;
      if (event.parent) state.parent = event.parent;
      if (event.agent !== undefined) state.agent = event.agent;
      return;
    case 'session.titled':
      state.title = event.title;
      return;
    case 'session.kept':
      state.keep = event.keep;
      return;
    case 'snapshot.taken':
      if (event.reason === 'session-start') state.startSnapshot = event.manifest;
      return;
    case 'mode.set':
      state.mode = event.mode;
      if (event.mode === 'plan') state.agent = plan.name;
      else if (state.agent === plan.name) state.agent = null;
      return;
    case 'rules.granted':
      state.granted = [...state.granted, ...event.rules];
      return;
    case 'rules.limited':
      state.limits = event.rules;
      return;
    case 'agent.chosen':
      return chooseAgent(state, event.agent);
    case 'effort.chosen':
      if (event.effort === null) delete state.effort;
      else state.effort = event.effort;
      return;
    case 'task.started': {
      const { childID, messageID, callID, agent, title, background } = event;
      const others = state.tasks.filter((task) => task.childID !== childID);
      const spent = state.tasks.find((task) => task.childID === childID)?.spent;
      const task = { childID, messageID, callID, agent, title, background, state: 'running' } as const;
      state.tasks = [...others, { ...task, ...(spent && { spent }) }];
      return;
    }
    case 'task.ended':
      state.tasks = state.tasks.map((task) =>
        task.childID === event.childID
          ? { ...task, state: event.state, ...(event.spent && { spent: event.spent }) }
          : task,
      );
      return;
    case 'prompt.accepted':
      return foldPrompt(state, event);
    case 'turn.started':
      state.turn = { promptID: event.promptID, started: event.time };
      return;
    case 'turn.ended':
      state.turn = null;
      delete state.retry;
      delete state.paused;
      state.lastTurn = { status: event.status, ...(event.fault && { fault: event.fault }) };
      return;
    case 'step.started':
      delete state.retry;
      if (!event.purpose) delete state.prunedTokens;
      return foldStep(state, event);
    case 'step.sent':
      return change(state, event.messageID, { bodyHash: event.bodyHash });
    case 'step.part':
      return foldStreamPart(state, event.messageID, event.part, event.time);
    case 'step.ended':
      return foldStepEnd(state, event);
    case 'pause.began': {
      const { pauseID: id, point, messageID, call: callID } = event;
      const pause = { id, point, messageID, since: event.time, ...(callID !== undefined && { callID }) };
      state.paused = [...(state.paused ?? []), pause];
      return;
    }
    case 'pause.ended': {
      const left = (state.paused ?? []).filter(({ id }) => id !== event.pauseID);
      const pause = (state.paused ?? []).find(({ id }) => id === event.pauseID);
      if (left.length > 0) state.paused = left;
      else delete state.paused;
      if (pause?.point !== 'result' || pause.callID === undefined) return;
      const { messageID, callID, since } = pause;
      return changeCall(state, { messageID, callID }, ({ held = 0 }) => ({
        held: held + event.time - since,
      }));
    }
    case 'request.edited': {
      const request = state.messages.get(event.messageID)?.request;
      const { sizes } = event.request;
      return change(state, event.messageID, {
        edited: true,
        // A provider's count is about the request that was sent.
        ...(request && sizes && { request: { ...request, sizes } }),
      });
    }
    case 'message.retold': {
      const { messageID, model, told } = event;
      const retold = (state.retold ?? []).filter((each) => each.messageID !== messageID);
      if (told !== null) retold.push({ messageID, model, told });
      if (retold.length > 0) state.retold = retold;
      else delete state.retold;
      return;
    }
    case 'system.retold': {
      const { messageID, agent, told } = event;
      const retold = (state.retoldSystems ?? []).filter((each) => each.agent !== agent);
      if (told !== null) retold.push({ messageID, agent, told });
      if (retold.length > 0) state.retoldSystems = retold;
      else delete state.retoldSystems;
      return;
    }
    case 'call.edited':
      return changeCall(state, event, (part) => ({
        edited: [...(part.edited ?? []), event.edit],
        ...(event.edit.kind === 'input' && { input: event.edit.to }),
      }));
    case 'step.waiting': {
      const { messageID, attempt, time, delay } = event;
      state.retry = { messageID, attempt, at: time + delay };
      return;
    }
    case 'context.compacted': {
      const { messageID, tail, reason, before, after } = event;
      return change(state, messageID, { compaction: { tail, reason, before, after } });
    }
    case 'outputs.pruned':
      state.prunedBefore = Math.max(state.prunedBefore ?? 0, event.before);
      state.prunedTokens = (state.prunedTokens ?? 0) + event.tokens;
      return;
    case 'aside.ended':
      return foldUsage(state, event.usage, event.cost);
    case 'permission.decided':
      return;
    case 'permission.asked':
      addPending(state, event);
      return changeCall(state, event, () => ({ status: 'pending', waiting: event.requestID }));
    case 'permission.answered':
      state.pending.delete(event.requestID);
      return changeCall(state, event, (part) => (part.waiting === event.requestID ? 'not-waiting' : {}));
    case 'question.asked': {
      const { requestID: id, sessionID, messageID, callID, tool, questions } = event;
      state.questions.set(id, { id, sessionID, messageID, callID, tool, questions });
      return changeCall(state, event, () => ({ status: 'pending', waiting: id }));
    }
    case 'question.answered':
      state.questions.delete(event.requestID);
      return changeCall(state, event, (part) => (part.waiting === event.requestID ? 'not-waiting' : {}));
    case 'call.added':
      return addCall(state, event);
    case 'call.running':
      return changeCall(state, event, (part) => ({
        status: 'running',
        tool: event.tool,
        input: event.input,
        started: part.started ?? event.time,
      }));
    case 'call.progress':
      return changeCall(state, event, (part) => ({
        ...(event.title !== undefined && { title: event.title }),
        ...(event.metadata && { metadata: { ...part.metadata, ...event.metadata } }),
      }));
    case 'call.output':
      return changeCall(state, event, (part) => ({ live: tail(part.live + (event.text ?? '')) }));
    case 'call.ended':
      return foldCallEnd(state, event);
    case 'output.dropped':
      return changeCall(state, event, () => ({ fullOutputDropped: true }), 'also-ended');
  }
}

function foldPrompt(state: SessionState, event: EventOf<'prompt.accepted'>): void {
  const key = partKey(event.messageID, 'text', '0');
  const { messageID, time, text } = event;
  state.parts.set(key, { key, messageID, type: 'text', text, created: time, ended: time });
  state.messages.set(messageID, {
    id: messageID,
    sessionID: event.sessionID,
    seq: event.seq,
    role: 'user',
    parentID: event.parentID,
    agent: event.agent,
    model: event.model,
    created: time,
    ended: time,
    partKeys: [key],
    ...(event.origin && { origin: event.origin }),
  });
  if (event.origin?.kind === 'agent-switched') chooseAgent(state, event.agent);
  state.head = messageID;
}

/** The plan mode and the planning agent go together. */
function chooseAgent(state: SessionState, agent: string): void {
  state.agent = agent;
  if (agent !== plan.name && state.mode === 'plan') delete state.mode;
}

function foldStep(state: SessionState, event: EventOf<'step.started'>): void {
  state.messages.set(event.messageID, {
    id: event.messageID,
    sessionID: event.sessionID,
    seq: event.seq,
    role: 'assistant',
    parentID: event.parentID,
    agent: event.agent,
    model: event.model,
    created: event.time,
    partKeys: [],
    step: event.step,
    request: withoutTexts(event.request),
    ...(event.purpose && { purpose: event.purpose }),
  });
  state.head = event.messageID;
}

function foldStepEnd(state: SessionState, event: EventOf<'step.ended'>): void {
  closeOpenParts(state, event.messageID, event.time);
  change(state, event.messageID, {
    ended: event.time,
    finish: event.reason,
    usage: event.usage,
    ...(event.cost !== undefined && { cost: event.cost }),
    ...(event.fault && { fault: event.fault }),
  });
  foldUsage(state, event.usage, event.cost);
}

function foldUsage(state: SessionState, usage: Usage, cost: number | undefined): void {
  state.usage = addUsage(state.usage, usage);
  if (cost !== undefined) state.cost = (state.cost ?? 0) + cost;
  else if (usage.inputTokens || usage.outputTokens) state.unpriced = true;
}

function foldCallEnd(state: SessionState, event: EventOf<'call.ended'>): void {
  const known = state.parts.get(partKey(event.messageID, 'tool', event.callID));
  if (known?.type === 'tool' && known.tool === 'todowrite' && event.outcome === 'ok' && !known.outcome)
    state.todos = todosOf(event.metadata) ?? state.todos;
  changeCall(state, event, (part) => ({
    status: event.outcome === 'ok' ? 'completed' : 'error',
    outcome: event.outcome,
    output: event.output,
    title: event.title,
    metadata: { ...part.metadata, ...event.metadata },
    attachments: event.attachments,
    live: '',
    ended: event.time,
    ...(event.fullOutput && { fullOutput: event.fullOutput }),
  }));
}

/** Requests keep the order of the calls, except the first one, which the person may be looking at. */
function addPending(state: SessionState, event: EventOf<'permission.asked'>): void {
  const { requestID, sessionID, messageID, callID, tool } = event;
  const { permission, patterns, always, subject, decisions, dangers } = event;
  const asked = { permission, patterns, always, subject, decisions, ...(dangers && { dangers }) };
  const place = (call: string) =>
    state.messages.get(messageID)?.partKeys.indexOf(partKey(messageID, 'tool', call)) ?? 0;
  const later = [...state.pending.values()].slice(1).filter((other) => place(other.callID) > place(callID));
  state.pending.set(requestID, { id: requestID, sessionID, messageID, callID, tool, ...asked });
  for (const request of later) {
    state.pending.delete(request.id);
    state.pending.set(request.id, request);
  }
}

function change(state: SessionState, messageID: string, update: Partial<Message>): void {
  const message = state.messages.get(messageID);
  if (message) state.messages.set(messageID, { ...message, ...update });
}

/** An ended call stays unchanged: later events for it are in the log but not on the screen. */
function changeCall(
  state: SessionState,
  { messageID, callID }: { readonly messageID: string; readonly callID: string },
  update: (part: ToolPart) => Partial<ToolPart> | 'not-waiting',
  which: 'open' | 'also-ended' = 'open',
): void {
  const key = partKey(messageID, 'tool', callID);
  const part = state.parts.get(key);
  if (part?.type !== 'tool' || (part.outcome !== undefined && which === 'open')) return;
  const changes = update(part);
  const next: { -readonly [K in keyof ToolPart]: ToolPart[K] } = { ...part };
  if (changes === 'not-waiting' || 'outcome' in changes) delete next.waiting;
  state.parts.set(key, changes === 'not-waiting' ? next : { ...next, ...changes });
}

function tail(text: string): string {
  return text.length > 2 * LIVE_CHARACTERS ? text.slice(-LIVE_CHARACTERS) : text;
}

const USAGE_KEYS = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const satisfies readonly (keyof Usage)[];

/** A count that is absent in both stays absent. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {};
  for (const key of USAGE_KEYS) {
    const left = a[key];
    const right = b[key];
    if (left !== undefined || right !== undefined) sum[key] = (left ?? 0) + (right ?? 0);
  }
  return sum;
}
