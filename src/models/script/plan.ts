import { isNews, RESULT_FILES_NOTE, unwrapSteering } from '../../session/request/steering.ts';
import { answerFor, type RequestFacts } from './choice.ts';
import type { Script, ScriptAnswer, ScriptStep, ScriptTurn } from './schema.ts';

/** A message reduced to its author and the text of a prompt, because a script needs no more of any protocol. */
export type ScriptMessage = { readonly by: 'user'; readonly text: string } | { readonly by: 'model' };

/** How many steps of a conversation a fault has used up, and how many were drawn in vain. */
interface Faults {
  readonly steps: number;
  readonly draws: number;
}

const NOTHING: RequestFacts = { system: '', prompt: '', results: [], tools: [] };

/** Both count from 0. */
export interface Position {
  readonly turn: number;
  readonly step: number;
}

/** The steps that requests have got. A step belongs to one script. */
const played = new WeakSet<ScriptStep>();

/** The steps of a script that no request has got yet, counted from 1. */
export function unplayedSteps({ turns }: Script): { turn: number; step: number }[] {
  return turns.flatMap(({ steps }, turn) =>
    steps.flatMap((each, step) => (played.has(each) ? [] : { turn: turn + 1, step: step + 1 })),
  );
}

export type PlannedStep =
  | { readonly position: Position; readonly step: ScriptAnswer; readonly last: boolean }
  | { readonly position: Position; readonly missing: string };

/**
 * Finds the step of the script that a request asks for. Failed requests leave no trace in the messages, so they are
 * counted here per conversation; the same prompts mean the same conversation.
 */
export class ScriptPlan {
  readonly script: Script;
  readonly #faults = new Map<string, Faults>();
  /** The turns that have called a sub-agent, by the prompt that it got. */
  readonly #callers = new Map<string, ScriptTurn>();
  /** The prompts before the first one that the script has answered, if its turns begin with that one. */
  #earlier: readonly string[] | undefined;

  constructor(script: Script) {
    this.script = script;
  }

  next(messages: readonly ScriptMessage[], request: () => Omit<RequestFacts, 'prompt'>): PlannedStep {
    const { prompts, answers } = promptsAndAnswers(messages);
    const key = JSON.stringify(prompts);
    const faults = this.#faults.get(key) ?? { steps: 0, draws: 0 };
    const position = { turn: Math.max(0, prompts.length - 1), step: answers + faults.steps };
    const own = this.#ownPrompts(prompts);
    const turn = turnFor(this.script, own);
    const planned = turn?.steps[position.step];
    if (!turn || !planned) {
      const asked = { turn: Math.max(0, own.length - 1), step: position.step };
      return { position, missing: this.#missing(asked, turn?.steps.length) };
    }
    if (answers === 0 && this.#callers.get(prompts[0] ?? '') === turn)
      return { position, missing: this.#noTurnOfItsOwn(prompts[0] ?? '') };
    const facts = () => ({ ...request(), prompt: prompts.at(-1) ?? '' });
    const draw = JSON.stringify([this.script.seed ?? 0, position, faults.draws]);
    played.add(planned);
    const step = answerFor(planned, planned.cases ? facts() : NOTHING, draw);
    if (!step) return { position, missing: noCase(position) };
    for (const { input } of step.tools ?? [])
      if (typeof input['prompt'] === 'string') this.#callers.set(input['prompt'], turn);
    // The retry draws again where chance has let a request fail; any other fault uses its step up.
    if (step.error || step.cut !== undefined)
      this.#faults.set(
        key,
        planned.chance ? { ...faults, draws: faults.draws + 1 } : { ...faults, steps: faults.steps + 1 },
      );
    return { position, step, last: position.step === turn.steps.length - 1 };
  }

  /** To be called when the last step of a turn was delivered: the same prompts then start a new conversation. */
  completed(messages: readonly ScriptMessage[]): void {
    this.#faults.delete(JSON.stringify(promptsAndAnswers(messages).prompts));
  }

  /** The prompts that take a turn of the script. Another conversation, such as a sub-agent's, has none before it. */
  #ownPrompts(prompts: readonly string[]): readonly string[] {
    if (this.script.begins !== 'next-prompt') return prompts;
    this.#earlier ??= prompts.slice(0, -1);
    const isSame = this.#earlier.every((prompt, at) => prompts[at] === prompt);
    return isSame ? prompts.slice(this.#earlier.length) : prompts;
  }

  /** A sub-agent that plays the steps of the turn that has called it answers as nobody has meant it. */
  #noTurnOfItsOwn(prompt: string): string {
    const title = this.script.title && ` "${this.script.title}"`;
    return `The script${title} has no turn for the sub-agent's prompt ${JSON.stringify(prompt)}: give it a turn with "when".`;
  }

  #missing({ turn, step }: Position, steps: number | undefined): string {
    const asked = `turn ${turn + 1}, step ${step + 1} was asked for`;
    const title = this.script.title && ` "${this.script.title}"`;
    return steps === undefined
      ? `The script${title} has no turn for this prompt: ${asked}, and it has ${count(this.script.turns.length, 'turn')}.`
      : `The script${title} is past its end: ${asked}, and that turn has ${count(steps, 'step')}.`;
  }
}

function noCase({ turn, step }: Position): string {
  return `None of the cases of turn ${turn + 1}, step ${step + 1} of the script holds for this request.`;
}

/** The prompts as the person wrote them, and how often the model has answered the last one. */
function promptsAndAnswers(messages: readonly ScriptMessage[]): {
  readonly prompts: readonly string[];
  readonly answers: number;
} {
  const prompts: string[] = [];
  let answers = 0;
  for (const message of messages) {
    if (message.by === 'model') answers++;
    else if (!message.text.startsWith(RESULT_FILES_NOTE) && !isNews(message.text)) {
      prompts.push(unwrapSteering(message.text) ?? message.text);
      answers = 0;
    }
  }
  return { prompts, answers };
}

/** How many characters of a prompt `when` is matched against, so that long prompts do not slow a pattern down. */
const MATCHED_LENGTH = 4_000;

/** Each prompt takes a turn: the first free one whose `when` matches, else the next free one without `when`. */
function turnFor(script: Script, prompts: readonly string[]) {
  const free = [...script.turns];
  let taken: (typeof free)[number] | undefined;
  for (const prompt of prompts) {
    const fits = fitting(prompt.slice(0, MATCHED_LENGTH));
    const fit = free.findIndex(({ when }) => when !== undefined && fits(when));
    const index = fit >= 0 ? fit : free.findIndex(({ when }) => when === undefined);
    taken = index >= 0 ? free.splice(index, 1)[0] : undefined;
  }
  return taken;
}

/** Tests each pattern once, as several turns may share one. */
function fitting(text: string): (when: string) => boolean {
  const known = new Map<string, boolean>();
  return (when) => {
    const fits = known.get(when) ?? new RegExp(when).test(text);
    known.set(when, fits);
    return fits;
  };
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
