import type { Session } from '../session/session.ts';
import type { CompareSide } from '../ui/app.ts';

/** Sets a new session to what was chosen for a side. */
export async function chooseFor(
  session: Pick<Session, 'mode' | 'setMode' | 'chooseAgent' | 'chooseEffort'>,
  { agent, effort, mode }: Pick<CompareSide, 'agent' | 'effort' | 'mode'>,
): Promise<void> {
  // The mode first: one that is set after the planning agent sends prompts to another agent. Plan comes with its agent.
  if (mode !== 'plan' && mode !== session.mode) await session.setMode(mode);
  await session.chooseAgent(agent);
  if (effort !== null) await session.chooseEffort(effort);
}
