import type { JsonObject } from '../../base/json.ts';
import type { EventOf } from './events.ts';
import type { StreamPart } from './parts.ts';
import {
  partKey,
  type Part,
  type ReasoningPart,
  type SessionState,
  type TextPart,
  type ToolPart,
} from './state.ts';

/**
 * Folds one part of a model's stream. Badly ordered parts (a delta without a start, a call without input)
 * still show.
 */
export function foldStreamPart(state: SessionState, messageID: string, part: StreamPart, time: number): void {
  if (!state.messages.has(messageID)) return;
  switch (part.type) {
    case 'text-start':
    case 'reasoning-start': {
      const type = part.type === 'text-start' ? 'text' : 'reasoning';
      return changeText(state, messageID, type, part.id, time, { ...metadataOf(part) });
    }
    case 'text-delta':
    case 'reasoning-delta': {
      const type = part.type === 'text-delta' ? 'text' : 'reasoning';
      return changeText(state, messageID, type, part.id, time, {
        append: part.text,
        ...(part.type === 'reasoning-delta' && metadataOf(part)),
      });
    }
    case 'text-end':
    case 'reasoning-end': {
      const type = part.type === 'text-end' ? 'text' : 'reasoning';
      return changeText(state, messageID, type, part.id, time, { ended: time, ...metadataOf(part) });
    }
    case 'tool-input-start':
      return changeTool(state, messageID, part.callID, time, (call) => ({ tool: call?.tool ?? part.tool }));
    case 'tool-input-delta':
      return changeTool(state, messageID, part.callID, time, (call) => ({
        raw: (call?.raw ?? '') + part.delta,
      }));
    case 'tool-call':
      return changeTool(state, messageID, part.callID, time, (call) => ({
        tool: part.tool,
        raw: call?.raw || JSON.stringify(part.input),
        input: part.input,
        ...(part.invalid && { invalid: part.invalid }),
        ...metadataOf(part),
      }));
    case 'file': {
      const count = state.messages.get(messageID)?.partKeys.length ?? 0;
      const key = partKey(messageID, 'file', String(count));
      const file = { mediaType: part.mediaType, blob: part.blob };
      return put(state, { key, messageID, type: 'file', created: time, ended: time, file });
    }
    case 'finish':
      return closeOpenParts(state, messageID, time);
    case 'start':
    case 'response':
    case 'tool-input-end':
    case 'error':
    case 'other':
      return;
  }
}

/** Ends text and reasoning that are still open; calls end by their own events. */
export function closeOpenParts(state: SessionState, messageID: string, time: number): void {
  for (const key of state.messages.get(messageID)?.partKeys ?? []) {
    const part = state.parts.get(key);
    if (part && part.type !== 'tool' && part.ended === undefined)
      state.parts.set(key, { ...part, ended: time });
  }
}

function changeText(
  state: SessionState,
  messageID: string,
  type: 'text' | 'reasoning',
  id: string,
  time: number,
  { append, ...changes }: { append?: string; ended?: number; providerMetadata?: JsonObject },
): void {
  const key = partKey(messageID, type, id);
  const known = state.parts.get(key);
  const part: TextPart | ReasoningPart =
    known?.type === 'text' || known?.type === 'reasoning'
      ? known
      : { key, messageID, type, created: time, text: '' };
  put(state, { ...part, ...changes, text: append === undefined ? part.text : part.text + append });
}

function changeTool(
  state: SessionState,
  messageID: string,
  callID: string,
  time: number,
  update: (part: ToolPart | undefined) => Partial<ToolPart>,
): void {
  const key = partKey(messageID, 'tool', callID);
  const known = state.parts.get(key);
  const call = known?.type === 'tool' ? known : undefined;
  // A call that runs or has its result takes no more typed input.
  if (call && (call.outcome !== undefined || call.started !== undefined)) return;
  put(state, { ...(call ?? emptyCall(messageID, callID, time)), ...update(call) });
}

/**
 * A call made by another call stands behind its parent and the parent's earlier calls, so that requests keep
 * the order of the calls. A call made by a prompt stands behind everything.
 */
export function addCall(state: SessionState, event: EventOf<'call.added'>): void {
  const { messageID, callID, parent, tool, input, readOnly, time } = event;
  const message = state.messages.get(messageID);
  const made = {
    ...(parent !== undefined && { parent }),
    ...(readOnly && { readOnly }),
    tool,
    input,
    raw: JSON.stringify(input),
  };
  const part: ToolPart = { ...emptyCall(messageID, callID, time), ...made };
  if (!message || state.parts.has(part.key)) return;
  if (parent === undefined) return put(state, part);
  const family = message.partKeys.findLastIndex((key) => {
    const other = state.parts.get(key);
    return other?.type === 'tool' && (other.callID === parent || other.parent === parent);
  });
  state.messages.set(messageID, {
    ...message,
    partKeys: message.partKeys.toSpliced(family + 1, 0, part.key),
  });
  state.parts.set(part.key, part);
}

function emptyCall(messageID: string, callID: string, created: number): ToolPart {
  const key = partKey(messageID, 'tool', callID);
  return {
    ...{ key, messageID, callID, type: 'tool', tool: '', created },
    ...{ status: 'pending', raw: '', metadata: {}, live: '' },
  };
}

function put(state: SessionState, part: Part): void {
  const message = state.messages.get(part.messageID);
  if (message && !state.parts.has(part.key))
    state.messages.set(message.id, { ...message, partKeys: [...message.partKeys, part.key] });
  state.parts.set(part.key, part);
}

function metadataOf(part: { providerMetadata?: JsonObject | undefined }): { providerMetadata?: JsonObject } {
  return part.providerMetadata ? { providerMetadata: part.providerMetadata } : {};
}
