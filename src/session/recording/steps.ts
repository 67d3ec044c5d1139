import type { Hash } from '../../base/hash.ts';
import type { CallEdit, EventOf, Outcome, RequestRef } from '../events.ts';
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
  /** What went out in place of its request, where the person changed that, and what was to stay of it. */
  readonly edited?: RecordedEdit;
  /** What the person had told as it is again, after this step's request and before the next. */
  readonly takenBack?: readonly TakenBack[];
}

export interface RecordedEdit {
  readonly request: RequestRef;
  readonly retold: readonly RecordedRetelling[];
  /** Its system prompt was to stay. */
  readonly systemLasts?: true;
}

/** A message, by its place as in {@link RecordedRetelling}; or the system prompt of an agent. */
export type TakenBack = { readonly place: number } | { readonly agent: string };

export interface RecordedRetelling {
  /** Which message of the conversation, from 0. */
  readonly place: number;
  /** Hash of its messages as a JSON array. */
  readonly told: Hash;
}

export interface RecordedCall {
  readonly callID: string;
  readonly tool: string;
  readonly title: string;
  /** Absent where it never ended. */
  readonly outcome?: Outcome;
  /** As the tool came to it, whatever the person then had told of it. */
  readonly output: string;
  /** What the person changed of it. */
  readonly edits: readonly CallEdit[];
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
  const places = new Map<string, number>();
  let running = false;
  let newest = '';
  for (const event of events) {
    if (event.type === 'turn.started') running = true;
    else if (event.type === 'turn.ended') running = false;
    else if (event.type === 'prompt.accepted') {
      places.set(event.messageID, places.size);
      turns.push({ prompt: event, joined: running, steps: [] });
    } else if (event.type === 'request.edited') {
      const { request } = event;
      change(turns, event.messageID, (step) => ({ ...step, edited: { request, retold: [] } }));
    } else if (event.type === 'message.retold') {
      const { told } = event;
      const place = places.get(event.messageID);
      if (place === undefined) continue;
      if (told === null) change(turns, newest, (step) => withTakenBack(step, { place }));
      else
        change(turns, newest, (step) =>
          withEdit(step, (edited) => ({ ...edited, retold: [...edited.retold, { place, told }] })),
        );
    } else if (event.type === 'system.retold') {
      const { agent, told } = event;
      change(turns, newest, (step) =>
        told === null
          ? withTakenBack(step, { agent })
          : withEdit(step, (edited) => ({ ...edited, systemLasts: true })),
      );
    } else if (event.type === 'step.started' && !event.purpose) {
      const { messageID, time } = event;
      places.set(messageID, places.size);
      newest = messageID;
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

function change(
  turns: readonly { readonly steps: RecordedStep[] }[],
  messageID: string,
  to: (step: RecordedStep) => RecordedStep,
): void {
  for (const { steps } of turns) {
    const index = steps.findIndex((step) => step.messageID === messageID);
    const step = steps[index];
    if (step) steps[index] = to(step);
  }
}

function withEdit(step: RecordedStep, to: (edited: RecordedEdit) => RecordedEdit): RecordedStep {
  return step.edited ? { ...step, edited: to(step.edited) } : step;
}

function withTakenBack(step: RecordedStep, what: TakenBack): RecordedStep {
  return { ...step, takenBack: [...(step.takenBack ?? []), what] };
}

export function callsOf(
  messageID: string,
  partKeys: readonly string[],
  toolPart: (key: string) => ToolPart | undefined,
): readonly RecordedCall[] {
  return partKeys.flatMap((key) => {
    const part = toolPart(key);
    if (part?.messageID !== messageID) return [];
    const { callID, tool, title = '', outcome, edited: edits = [] } = part;
    const changed = edits.find(({ kind }) => kind === 'output');
    const output = (changed?.kind === 'output' ? changed.from : part.output) ?? '';
    return { callID, tool, title, output, edits, ...(outcome && { outcome }) };
  });
}

/** The person's own prompts; the app writes the others itself when their time comes. */
export function isPersons({ prompt }: RecordedTurn): boolean {
  return prompt.origin === undefined;
}
