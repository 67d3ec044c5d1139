import { callTexts, withOutput } from './call-texts.ts';
import type { EventBody, Outcome, TurnStatus } from './events.ts';
import type { Fault } from '../base/fault.ts';
import type { SessionState, ToolPart } from './state.ts';

/**
 * The events that close a turn which did not come to its own end: a tab that died, a fault of ours. Asks are
 * withdrawn, open calls get their one result, the open step and the turn end. Empty where nothing is open.
 */
export function closingEvents(
  state: SessionState,
  how: { readonly status: TurnStatus; readonly outcome: Outcome; readonly fault?: Fault },
): EventBody[] {
  const bodies: EventBody[] = [];
  for (const { id, messageID, callID } of state.pending.values())
    bodies.push({
      type: 'permission.answered',
      messageID,
      callID,
      requestID: id,
      reply: { reply: 'reject' },
      by: 'cancelled',
    });
  for (const { id, messageID, callID } of state.questions.values())
    bodies.push({
      type: 'question.answered',
      messageID,
      callID,
      requestID: id,
      answers: null,
      by: 'cancelled',
    });
  const fault = how.fault && { fault: how.fault };
  for (const message of state.messages.values()) {
    if (message.role !== 'assistant' || message.ended !== undefined) continue;
    for (const key of message.partKeys) {
      const part = state.parts.get(key);
      if (part?.type === 'tool' && part.outcome === undefined) bodies.push(callEnd(part, how.outcome));
    }
    bodies.push({ type: 'step.ended', messageID: message.id, reason: 'other', usage: {}, ...fault });
  }
  if (state.turn) bodies.push({ type: 'turn.ended', status: how.status, ...fault });
  return bodies;
}

const NOTES = {
  interrupted: { running: callTexts.interrupted, waiting: callTexts.interruptedBefore },
  stopped: { running: callTexts.stopped, waiting: callTexts.stoppedBefore },
};

function callEnd(part: ToolPart, outcome: Outcome): EventBody {
  const note =
    NOTES[outcome === 'interrupted' ? 'interrupted' : 'stopped'][part.started ? 'running' : 'waiting'];
  return {
    type: 'call.ended',
    messageID: part.messageID,
    callID: part.callID,
    outcome,
    output: withOutput(part.live, note),
    title: part.title ?? '',
    metadata: { interrupted: true },
    attachments: [],
  };
}
