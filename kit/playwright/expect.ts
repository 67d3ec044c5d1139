import { expect as base, test } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import type { CallOutcome, Facts } from '../facts/events.ts';
import { transcriptOf } from '../facts/transcript.ts';
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

const result = ({ pass, message }: Verdict) => ({ pass, message: () => message });

/** Playwright does not check at run time that a matcher for agents gets one. */
async function factsOf(agent: Agent): Promise<Facts> {
  if (!(agent instanceof Agent)) throw new Error('This matcher takes the fixture "agent".');
  return agent.facts();
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
    return result(hasCalled(await factsOf(agent), tool, input, options));
  },
  /** The agent's calls that ran are these: see `TrajectoryMode`. */
  async toHaveTrajectory(
    agent: Agent,
    calls: readonly ExpectedCall[],
    { mode }: { readonly mode?: TrajectoryMode } = {},
  ) {
    return result(hasTrajectory(await factsOf(agent), calls, mode));
  },
  /** The agent asked for a permission, for something that fits the pattern. */
  async toHaveAsked(agent: Agent, permission: string, pattern?: string | RegExp) {
    return result(hasAsked(await factsOf(agent), permission, pattern));
  },
  /** A call of the tool was denied. */
  async toHaveDenied(agent: Agent, tool: string, input?: unknown) {
    return result(hasBeenDenied(await factsOf(agent), tool, input));
  },
  /** An answer of the agent contains the text, or matches. */
  async toHaveSaid(agent: Agent, text: string | RegExp) {
    return result(hasSaid(await factsOf(agent), text));
  },
  /** The last turn ended by itself within these limits. */
  async toFinishWithin(agent: Agent, budget: Budget) {
    return result(hasFinishedWithin(await factsOf(agent), budget));
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
   * every system, so the file has no system's name unless `snapshotPathTemplate` says so.
   */
  async toMatchTranscript(agent: Agent, name = 'transcript.md') {
    const transcript = transcriptOf(await factsOf(agent));
    const info = test.info();
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
