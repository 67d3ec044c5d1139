import { ROOT } from '../../base/places.ts';
import { WorkspaceError, type Workspace } from '../../workspace/workspace.ts';
import type { CallContext } from './types.ts';
import { runCalls, Repetitions } from './calls.ts';
import type { StepCalls } from './types.ts';
import { textOf } from '../request/messages.ts';
import type { MessageSource } from '../request/types.ts';
import type { StreamedCall } from '../turn/processor.ts';
import type { Message } from '../log/state.ts';

/**
 * The possible readings of one mention, which may end in punctuation or a range of lines. The first reading
 * whose path exists counts.
 */
export type Mention = readonly MentionedFile[];

interface MentionedFile {
  readonly path: string;
  /** The first line of the range, counted from 1. */
  readonly offset?: number;
  /** The number of lines. */
  readonly limit?: number;
}

/** Matches `@src/add.js`, `@"a name.md"` and `@src/add.js#10-20`, but not after a letter or a quote. */
const MENTION = /(?<![\w`'"@])@(?:"([^"\n]+)"|([^\s"'`<>|]+))/g;
const LINES = /#L?(\d+)(?:-L?(\d+))?$/;
const ENDS_SENTENCE = /[.,;:!?)\]}…]+$/;

/** How many files one message attaches. A message that names more most likely contains a pasted list. */
const MOST_FILES = 50;

const READ = 'read';
const READS_NOTHING = 'This agent may read no files.';
const TOO_MANY = `A message attaches at most ${MOST_FILES} files: this one and what is named after it stayed text.`;

/** The mentions in the person's own words. Code and quotations are pasted text and are ignored. */
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

/** The lines outside fenced code blocks and quotations (`> …`), without code between backticks. */
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
  const readings: MentionedFile[] = [named, plain].map((path) => ({ path }));
  const [from, to] = [Number(first), Number(last)];
  if (lines !== undefined && from >= 1 && to >= from)
    readings.push({ path: plain.slice(0, -lines.length), offset: from, limit: to - from + 1 });
  return readings.filter(({ path }, index) => path !== '' && path !== readings[index - 1]?.path);
}

/**
 * Reads the files that a prompt of the person names, with calls of the `read` tool that belong to that
 * message. Permission rules apply as usual, and a refused call says so. A path that does not exist was no
 * file name and stays text.
 */
export async function readMentions(
  context: CallContext,
  prompt: Message,
  source: MessageSource,
  step: Omit<StepCalls, 'messageID' | 'result' | 'lastStep' | 'repetitions'>,
): Promise<void> {
  const calls: StreamedCall[] = [];
  let beyond: MentionedFile | undefined;
  for (const mention of mentionsIn(textOf(prompt, source))) {
    const named = await firstThere(mention, context.workspace);
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
    context.session.log.append({ type: 'call.added', messageID: prompt.id, callID, tool, input });
  if (beyond) leave(context, prompt.id, beyond);
  // A tool that the rules deny entirely is not in the list.
  if (!step.tools.some(({ id }) => id === READ)) {
    const denied = { outcome: 'denied', output: READS_NOTHING, title: '', metadata: {} } as const;
    for (const { callID } of calls)
      context.session.log.append({
        type: 'call.ended',
        messageID: prompt.id,
        callID,
        ...denied,
        attachments: [],
      });
    return;
  }
  const result = { reason: 'tool-calls', usage: {}, aborted: false, said: true, calls } as const;
  await runCalls(context, {
    ...step,
    messageID: prompt.id,
    result,
    lastStep: false,
    repetitions: new Repetitions(),
  });
}

/** Adds one failed call for the first file beyond the limit, which speaks for all of them. */
function leave(
  { session: { log } }: CallContext,
  messageID: string,
  { path: filePath }: MentionedFile,
): void {
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

async function firstThere(mention: Mention, workspace: Workspace): Promise<MentionedFile | undefined> {
  for (const named of mention) if (await isThere(named.path, workspace)) return named;
  return undefined;
}

/** A path outside the workspace counts as existing: the tool will report that it is refused. */
async function isThere(path: string, { files }: Workspace): Promise<boolean> {
  if (path.startsWith('~/')) return true;
  try {
    return (await files.stat(path.startsWith('/') ? path : `${ROOT}/${path}`)) !== null;
  } catch (error) {
    return error instanceof WorkspaceError && error.code === 'EACCES';
  }
}
