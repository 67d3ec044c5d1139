import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ToolPart } from '../../session/state.ts';
import { isAboutCode, operationNamed } from './about-code.ts';
import { duration } from '../format.ts';
import { showText } from '../workbench/show-name.ts';
import { words } from '../words.ts';
import { parsePartialJson } from './partial-json.ts';

/** A call in the page's words: verb, what it is done to, and what came of it. */
export interface CallWords {
  readonly verb: string;
  readonly target: string;
  /** After the target, in the words of the page: `in src`. */
  readonly detail: string;
}

/** The one language of states, as the dots and colours know it. */
export type CallState = 'thinking' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped';

const TARGETS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    bash: ['command'],
    read: ['filePath', 'path'],
    edit: ['filePath', 'path'],
    write: ['filePath', 'path'],
    glob: ['pattern'],
    grep: ['pattern'],
    list: ['path'],
    webfetch: ['url'],
    task: ['description'],
    background_task: ['description'],
    websearch: ['query'],
    codesearch: ['query'],
    skill: ['name'],
  }),
);

/** Arguments: as the tool got them, else as far as the model has typed them. */
export function argumentsOf(part: ToolPart): JsonObject {
  const input = part.input ?? parsePartialJson(part.raw);
  return isObject(input) ? input : {};
}

/** Arguments that the card's head does not say already. */
export function otherArguments(part: ToolPart): JsonObject {
  const said = isAboutCode(part) ? CODE_SAID : (TARGETS.get(part.tool) ?? []);
  // What a search was not told goes without saying.
  const given = SEARCHES.has(part.tool) || isAboutCode(part) ? parsePartialJson(part.raw) : undefined;
  const isGiven = (name: string) => !isObject(given) || name in given;
  return Object.fromEntries(
    Object.entries(argumentsOf(part)).filter(([name]) => !said.includes(name) && isGiven(name)),
  );
}

const CODE_SAID = ['operation', 'filePath', 'line', 'character', 'position', 'newName', 'title'];
const SEARCHES: ReadonlySet<string> = new Set(['websearch', 'codesearch']);

export function describeCall(part: ToolPart): CallWords {
  const input = argumentsOf(part);
  const known = TARGETS.get(part.tool);
  if (part.tool === 'apply_patch') return patchWords(firstText(input, ['patchText']));
  if (TASKS.has(part.tool)) return taskCallWords(part);
  if (part.tool === 'todowrite') return todoWords(input.todos);
  if (part.tool === 'batch') return batchWords(part, input);
  if (isAboutCode(part)) return codeWords(part, input);
  const target = known ? firstText(input, known) : (part.title ?? firstText(input, Object.keys(input)));
  const searched = part.tool === 'glob' || part.tool === 'grep' ? firstText(input, ['path']) : '';
  return {
    verb: verbOf(part.tool),
    target: showText(trimRoot(target || (part.tool === 'list' ? '.' : ''))),
    detail: searched && searched !== '.' ? words.inPath(trimRoot(searched)) : '',
  };
}

/** The files of a patch, as far as it has been typed. */
function patchWords(patch: string): CallWords {
  const names = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(
    ([, name]) => name ?? '',
  );
  const detail = names.length > 1 ? words.more(names.length - 1) : '';
  return { verb: verbOf('apply_patch'), target: trimRoot(names[0]?.trim() ?? ''), detail };
}

const TASKS: ReadonlySet<string> = new Set([
  'task',
  'background_task',
  'background_output',
  'background_cancel',
]);

/** Whether it gave work to a sub-agent whose session is known. */
export function isTask({ tool, metadata }: ToolPart): boolean {
  return TASKS.has(tool) && typeof metadata.sessionId === 'string';
}

/** What the work is called, and who does it. */
function taskCallWords(part: ToolPart): CallWords {
  const input = argumentsOf(part);
  const agent = part.metadata.agent;
  return {
    verb: verbOf(part.tool),
    target: showText(firstText(input, ['description']) || (part.title ?? '')),
    detail: typeof agent === 'string' ? agent : firstText(input, ['agent', 'subagent_type']),
  };
}

/** What is being done now, and how much is done. */
function todoWords(list: Json | undefined): CallWords {
  const todos = Array.isArray(list) ? list.filter(isObject) : [];
  const active = todos.find(({ status }) => status === 'in_progress')?.content;
  const done = todos.filter(({ status }) => status === 'completed').length;
  return {
    verb: verbOf('todowrite'),
    target: typeof active === 'string' ? active : '',
    detail: todos.length > 0 ? words.todosDone(done, todos.length) : '',
  };
}

