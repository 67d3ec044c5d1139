import type { Json, JsonObject } from '../../base/json.ts';
import type { Message, Part, ToolPart } from '../../session/state.ts';
import { describeCall, otherArguments } from '../tools/describe.ts';
import { compareWords as words } from './words.ts';

/** A message and what is in it. */
export interface Told {
  readonly message: Message;
  readonly parts: readonly { readonly part: Part }[];
}

/**
 * What an agent did, as lines for a diff: every step of the model with its calls, each with all its arguments, whole, so
 * that equal lines are equal work. What a step only says is not in it: no two models word that alike.
 */
export function stepLines(messages: readonly Told[]): string {
  return messages
    .filter(({ message }) => message.role === 'assistant' && !message.purpose)
    .map(({ parts }) => {
      const calls = parts.flatMap(({ part }) =>
        part.type === 'tool' && part.parent === undefined ? [part] : [],
      );
      return [calls.length > 0 ? words.step : words.lastStep, ...calls.flatMap(callLines), ''].join('\n');
    })
    .join('');
}

function callLines(part: ToolPart): string[] {
  const { verb, target } = describeCall(part);
  const head = linesOf(`${verb} ${target}`, 1);
  return [...head, ...argumentLines(otherArguments(part)), `${INDENT}${INDENT}${ended(part)}`];
}

function argumentLines(others: JsonObject): string[] {
  return Object.entries(others).flatMap(([name, value]) => {
    const lines = textOf(value ?? null).split('\n');
    return lines.length === 1
      ? [`${INDENT}${INDENT}${name}: ${lines[0]}`]
      : [`${INDENT}${INDENT}${name}:`, ...lines.map((line) => `${INDENT.repeat(3)}${line}`)];
  });
}

const INDENT = '  ';
const linesOf = (text: string, depth: number) =>
  text.split('\n').map((line, at) => INDENT.repeat(at === 0 ? depth : depth + 1) + line);
const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const ended = ({ outcome, status }: ToolPart) => `(${outcome ?? status})`;
