import type { ScriptAnswer, ScriptCondition, ScriptStep } from './schema.ts';

/** The content of a request, as far as the conditions of a script ask for it. */
export interface RequestFacts {
  readonly system: string;
  /** The text of the newest prompt. */
  readonly prompt: string;
  /** The texts of the results that came back since the model last answered. */
  readonly results: readonly string[];
  /** The names of the tools that are offered. */
  readonly tools: readonly string[];
}

/** The answer that a step gives to a request; `undefined` if none of its cases holds. `draw` decides what chance takes. */
export function answerFor(step: ScriptStep, facts: RequestFacts, draw: string): ScriptAnswer | undefined {
  if (step.cases) return step.cases.find((each) => each.if === undefined || holds(each.if, facts));
  return step.chance ? drawn(step.chance, draw) : step;
}

/** How many characters of a text a pattern is matched against, from its beginning and from its end. */
const MATCHED_LENGTH = 4_000;

function holds({ prompt, result, system, tools }: ScriptCondition, facts: RequestFacts): boolean {
  const fits = (pattern: string | undefined, texts: readonly string[]) =>
    pattern === undefined || texts.some((text) => new RegExp(pattern).test(clipped(text)));
  return (
    fits(prompt, [facts.prompt]) &&
    fits(result, facts.results) &&
    fits(system, [facts.system]) &&
    (tools ?? []).every((name) => facts.tools.includes(name))
  );
}

function clipped(text: string): string {
  if (text.length <= 2 * MATCHED_LENGTH) return text;
  return `${text.slice(0, MATCHED_LENGTH)}\n${text.slice(-MATCHED_LENGTH)}`;
}

function drawn<T extends { readonly weight: number }>(choices: readonly T[], draw: string): T | undefined {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  let left = fraction(draw) * total;
  return choices.find(({ weight }) => (left -= weight) < 0) ?? choices.at(-1);
}

/** A number from 0 to below 1 that depends on nothing but the text: its FNV-1a hash, mixed so that similar texts differ. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
