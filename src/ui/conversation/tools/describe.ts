import { isObject, type JsonObject } from '../../../base/json.ts';
import { exitCodeOf } from '../../../session/log/exit-code.ts';
import type { ToolPart } from '../../../session/log/state.ts';
import { cardOf, describe } from '../../../tools/cards.ts';
import { manifestOf } from '../../../tools/manifests.ts';
import { duration } from '../../durations.ts';
import { showText } from '../../workbench/show-name.ts';
import { showCommand } from '../permission/show-command.ts';
import { conversationWords } from '../conversation-words.ts';
import { parsePartialJson } from './partial-json.ts';
import { verbOf } from './verb.ts';

/** A call in the page's words: the verb, its target and some detail. */
export interface CallWords {
  readonly verb: string;
  readonly target: string;
  /** Follows the target, for example `in src`. */
  readonly detail: string;
}

/** The states of a call, as the styles of dots and colours name them. */
export type CallState = 'thinking' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped';

/** The arguments that the tool got, or else those that the model has typed so far. */
export function argumentsOf(part: ToolPart): JsonObject {
  const input = part.input ?? parsePartialJson(part.raw);
  return isObject(input) ? input : {};
}

/** All arguments as the model wrote them, without the defaults that the tool filled in. */
export function writtenArguments(part: ToolPart): JsonObject {
  const written = parsePartialJson(part.raw);
  return isObject(written) ? written : argumentsOf(part);
}

/** The arguments that the card's head does not show already. */
export function otherArguments(part: ToolPart): JsonObject {
  const { subject = [], onlyWritten } = cardOf(part.tool) ?? {};
  const written = onlyWritten ? parsePartialJson(part.raw) : undefined;
  const isShown = (name: string) => !subject.includes(name) && (!isObject(written) || name in written);
  return Object.fromEntries(Object.entries(argumentsOf(part)).filter(([name]) => isShown(name)));
}

export function describeCall(part: ToolPart): CallWords {
  const input = argumentsOf(part);
  const { subject, detail = '' } = describe(part.tool, {
    input,
    metadata: part.metadata,
    ...(part.title !== undefined && { title: part.title }),
  });
  // A person may take a command for another one, so more of it is escaped than of a name.
  const target = part.tool === 'bash' ? showCommand(subject) : showText(subject);
  return { verb: verbOf(part.tool, input), target, detail: showText(detail) };
}

/** The command of a call of the shell, as it is. */
export function commandOf(part: ToolPart): string {
  const { command } = argumentsOf(part);
  return typeof command === 'string' ? command : '';
}

/** Whether the call started a sub-agent whose session is known. */
export function isTask({ tool, metadata }: ToolPart): boolean {
  return givesWork(tool) && typeof metadata.sessionId === 'string';
}

function givesWork(tool: string): boolean {
  return manifestOf(tool)?.permission?.id === 'task';
}

/** Errors that remained after a change, keyed by file. */
export function problemsOf({ metadata }: ToolPart): ReadonlyMap<string, readonly string[]> {
  const { diagnostics } = metadata;
  if (!isObject(diagnostics)) return new Map();
  return new Map(
    Object.entries(diagnostics).flatMap(([path, errors]) => {
      const said = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string') : [];
      return said.length > 0 ? [[path, said] as const] : [];
    }),
  );
}

export function stateOf(part: ToolPart): CallState {
  if (part.waiting !== undefined) return 'waiting';
  if (part.status === 'running') return 'running';
  if (part.status === 'pending') return part.input === undefined ? 'thinking' : 'stopped';
  if (part.outcome === 'ok') return failedExit(part) ? 'failed' : 'done';
  return part.outcome === 'cancelled' || part.outcome === 'interrupted' ? 'stopped' : 'failed';
}

/**
 * The name of the state, so that it is never shown by colour alone. `past` is true in a recording and at an
 * earlier moment, where somebody else was asked, or the reader was.
 */
export function stateWord(part: ToolPart, past = false): string {
  const state = stateOf(part);
  if (state === 'waiting') return past ? conversationWords.waited : conversationWords.waiting;
  if (state === 'running') return conversationWords.running;
  if (state === 'thinking') return conversationWords.typing;
  return part.outcome ? conversationWords.outcomes[part.outcome] : conversationWords.queued;
}

export function failedExit({ metadata }: ToolPart): boolean {
  return (exitCodeOf(metadata) ?? 0) !== 0;
}

/** The unified patch of a call that changed a file, `null` for others. */
export function diffOf(part: ToolPart): string | null {
  const diff = part.metadata.diff;
  return typeof diff === 'string' && diff !== '' ? diff : null;
}

export function timeOf(part: ToolPart): string {
  if (part.started === undefined || part.ended === undefined) return '';
  return duration(part.ended - part.started - (part.held ?? 0));
}

/** The share that is done, from 0 to 1, for a tool that reports its `progress` in percent. */
export function progressOf(part: ToolPart): number | null {
  const progress = part.metadata.progress;
  return typeof progress === 'number' ? Math.min(1, Math.max(0, progress / 100)) : null;
}

/** The output to show under the card's head, and separately the note that the tool adds for the model. */
export function outputOf(part: ToolPart): { readonly text: string; readonly note: string } {
  const all = stripControls(part.output ?? part.live);
  // A batch shows only the text before its first call, since each call has a card of its own. The tags around
  // a task's text are for the model.
  if (part.tool === 'batch' && part.outcome !== undefined)
    return { text: all.split(/\n\n\[\d+\] /, 1)[0] ?? '', note: '' };
  const task = givesWork(part.tool) ? TASK_TEXT.exec(all) : null;
  if (task) return { text: task[2] ?? '', note: '' };
  const added = part.tool === 'bash' ? SHELL_NOTE.exec(all) : null;
  if (!added) return { text: all, note: '' };
  // The card's head already shows the exit code.
  const note = (added[1] ?? '').replace(/^Exit code -?\d+\.?$/m, '').trim();
  return { text: all.slice(0, added.index).trimEnd(), note };
}

const TASK_TEXT = /<task [^>]*>\n<(task_\w+)>\n([^]*)\n<\/\1>\n<\/task>/;
const SHELL_NOTE = /\n*<shell_metadata>\n([^]*)\n<\/shell_metadata>\s*$/;

/** The last line with any text, shown for a finished command. */
export function lastLine(text: string): string {
  return text.slice(-2000).trimEnd().split('\n').at(-1)?.trim() ?? '';
}

/** Removes colours and cursor movements. An overwritten line shows the text it ended with. */
export function stripControls(text: string): string {
  const plain = text.includes('\x1b') ? text.replace(ESCAPE_SEQUENCE, '') : text;
  const overwritten = plain.includes('\r') ? plain.split('\n').map(lastWritten).join('\n') : plain;
  return overwritten.replace(CONTROL, '\ufffd');
}

const ESCAPE_SEQUENCE = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]/g;
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

function lastWritten(line: string): string {
  const shown = line.endsWith('\r') ? line.slice(0, -1) : line;
  return shown.slice(shown.lastIndexOf('\r') + 1);
}
