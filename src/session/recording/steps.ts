import type { Hash } from '../../base/hash.ts';
import type { CallEdit, EventOf, Outcome, RequestRef } from '../events.ts';
import type { StreamPart } from '../parts.ts';
import { emptyState, reduce } from '../reduce.ts';
import type { ToolPart } from '../state.ts';
import type { RecordedSession } from './recording.ts';

/** What the model said. `at`: milliseconds after it was asked. */
export type RecordedParts = readonly { readonly at: number; readonly part: StreamPart }[];

/** One answer of the model, without those that only sum up. */
export interface RecordedStep {
  readonly messageID: string;
  readonly parts: RecordedParts;
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

/** A message of the recording; or the system prompt of an agent. */
export type TakenBack = { readonly messageID: string } | { readonly agent: string };

export interface RecordedRetelling {
  /** In the recording. */
  readonly messageID: string;
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
  /** What the model wrote where it was to sum the conversation up, failed tries as well. */
  readonly summaries: readonly RecordedParts[];
  /** When it was to: after so many of the steps; `null`: when the turn was over. Not where a request was refused as too long. */
  readonly summedUp: readonly (number | null)[];
}

export function turnsOf({ events }: RecordedSession): readonly RecordedTurn[] {
  const state = reduce(events, emptyState(''));
  const turns: {
    prompt: EventOf<'prompt.accepted'>;
    joined: boolean;
    steps: RecordedStep[];
    summaries: RecordedParts[];
    summedUp: (number | null)[];
  }[] = [];
  const steps = new Map<string, { began: number; parts: { at: number; part: StreamPart }[] }>();
  /** For the summary alone. */
  let apart = false;
  let running = false;
  let newest = '';
  for (const event of events) {
    if (event.type === 'turn.started') {
      apart = event.purpose !== undefined;
      running = !apart;
      if (apart) turns.at(-1)?.summedUp.push(null);
    } else if (event.type === 'turn.ended') running = false;
    else if (event.type === 'prompt.accepted') {
      turns.push({ prompt: event, joined: running, steps: [], summaries: [], summedUp: [] });
    } else if (event.type === 'request.edited') {
      const { request } = event;
      change(turns, event.messageID, (step) => ({ ...step, edited: { request, retold: [] } }));
    } else if (event.type === 'message.retold') {
      const { messageID, told } = event;
      if (told === null) change(turns, newest, (step) => withTakenBack(step, { messageID }));
      else
        change(turns, newest, (step) =>
          withEdit(step, (edited) => ({ ...edited, retold: [...edited.retold, { messageID, told }] })),
        );
    } else if (event.type === 'system.retold') {
      const { agent, told } = event;
      change(turns, newest, (step) =>
        told === null
          ? withTakenBack(step, { agent })
          : withEdit(step, (edited) => ({ ...edited, systemLasts: true })),
      );
    } else if (event.type === 'context.compacted') {
      const turn = turns.at(-1);
      if (!apart && event.reason !== 'overflow') turn?.summedUp.push(turn.steps.length);
    } else if (event.type === 'step.started' && event.purpose) {
      const parts: { at: number; part: StreamPart }[] = [];
      steps.set(event.messageID, { began: event.time, parts });
      turns.at(-1)?.summaries.push(parts);
    } else if (event.type === 'step.started') {
      const { messageID, time } = event;
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
