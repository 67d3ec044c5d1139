import { callTexts, withOutput } from '../calls/call-texts.ts';
import type { EventBody, Outcome, TurnStatus } from './events.ts';
import type { Fault } from '../../base/fault.ts';
import type { Message, SessionState, ToolPart } from './state.ts';
import { clip, oneLine } from '../../tools/text.ts';

interface Closing {
  readonly status: TurnStatus;
  readonly outcome: Outcome;
  readonly fault?: Fault;
  /** Whether the session is a copy of another one as it was in the middle of a turn, which may have gone on there. */
  readonly isCopy?: boolean;
}

/**
 * The events that close a turn which did not end by itself, because a tab died, our code failed, or the session is a
 * copy that was made in its middle. Requests are withdrawn, open calls get their one result, and the open step and the
 * turn end. Empty if nothing is open.
 */
export function closingEvents(state: SessionState, how: Closing): EventBody[] {
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
    const said = message.role === 'assistant';
    if (said && message.ended !== undefined) continue;
    for (const key of message.partKeys) {
      const part = state.parts.get(key);
      if (part?.type === 'tool' && part.outcome === undefined)
        bodies.push(callEnd(part, how, leftBehind(part, message, state)));
    }
    if (said)
      bodies.push({ type: 'step.ended', messageID: message.id, reason: 'other', usage: {}, ...fault });
  }
  if (state.turn) bodies.push({ type: 'turn.ended', status: how.status, ...fault });
  return bodies;
}

const NOTES = {
  interrupted: { running: callTexts.interrupted, waiting: callTexts.interruptedBefore },
  stopped: { running: callTexts.stopped, waiting: callTexts.stoppedBefore },
  copied: { running: callTexts.copied, waiting: callTexts.copiedBefore },
};

/** The possible changes by an interrupted atomic batch of calls, which nobody can undo any more. */
function leftBehind(part: ToolPart, message: Message, state: SessionState): readonly string[] | undefined {
  const { input } = part;
  const atomic = typeof input === 'object' && input !== null && 'atomic' in input && input.atomic === true;
  if (!atomic) return undefined;
  const made = message.partKeys.flatMap((key) => {
    const call = state.parts.get(key);
    return call?.type === 'tool' && call.parent === part.callID ? call : [];
  });
  if (made.length === 0) return undefined;
  return made
    .filter(({ readOnly, started }) => started !== undefined && !readOnly)
    .map(({ tool, raw, outcome }) => {
      const how = outcome === undefined ? 'how far it came is not known' : outcome;
      return `- ${tool} ${clip(oneLine(raw), SHOWN_CHARACTERS)}: ${how}`;
    });
}

const SHOWN_CHARACTERS = 200;

function callEnd(
  part: ToolPart,
  { outcome, isCopy }: Closing,
  left: readonly string[] | undefined,
): EventBody {
  const how = isCopy ? 'copied' : outcome === 'interrupted' ? 'interrupted' : 'stopped';
  const plain = NOTES[how][part.started ? 'running' : 'waiting'];
  const note = left && how === 'interrupted' ? callTexts.interruptedAtomic(left) : plain;
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
