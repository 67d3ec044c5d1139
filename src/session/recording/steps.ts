import type { EventOf, Outcome } from '../events.ts';
import type { StreamPart } from '../parts.ts';
import { emptyState, reduce } from '../reduce.ts';
import type { ToolPart } from '../state.ts';
import type { RecordedSession } from './recording.ts';

/** One answer of the model, without those that only sum up. */
export interface RecordedStep {
  readonly messageID: string;
  /** `at`: milliseconds after the step began. */
  readonly parts: readonly { readonly at: number; readonly part: StreamPart }[];
  /** In the order in which they were made, also those that other calls made. */
  readonly calls: readonly RecordedCall[];
}

export interface RecordedCall {
  readonly callID: string;
  readonly tool: string;
  readonly title: string;
  /** Absent where it never ended. */
  readonly outcome?: Outcome;
  readonly output: string;
}

/** A prompt and the answers that came to it before the next prompt was read. */
export interface RecordedTurn {
  readonly prompt: EventOf<'prompt.accepted'>;
  /** It came while a turn ran, and was read by that one. */
  readonly joined: boolean;
  readonly steps: readonly RecordedStep[];
}

export function turnsOf({ events }: RecordedSession): readonly RecordedTurn[] {
  const state = reduce(events, emptyState(''));
  const turns: { prompt: EventOf<'prompt.accepted'>; joined: boolean; steps: RecordedStep[] }[] = [];
  const steps = new Map<string, { began: number; parts: { at: number; part: StreamPart }[] }>();
  let running = false;
  for (const event of events) {
    if (event.type === 'turn.started') running = true;
    else if (event.type === 'turn.ended') running = false;
    else if (event.type === 'prompt.accepted') turns.push({ prompt: event, joined: running, steps: [] });
    else if (event.type === 'step.started' && !event.purpose) {
      const { messageID, time } = event;
      const parts: { at: number; part: StreamPart }[] = [];
      steps.set(messageID, { began: time, parts });
      const calls = callsOf(messageID, state.messages.get(messageID)?.partKeys ?? [], (key) => {
        const part = state.parts.get(key);
        return part?.type === 'tool' ? part : undefined;
      });
      turns.at(-1)?.steps.push({ messageID, parts, calls });
    } else if (event.type === 'step.part') {
      const step = steps.get(event.messageID);
      step?.parts.push({ at: event.time - step.began, part: event.part });
    }
  }
  return turns;
}

export function callsOf(
  messageID: string,
  partKeys: readonly string[],
  toolPart: (key: string) => ToolPart | undefined,
): readonly RecordedCall[] {
  return partKeys.flatMap((key) => {
    const part = toolPart(key);
    if (part?.messageID !== messageID) return [];
    const { callID, tool, title = '', outcome, output = '' } = part;
    return { callID, tool, title, output, ...(outcome && { outcome }) };
  });
}

/** The person's own prompts; the app writes the others itself when their time comes. */
export function isPersons({ prompt }: RecordedTurn): boolean {
  return prompt.origin === undefined;
}
