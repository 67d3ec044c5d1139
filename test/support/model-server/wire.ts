import type { Position, ScriptMessage } from '../../../src/models/script/plan.ts';
import type { ScriptStep } from '../../../src/models/script/schema.ts';

/** One server-sent event, and what it carries: faults strike in the middle of the text or of the arguments. */
export interface Frame {
  readonly of: 'start' | 'reasoning' | 'text' | 'arguments' | 'call' | 'end';
  readonly text: string;
}

/** How one provider's protocol is spoken. */
export interface Wire {
  readonly path: RegExp;
  /** Who spoke, from the request's body. */
  spoken(body: unknown): readonly ScriptMessage[];
  frames(step: ScriptStep, at: Position, model: string): readonly Frame[];
  error(status: number, message: string): unknown;
  /** An error in the middle of a stream. */
  errorFrame(message: string): string;
}

export function event(value: unknown, name?: string): string {
  return `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(value)}\n\n`;
}

export function callID(at: Position, index: number): string {
  return `call_${at.turn + 1}_${at.step + 1}_${index + 1}`;
}

/** Servers count tokens; this one counts characters and says so in tokens of four. */
export function tokens(step: ScriptStep): number {
  return Math.ceil(
    ((step.text ?? '') + (step.reasoning ?? '') + JSON.stringify(step.tools ?? [])).length / 4,
  );
}

/** The texts of a content that is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}

export function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
