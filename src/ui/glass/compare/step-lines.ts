import type { Json } from '../../../base/json.ts';
import type { Message, Part, ToolPart } from '../../../session/log/state.ts';
import { argumentsOf } from '../../conversation/tools/describe.ts';
import { compareWords as words } from './compare-words.ts';

/** A message with its parts. */
export interface StepLine {
  readonly message: Message;
  readonly parts: readonly { readonly part: Part }[];
}

const INDENT = '  ';

/**
 * An agent's work as lines for a diff: every step of the model with its calls, each with all its arguments in
 * full, so that equal lines mean equal work. `said` adds the model's words, which are left out by default
 * because no two models word things alike.
 */
export function stepLines(messages: readonly StepLine[], { said = false } = {}): string {
  return messages
    .filter(({ message }) => message.role === 'assistant' && !message.purpose)
    .map(({ parts }) => {
      const calls = parts.some(({ part }) => isCall(part));
      const lines = parts.flatMap(({ part }) => {
        if (isCall(part)) return callLines(part);
        return said && part.type === 'text' && part.text.trim() !== '' ? saidLines(part.text.trim()) : [];
      });
      return [calls ? words.step : words.lastStep, ...lines, ''].join('\n');
    })
    .join('');
}

/** Whether a part is a call that the model made itself. */
function isCall(part: Part): part is ToolPart {
  return part.type === 'tool' && part.parent === undefined;
}

function saidLines(text: string): string[] {
  return [`${INDENT}${words.says}`, ...text.split('\n').map((line) => INDENT.repeat(2) + line)];
}

function callLines(part: ToolPart): string[] {
  const lines = Object.entries(argumentsOf(part)).flatMap(([name, value]) => argumentLines(name, value));
  return [`${INDENT}${part.tool} (${part.outcome ?? part.status})`, ...lines];
}

function argumentLines(name: string, value: Json | undefined): string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const lines = text.split('\n');
  if (lines.length === 1) return [`${INDENT.repeat(2)}${name}: ${text}`];
  return [`${INDENT.repeat(2)}${name}:`, ...lines.map((line) => INDENT.repeat(3) + line)];
}
