import { truncate } from '../../tools/truncate.ts';
import { endOf, notesOf } from '../../tools/bash/notes.ts';
import type { SessionContext } from '../context.ts';
import type { EventOf } from '../log/events.ts';
import { CallOutput } from './call-output.ts';
import { failureText } from './call-refusal.ts';
import { callTexts, withOutput } from './call-texts.ts';

const TOOL = 'bash';

type Ended = Pick<EventOf<'call.ended'>, 'outcome' | 'output' | 'metadata' | 'fullOutput'>;

/**
 * Runs a command that the person typed as a message. It is a call that belongs to that message, so its output is kept,
 * shown and sent to models as any other. Nobody is asked, no time limit holds, no rule hides a file from it: the
 * person could type the same in the terminal. Never rejects.
 */
export async function runOwnCommand(
  session: SessionContext,
  messageID: string,
  command: string,
  signal: AbortSignal,
): Promise<void> {
  const { log, deps } = session;
  const call = { messageID, callID: `${messageID}.1` };
  log.append({ type: 'call.added', ...call, tool: TOOL, input: { command } });
  const live = new CallOutput(log, deps, call);
  const ended = await run(session, call, command, signal, live).catch((error: unknown): Ended => ({
    outcome: 'failed',
    output: withOutput(live.kept, failureText(error)),
    metadata: {},
  }));
  live.flush();
  await log.appendStored({ type: 'call.ended', ...call, title: '', attachments: [], ...ended }, 'relaxed');
}

async function run(
  session: SessionContext,
  call: { readonly messageID: string; readonly callID: string },
  command: string,
  signal: AbortSignal,
  live: CallOutput,
): Promise<Ended> {
  const { log, outputs, snapshots } = session;
  const workspace = await session.workspace();
  // Changes that the person makes before the first turn are not the session's.
  if (log.state.startSnapshot === null) snapshots.beforeTurn(workspace);
  await snapshots.ready();
  await log.requireStored();
  if (signal.aborted) return { outcome: 'cancelled', output: callTexts.stoppedBefore, metadata: {} };
  log.append({ type: 'call.running', ...call, tool: TOOL, input: { command } });
  await log.requireStored();
  const process = workspace.spawn(command, { stdin: '', signal, jobs: { owner: log.state.sessionID } });
  const chunks: string[] = [];
  for await (const chunk of process.output) {
    chunks.push(chunk);
    live.print(chunk);
  }
  const exit = await process.exited;
  await workspace.durable();
  const text = chunks.join('');
  const { output, metadata, fullOutput } = await truncate(text, { tool: TOOL, direction: 'tail', outputs });
  const kept = {
    metadata: { ...metadata, exitCode: exit.exitCode, duration: exit.durationMs },
    ...(fullOutput && { fullOutput }),
  };
  if (signal.aborted) return { outcome: 'cancelled', output: withOutput(output, callTexts.stopped), ...kept };
  if (exit.reason === 'lost')
    return { outcome: 'failed', output: withOutput(output, endOf(exit, 0)), ...kept };
  const notes = notesOf(exit, 0, workspace.jobs?.list());
  return { outcome: 'ok', output: [output || '(no output)', notes].filter(Boolean).join('\n'), ...kept };
}
