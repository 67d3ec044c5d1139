import type { JsonObject } from '../../base/json.ts';
import type { TaskReport, TaskReportState } from '../../tools/task/tasks.ts';
import type { TaskState, TurnStatus } from '../log/events.ts';
import { headPath } from '../request/messages.ts';
import type { Usage } from '../log/parts.ts';
import { addUsage } from '../log/add-usage.ts';
import type { Message, Part, SessionState, Task, ToolPart } from '../log/state.ts';

/** How many calls the card names. */
const SHOWN_CALLS = 4;
/** How many characters of an agent's last text are reported if it failed. */
const LAST_WORDS = 2000;
const TITLE_CHARACTERS = 120;

/** The result of a task. `state` is that of the sub-agent's session. */
export function taskReport(task: Task, state: SessionState | undefined): TaskReport {
  const { childID: id, agent, title } = task;
  if (!state) return { id, agent, title, state: task.state, text: NOT_THERE, metadata: { sessionId: id } };
  const messages = sincePrompt(state);
  const report = { id, agent, title, metadata: taskMetadata(task, state) };
  if (task.state === 'running') return { ...report, state: 'running', text: progressText(state, messages) };
  return { ...report, ...endOf(task.state, state, messages) };
}

/** Derives the task's final state from the status of its turn. */
export function taskStateOf(status: TurnStatus, state: SessionState): TaskState {
  if (status === 'idle') return lastText(state, sincePrompt(state)) === '' ? 'error' : 'completed';
  if (status === 'error') return 'error';
  return status === 'interrupted' ? 'interrupted' : 'cancelled';
}

/** The metadata for the card of the call that started the task. */
export function taskMetadata({ childID, agent, background }: Task, state: SessionState): JsonObject {
  const messages = sincePrompt(state);
  const calls = callsOf(state, messages);
  const { inputTokens, outputTokens } = messages.reduce<Usage>(
    (sum, { usage }) => addUsage(sum, usage ?? {}),
    {},
  );
  const cost = messages.reduce<number | undefined>(
    (sum, { cost: each }) => (each === undefined ? sum : (sum ?? 0) + each),
    undefined,
  );
  return {
    sessionId: childID,
    agent,
    background,
    steps: messages.length,
    calls: calls.length,
    ...(cost !== undefined && { cost }),
    tokens: { ...(inputTokens && { input: inputTokens }), ...(outputTokens && { output: outputTokens }) },
    recent: calls.slice(-SHOWN_CALLS).map((part) => ({
      tool: part.tool,
      title: titleOf(part),
      state: part.outcome ?? (part.waiting === undefined ? 'running' : 'waiting'),
    })),
  };
}

function endOf(
  ended: TaskState,
  state: SessionState,
  messages: readonly Message[],
): { readonly state: TaskReportState; readonly text: string } {
  const said = lastText(state, messages);
  const fault = state.lastTurn?.fault;
  if (ended === 'completed') {
    const limit = fault?.code === 'step-limit' ? `\n\n[${fault.what}]` : '';
    return { state: ended, text: said + limit };
  }
  const why =
    ended === 'interrupted'
      ? 'The page was closed while the agent worked. What it had done until then stays done.'
      : ended === 'cancelled'
        ? 'The work was stopped before it was done. What it had done until then stays done.'
        : fault
          ? [fault.what, fault.next].filter(Boolean).join(' ')
          : 'The agent ended without an answer.';
  return { state: ended, text: said ? `${why}\nIt last said:\n${said.slice(-LAST_WORDS)}` : why };
}

function progressText(state: SessionState, messages: readonly Message[]): string {
  const calls = callsOf(state, messages);
  const lines = calls.slice(-SHOWN_CALLS).map((part) => `- ${part.tool} ${titleOf(part)}`.trimEnd());
  const asks = state.pending.size + state.questions.size > 0 ? ['It waits for the user.'] : [];
  return [`${messages.length} steps, ${calls.length} calls so far.`, ...lines, ...asks].join('\n');
}

/** The agent's messages since its newest task prompt. */
function sincePrompt(state: SessionState): readonly Message[] {
  const source = {
    message: (id: string) => state.messages.get(id),
    part: (key: string) => state.parts.get(key),
  };
  const path = headPath(source, state.head);
  const prompt = path.findLastIndex(({ origin }) => origin?.kind === 'task');
  return path.slice(prompt + 1).filter(({ role }) => role === 'assistant');
}

function partsOf(state: SessionState, { partKeys }: Message): readonly Part[] {
  return partKeys.flatMap((key) => state.parts.get(key) ?? []);
}

function callsOf(state: SessionState, messages: readonly Message[]): readonly ToolPart[] {
  return messages.flatMap((message) => partsOf(state, message).filter((part) => part.type === 'tool'));
}

/** The last text that the agent wrote. */
function lastText(state: SessionState, messages: readonly Message[]): string {
  for (const message of messages.toReversed()) {
    if (message.finish === 'error') continue;
    const said = partsOf(state, message).findLast((part) => part.type === 'text' && part.text.trim() !== '');
    if (said?.type === 'text') return said.text.trim();
  }
  return '';
}

/** The call's own title if it has one, otherwise its first text argument. */
function titleOf({ title, input }: ToolPart): string {
  const named =
    title ??
    (typeof input === 'object' && input !== null
      ? Object.values(input).find((value) => typeof value === 'string')
      : '');
  const line = String(named ?? '').split('\n', 1)[0] ?? '';
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS - 1)}…` : line;
}

const NOT_THERE = 'The session in which this was done is no longer there.';
