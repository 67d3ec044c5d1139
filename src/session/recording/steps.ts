import type { Hash } from '../../base/hash.ts';
import type { CallEdit, EventOf, Outcome, RequestRef } from '../log/events.ts';
import type { StreamPart } from '../log/parts.ts';
import { conversationOf } from '../log/path.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import type { ToolPart } from '../log/state.ts';
import type { RecordedSession } from './recording.ts';

/** The parts of an answer. `at` is in milliseconds since the request. */
export type RecordedParts = readonly { readonly at: number; readonly part: StreamPart }[];

/** One answer of the model; summaries are not included. */
export interface RecordedStep {
  readonly messageID: string;
  readonly parts: RecordedParts;
  /** The calls in the order in which they were made, including nested ones. */
  readonly calls: readonly RecordedCall[];
  /** The person's edit of its request, and which parts of it were to last. */
  readonly edited?: RecordedEdit;
  /** The lasting edits that the person undid after this step's request and before the next one. */
  readonly takenBack?: readonly Reverted[];
}

export interface RecordedEdit {
  readonly request: RequestRef;
  readonly retold: readonly RecordedRetelling[];
  /** The edited system prompt was to last. */
  readonly systemLasts?: true;
}

/** A message of the recording, or an agent whose system prompt was edited. */
export type Reverted = { readonly messageID: string } | { readonly agent: string };

export interface RecordedRetelling {
  /** The id in the recording. */
  readonly messageID: string;
  /** Hash of the replacement messages as a JSON array. */
  readonly told: Hash;
}

export interface RecordedCall {
  readonly callID: string;
  readonly tool: string;
  readonly title: string;
  /** Absent if the call never ended. */
  readonly outcome?: Outcome;
  /** The tool's own output, before any edit by the person. */
  readonly output: string;
  /** The person's changes of this call. */
  readonly edits: readonly CallEdit[];
}

/** A prompt and the answers to it, up to the next prompt that the model read. */
export interface RecordedTurn {
  readonly prompt: EventOf<'prompt.accepted'>;
  /** Whether the prompt came while a turn ran, and became part of that turn. */
  readonly joined: boolean;
  readonly steps: readonly RecordedStep[];
  /** The model's summaries, including failed tries. */
  readonly summaries: readonly RecordedParts[];
  /**
   * When the conversation was summarized: after this many steps, or `null` if after the turn. Summaries
   * because a request was refused as too long are not included.
   */
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
  /** Whether the current turn only summarizes. */
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
  if (!state.branched) return turns;
  // Other versions of the conversation are not played.
  const conversation = new Set(conversationOf(state).map(({ id }) => id));
  return turns.filter(({ prompt }) => conversation.has(prompt.messageID));
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

function withTakenBack(step: RecordedStep, what: Reverted): RecordedStep {
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

/** Whether the person wrote the prompt; the app writes all others itself when their time comes. */
export function isPersons({ prompt }: RecordedTurn): boolean {
  return prompt.origin === undefined;
}
