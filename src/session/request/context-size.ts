import type { ContextSizes } from '../log/events.ts';
import type { Message } from '../log/state.ts';

/** This is close enough for English and code; the provider's own counts correct it. */
const CHARACTERS_PER_TOKEN = 4;
/** The bounds of the factor that corrects an estimate, whatever the provider counted. */
const CORRECTION = { least: 0.5, most: 4 } as const;
/** Smaller estimates, in tokens, say little about how a provider counts. */
const TELLING = 1_000;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function charactersOf(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}

export function totalOf(sizes: ContextSizes): number {
  return sizes.system + sizes.tools + sizes.messages + sizes.outputs + sizes.files;
}

/** The factor for estimates, from a step whose request was both estimated and counted by the provider. */
export function correctionBy(step: Pick<Message, 'request' | 'usage'> | undefined): number {
  const counted = step?.usage?.inputTokens;
  const estimated = step?.request?.sizes && totalOf(step.request.sizes);
  if (!counted || !estimated || estimated < TELLING) return 1;
  return Math.min(CORRECTION.most, Math.max(CORRECTION.least, counted / estimated));
}
