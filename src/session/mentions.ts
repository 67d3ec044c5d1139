import { ROOT } from '../base/places.ts';
import { WorkspaceError, type Workspace } from '../workspace/workspace.ts';
import type { CallDeps } from './call-run.ts';
import { runCalls, Repetitions, type StepCalls } from './calls.ts';
import { textOf, type MessageSource } from './messages.ts';
import type { StreamedCall } from './processor.ts';
import type { Message } from './state.ts';

/** What a prompt names may be followed by what only ends the sentence, or by lines: the first reading that is there counts. */
export type Mention = readonly Named[];

interface Named {
  readonly path: string;
  /** The first line that is meant, from 1. */
  readonly offset?: number;
  /** How many lines. */
  readonly limit?: number;
}

/** `@src/add.js`, `@"a name.md"`, `@src/add.js#10-20`; not what has a letter, a quote or a backtick before it. */
const MENTION = /(?<![\w`'"@])@(?:"([^"\n]+)"|([^\s"'`<>|]+))/g;
const LINES = /#L?(\d+)(?:-L?(\d+))?$/;
const ENDS_SENTENCE = /[.,;:!?)\]}…]+$/;

/** What one message attaches; whoever names more has most likely pasted a list. */
const MOST_FILES = 50;

const READ = 'read';
const READS_NOTHING = 'This agent may read no files.';
const TOO_MANY = `A message attaches at most ${MOST_FILES} files: this one and what is named after it stayed text.`;

/** What is named in the person's own words: code and quotations are pasted, and whatever stands in them is left alone. */
export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [, quoted, bare = ''] of ownWords(text).matchAll(MENTION)) {
    const mention = quoted === undefined ? readingsOf(bare) : [{ path: quoted }];
    const [first] = mention;
    if (first && !found.has(first.path)) found.set(first.path, mention);
  }
  return [...found.values()];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const INLINE_CODE = /(?<!`)(`{1,2})(?!`).+?(?<!`)\1(?!`)/g;

/** The lines outside fenced blocks of code and quotations (`> …`), without code between backticks. */
function ownWords(text: string): string {
  let open: string | undefined;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const [, fence] = FENCE.exec(line) ?? [];
    if (open === undefined && fence !== undefined) open = fence;
    else if (open !== undefined && fence?.startsWith(open)) open = undefined;
    else if (open === undefined && !/^\s*>/.test(line)) kept.push(line.replace(INLINE_CODE, '``'));
  }
  return kept.join('\n');
}

function readingsOf(named: string): Mention {
  const plain = named.replace(ENDS_SENTENCE, '');
  const [lines, first, last = first] = LINES.exec(plain) ?? [];
  const readings: Named[] = [named, plain].map((path) => ({ path }));
  const [from, to] = [Number(first), Number(last)];
  if (lines !== undefined && from >= 1 && to >= from)
    readings.push({ path: plain.slice(0, -lines.length), offset: from, limit: to - from + 1 });
  return readings.filter(({ path }, index) => path !== '' && path !== readings[index - 1]?.path);
}

/**
 * Reads what a prompt of the person names, by calls of the `read` tool that belong to that message: what the rules ask
 * for is asked for, and what is refused says so. What is not there was no name of a file, and stays text.
 */
export async function readMentions(
  deps: CallDeps,
  prompt: Message,
  source: MessageSource,
  step: Omit<StepCalls, 'messageID' | 'result' | 'lastStep' | 'repetitions'>,
): Promise<void> {
  const calls: StreamedCall[] = [];
  let beyond: Named | undefined;
  for (const mention of mentionsIn(textOf(prompt, source))) {
    const named = await firstThere(mention, deps.workspace);
    if (!named) continue;
    if (calls.length === MOST_FILES) {
      beyond = named;
      break;
    }
    const { path: filePath, ...lines } = named;
    calls.push({ callID: `${prompt.id}.${calls.length + 1}`, tool: READ, input: { filePath, ...lines } });
  }
  if (step.signal.aborted) return;
  for (const { callID, tool, input = null } of calls)
    deps.log.append({ type: 'call.added', messageID: prompt.id, callID, tool, input });
  if (beyond) leave(deps, prompt.id, beyond);
  // A tool that is denied for everything is not there at all.
  if (!step.tools.some(({ id }) => id === READ)) {
    const denied = { outcome: 'denied', output: READS_NOTHING, title: '', metadata: {} } as const;
    for (const { callID } of calls)
      deps.log.append({ type: 'call.ended', messageID: prompt.id, callID, ...denied, attachments: [] });
    return;
  }
  const result = { reason: 'tool-calls', usage: {}, aborted: false, said: true, calls } as const;
  await runCalls(deps, {
    ...step,
    messageID: prompt.id,
    result,
    lastStep: false,
    repetitions: new Repetitions(),
  });
}

/** Says of the first that was left as text, for all of them, that they were. */
function leave({ log }: CallDeps, messageID: string, { path: filePath }: Named): void {
  const call = { messageID, callID: `${messageID}.${MOST_FILES + 1}` };
  log.append({ type: 'call.added', ...call, tool: READ, input: { filePath } });
  log.append({
    type: 'call.ended',
    ...call,
    outcome: 'failed',
    output: TOO_MANY,
    title: filePath,
    metadata: {},
    attachments: [],
  });
}

async function firstThere(mention: Mention, workspace: Workspace): Promise<Named | undefined> {
  for (const named of mention) if (await isThere(named.path, workspace)) return named;
  return undefined;
}

/** What lies outside counts as there: the tool says that it is refused. */
async function isThere(path: string, { files }: Workspace): Promise<boolean> {
  if (path.startsWith('~/')) return true;
  try {
    return (await files.stat(path.startsWith('/') ? path : `${ROOT}/${path}`)) !== null;
  } catch (error) {
    return error instanceof WorkspaceError && error.code === 'EACCES';
  }
}
