import { ROOT } from '../../base/places.ts';
import { WorkspaceError, type Workspace } from '../../workspace/workspace.ts';
import type { CallContext } from './types.ts';
import { runCalls, Repetitions } from './calls.ts';
import { mentionsIn, type Mention, type MentionedFile } from './mentioned.ts';
import type { StepCalls } from './types.ts';
import { textOf } from '../request/messages.ts';
import type { MessageSource } from '../request/types.ts';
import type { StreamedCall } from '../turn/processor.ts';
import type { Message } from '../log/state.ts';

/** How many files one message attaches. A message that names more most likely contains a pasted list. */
const MOST_FILES = 50;

const READ = 'read';
const READS_NOTHING = 'This agent may read no files.';
const TOO_MANY = `A message attaches at most ${MOST_FILES} files: this one and what is named after it stayed text.`;

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