function batchWords(
  { metadata: { failed } }: ToolPart,
  { tools, tool_calls, atomic }: JsonObject,
): CallWords {
  const calls = tools ?? tool_calls;
  const said = [
    ...(Array.isArray(calls) ? [words.calls(calls.length)] : []),
    ...(atomic === true ? [words.atomic] : []),
    ...(typeof failed === 'number' && failed > 0 ? [words.callsFailed(failed)] : []),
  ];
  return { verb: verbOf('batch'), target: '', detail: said.join(', ') };
}

/** What was asked, of which name, and how much was found. */
function codeWords(part: ToolPart, input: JsonObject): CallWords {
  const operation = firstText(input, ['operation']) || (operationNamed(part.tool) ?? '');
  const { filePath, line, character, query } = input;
  const place = [filePath, ...(typeof line === 'number' ? [line, character] : [])].filter(isSaid).join(':');
  return {
    verb: (Object.hasOwn(words.codeVerbs, operation) && words.codeVerbs[operation]) || verbOf(part.tool),
    target: showText(trimRoot(operation === 'workspaceSymbol' && isSaid(query) ? String(query) : place)),
    detail: showText(codeDetail(input, part.metadata)),
  };
}

function codeDetail({ newName, title }: JsonObject, { count }: JsonObject): string {
  if (typeof newName === 'string') return words.renameTo(newName);
  if (typeof title === 'string') return title;
  return typeof count === 'number' ? words.results(count) : '';
}

function isSaid(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Errors that a change left, by file. */
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

function verbOf(tool: string): string {
  return (Object.hasOwn(words.verbs, tool) && words.verbs[tool]) || tool;
}

export function stateOf(part: ToolPart): CallState {
  if (part.waiting !== undefined) return 'waiting';
  if (part.status === 'running') return 'running';
  if (part.status === 'pending') return part.input === undefined ? 'thinking' : 'stopped';
  if (part.outcome === 'ok') return failedExit(part) ? 'failed' : 'done';
  return part.outcome === 'cancelled' || part.outcome === 'interrupted' ? 'stopped' : 'failed';
}

/** What the state is called, so that it is never told by colour alone. */
export function stateWord(part: ToolPart): string {
  const state = stateOf(part);
  if (state === 'waiting') return words.waiting;
  if (state === 'running') return words.running;
  if (state === 'thinking') return words.typing;
  return part.outcome ? words.outcomes[part.outcome] : words.queued;
}

export function exitCode(part: ToolPart): number | null {
  const code = part.metadata.exitCode ?? part.metadata.exit;
  return typeof code === 'number' ? code : null;
}

export function failedExit(part: ToolPart): boolean {
  return (exitCode(part) ?? 0) !== 0;
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

/** Share done, 0 to 1, of a tool that reports it (`progress` in percent). */
export function progressOf(part: ToolPart): number | null {
  const progress = part.metadata.progress;
  return typeof progress === 'number' ? Math.min(1, Math.max(0, progress / 100)) : null;
}

/** What to show under the card's head: the output, and apart from it what the tool adds for the model. */
export function outputOf(part: ToolPart): { readonly text: string; readonly note: string } {
  const all = stripControls(part.output ?? part.live);
  // The tags are for the model.
  // What follows is told of each call by its own card.
  if (part.tool === 'batch' && part.outcome !== undefined)
    return { text: all.split(/\n\n\[\d+\] /, 1)[0] ?? '', note: '' };
  const task = TASKS.has(part.tool) ? TASK_TEXT.exec(all) : null;
  if (task) return { text: task[2] ?? '', note: '' };
  const added = part.tool === 'bash' ? SHELL_NOTE.exec(all) : null;
  if (!added) return { text: all, note: '' };
  // The exit code is in the head already.
  const note = (added[1] ?? '').replace(/^Exit code -?\d+\.?$/m, '').trim();
  return { text: all.slice(0, added.index).trimEnd(), note };
}

const TASK_TEXT = /<task [^>]*>\n<(task_\w+)>\n([^]*)\n<\/\1>\n<\/task>/;
const SHELL_NOTE = /\n*<shell_metadata>\n([^]*)\n<\/shell_metadata>\s*$/;

/** The last line that says something: what a finished command's one line ends with. */
export function lastLine(text: string): string {
  return text.slice(-2000).trimEnd().split('\n').at(-1)?.trim() ?? '';
}

/** Colours and cursor movements are for terminals; a line that was overwritten shows what it ended as. */
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

function firstText(input: JsonObject, keys: readonly string[]): string {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function trimRoot(path: string): string {
  return path.replace(/^\/home\/project\/(?=.)/, '');
}
