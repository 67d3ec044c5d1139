import { expect as base, test } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import type { CallOutcome, Facts } from '../facts/events.ts';
import { endOf } from '../facts/end.ts';
import { transcriptName } from './transcript-name.ts';
import { hasFinishedWithin, type Budget } from '../matchers/budget.ts';
import {
  hasAsked,
  hasBeenDenied,
  hasCalled,
  hasSaid,
  hasTrajectory,
  type ExpectedCall,
  type TrajectoryMode,
} from '../matchers/calls.ts';
import { hasChanged, hasFile } from '../matchers/files.ts';
import type { Verdict } from '../matchers/verdict.ts';
import { Agent } from './agent.ts';
import { TestWorkspace } from './workspace.ts';

/** The message says why the last turn ended badly: a matcher often fails for that reason. */
function result({ pass, message }: Verdict, facts?: Facts) {
  const status = facts?.turns.at(-1)?.status ?? 'idle';
  const end = facts && status !== 'idle' && status !== 'running' ? `\n${endOf(facts, status)}` : '';
  return { pass, message: () => message + end };
}

/** Playwright does not check at run time that a matcher for agents gets one. */
function agentOf(agent: Agent): Agent {
  if (agent instanceof Agent) return agent;
  throw new Error('This matcher takes the fixture "agent".');
}

async function factsOf(agent: Agent): Promise<Facts> {
  return agentOf(agent).facts();
}

function filesOf(workspace: TestWorkspace): TestWorkspace {
  if (workspace instanceof TestWorkspace) return workspace;
  throw new Error('This matcher takes the fixture "workspace".');
}

/** Playwright's `expect` with matchers for agents and workspaces. All of them are awaited. */
export const expect = base.extend({
  /** The agent called a tool, with at least these arguments, and it ran; `outcome` looks for other ends, too. */
  async toHaveCalled(
    agent: Agent,
    tool: string,
    input?: unknown,
    options: { readonly outcome?: CallOutcome } = {},
  ) {
    const facts = await factsOf(agent);
    return result(hasCalled(facts, tool, input, options), facts);
  },
  /** The agent's calls that ran are these: see `TrajectoryMode`. */
  async toHaveTrajectory(
    agent: Agent,
    calls: readonly ExpectedCall[],
    { mode }: { readonly mode?: TrajectoryMode } = {},
  ) {
    const facts = await factsOf(agent);
    return result(hasTrajectory(facts, calls, mode), facts);
  },
  /** The agent asked for a permission, for something that fits the pattern. */
  async toHaveAsked(agent: Agent, permission: string, pattern?: string | RegExp) {
    const facts = await factsOf(agent);
    return result(hasAsked(facts, permission, pattern), facts);
  },
  /** A call of the tool was denied. */
  async toHaveDenied(agent: Agent, tool: string, input?: unknown) {
    const facts = await factsOf(agent);
    return result(hasBeenDenied(facts, tool, input), facts);
  },
  /** An answer of the agent contains the text, or matches. */
  async toHaveSaid(agent: Agent, text: string | RegExp) {
    const facts = await factsOf(agent);
    return result(hasSaid(facts, text), facts);
  },
  /** The last turn ended by itself within these limits. */
  async toFinishWithin(agent: Agent, budget: Budget) {
    const facts = await factsOf(agent);
    return result(hasFinishedWithin(facts, budget), facts);
  },
  /** The workspace has the file; its text is, or matches, what is expected. */
  async toHaveFile(workspace: TestWorkspace, path: string, expected?: unknown) {
    const isThere = (await filesOf(workspace).list()).includes(path);
    return result(hasFile(path, isThere ? await workspace.read(path) : undefined, expected));
  },
  /** Exactly these files differ since the session began. */
  async toHaveChanged(workspace: TestWorkspace, paths: readonly (string | RegExp)[]) {
    return result(hasChanged(await filesOf(workspace).changes(), paths));
  },
  /**
   * The session's transcript is the one in the snapshot file; `--update-snapshots` writes it. Transcripts are the same on
   * every system, so the file has no system's name unless `snapshotPathTemplate` says so. Without a name it has that of
   * the test.
   */
  async toMatchTranscript(agent: Agent, given?: string) {
    const transcript = await agentOf(agent).transcript();
    const info = test.info();
    const name = given ?? transcriptName(info);
    const { snapshotSuffix } = info;
    try {
      info.snapshotSuffix = '';
      base(transcript).toMatchSnapshot(name);
      return { pass: true, message: () => `Expected the transcript not to match ${name}.` };
    } catch (error) {
      return { pass: false, message: () => messageOf(error) };
    } finally {
      info.snapshotSuffix = snapshotSuffix;
    }
  },
});
