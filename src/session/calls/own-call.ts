import { agentNamed } from '../../agents/agents.ts';
import { FaultError } from '../../base/fault.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { SessionContext } from '../context.ts';
import type { Outcome } from '../log/events.ts';
import { partKey } from '../log/state.ts';
import { NO_MODEL } from '../no-model.ts';
import { untilFolded } from '../turn/turn.ts';
import { runCalls } from './calls.ts';
import { previousCall } from './previous-call.ts';
import { Repetitions } from './repetitions.ts';

/** The result of a call that no model made: what a model would get back, and what the card of the call shows. */
export interface OwnCallResult {
  readonly outcome: Outcome;
  readonly output: string;
  readonly title: string;
  readonly metadata: JsonObject;
}

/**
 * Calls a tool in the context of a session, as a call that belongs to the message `messageID`. The agent of that message
 * has the tool, and its rules decide; so does the person, or a handler, where they ask. Nothing limits how often.
 */
export async function runOwnCall(
  session: SessionContext,
  messageID: string,
  { tool, input }: { readonly tool: string; readonly input: Json },
  signal: AbortSignal,
): Promise<OwnCallResult> {
  const { log, snapshots, locks, reads } = session;
  const { state } = log;
  const source = {
    message: (id: string) => state.messages.get(id),
    part: (key: string) => state.parts.get(key),
  };
  await untilFolded(log);
  const message = log.state.messages.get(messageID);
  if (!message) throw new Error(`The message ${messageID} of a call is not in the session.`);
  const { model } = message;
  if (!model) throw new FaultError(NO_MODEL);
  const callID = `${messageID}.1`;
  log.append({ type: 'call.added', messageID, callID, tool, input });
  const { agents } = await session.refreshedSetup();
  const agent = agentNamed(message.agent, agents).name;
  const [workspace, tools] = await Promise.all([session.workspace(), session.tools(model, agent)]);
  // Changes that were made before the first turn or call are not the session's.
  if (log.state.startSnapshot === null) snapshots.beforeTurn(workspace);
  await snapshots.settled();
  // The person is asked again about what was refused before, as in a new turn, and saved rules are read.
  await session.gate.startTurn();
  const refusal = new AbortController();
  await runCalls(
    { session, workspace, locks, reads, previous: (name) => previousCall(source, state.head, name) },
    {
      ...{ messageID, agent, model, tools, lastStep: false, repetitions: new Repetitions() },
      result: {
        ...{ reason: 'tool-calls', usage: {}, aborted: false, said: true },
        calls: [{ callID, tool, input }],
      },
      signal: AbortSignal.any([signal, refusal.signal]),
      refused: () => refusal.abort('refused'),
    },
  );
  await untilFolded(log);
  const part = log.state.parts.get(partKey(messageID, 'tool', callID));
  if (part?.type !== 'tool' || part.outcome === undefined)
    throw new Error(`The call of ${tool} has no result.`);
  const { outcome, output = '', title = '', metadata } = part;
  return { outcome, output, title, metadata };
}
