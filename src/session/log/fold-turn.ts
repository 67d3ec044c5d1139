import { withoutTexts } from '../request/request.ts';
import type { EventOf } from './events.ts';
import { changeCall } from './fold-call.ts';
import { chooseAgent, foldUsage } from './fold-session.ts';
import type { Folds, TypesAbout } from './folds.ts';
import { closeOpenParts, foldStreamPart } from './reduce-part.ts';
import { partKey, type Message, type SessionState } from './state.ts';

type TurnTypes = TypesAbout<'prompt' | 'turn' | 'step' | 'pause' | 'request' | 'message' | 'context'>;

/** Events about messages, and about the turns and steps that make them. */
export const turnFolds: Folds<TurnTypes> = {
  'prompt.accepted': foldPrompt,
  'turn.started'(state, event) {
    state.turn = { promptID: event.promptID, started: event.time };
    // A turn that only sums up changes no files, so the changes of the turn before stay in view.
    if (state.snapshots && !event.purpose)
      state.snapshots = { ...state.snapshots, turn: state.snapshots.newest };
  },
  'turn.ended'(state, event) {
    state.turn = null;
    delete state.retry;
    delete state.paused;
    state.lastTurn = { status: event.status, ...(event.fault && { fault: event.fault }) };
  },
  'step.started': foldStep,
  'step.sent'(state, event) {
    change(state, event.messageID, { bodyHash: event.bodyHash });
  },
  'step.part'(state, event) {
    foldStreamPart(state, event.messageID, event.part, event.time);
  },
  'step.ended': foldStepEnd,
  'step.waiting'(state, { messageID, attempt, time, delay }) {
    state.retry = { messageID, attempt, at: time + delay };
  },
  'pause.began'(state, event) {
    const { pauseID: id, point, messageID, call: callID } = event;
    const pause = { id, point, messageID, since: event.time, ...(callID !== undefined && { callID }) };
    state.paused = [...(state.paused ?? []), pause];
  },
  'pause.ended': foldPauseEnd,
  'request.edited'(state, event) {
    const request = state.messages.get(event.messageID)?.request;
    const { sizes } = event.request;
    change(state, event.messageID, {
      edited: true,
      // A provider's count is about the request that was sent.
      ...(request && sizes && { request: { ...request, sizes } }),
    });
  },
  'message.retold'(state, { messageID, model, told }) {
    const retold = (state.retold ?? []).filter((each) => each.messageID !== messageID);
    if (told !== null) retold.push({ messageID, model, told });
    if (retold.length > 0) state.retold = retold;
    else delete state.retold;
  },
  'context.compacted'(state, { messageID, tail, reason, before, after }) {
    change(state, messageID, { compaction: { tail, reason, before, after } });
  },
};

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
    ...(event.model && { model: event.model }),
    created: time,
    ended: time,
    partKeys: [key],
    ...(event.origin && { origin: event.origin }),
    ...(state.snapshots &&
      !state.snapshots.missed && {
        files: { before: state.snapshots.newest, after: state.snapshots.newest },
      }),
  });
  delete state.undone;
  if (event.origin?.kind === 'agent-switched') chooseAgent(state, event.agent);
  state.head = messageID;
}

function foldStep(state: SessionState, event: EventOf<'step.started'>): void {
  delete state.retry;
  if (!event.purpose) delete state.prunedTokens;
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

function foldPauseEnd(state: SessionState, event: EventOf<'pause.ended'>): void {
  const left = (state.paused ?? []).filter(({ id }) => id !== event.pauseID);
  const pause = (state.paused ?? []).find(({ id }) => id === event.pauseID);
  if (left.length > 0) state.paused = left;
  else delete state.paused;
  if (pause?.point !== 'result' || pause.callID === undefined) return;
  const { messageID, callID, since } = pause;
  changeCall(state, { messageID, callID }, ({ held = 0 }) => ({ held: held + event.time - since }));
}

function change(state: SessionState, messageID: string, update: Partial<Message>): void {
  const message = state.messages.get(messageID);
  if (message) state.messages.set(messageID, { ...message, ...update });
}
