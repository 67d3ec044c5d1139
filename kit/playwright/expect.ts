import { expect as base } from '@playwright/test';
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
import type { Agent } from './agent.ts';
import type { TestWorkspace } from './workspace.ts';

const result = ({ pass, message }: Verdict) => ({ pass, message: () => message });

/** Playwright's `expect` with matchers for agents and workspaces. All of them are awaited. */
export const expect = base.extend({
  /** The agent called a tool, with at least these arguments. */
  async toHaveCalled(agent: Agent, tool: string, input?: unknown) {
    return result(hasCalled(await agent.facts(), tool, input));
  },
  /** The agent's calls are these: see `TrajectoryMode`. */
  async toHaveTrajectory(
    agent: Agent,
    calls: readonly ExpectedCall[],
    { mode }: { readonly mode?: TrajectoryMode } = {},
  ) {
    return result(hasTrajectory(await agent.facts(), calls, mode));
  },
  /** The agent asked for a permission, for something that fits the pattern. */
  async toHaveAsked(agent: Agent, permission: string, pattern?: string | RegExp) {
    return result(hasAsked(await agent.facts(), permission, pattern));
  },
  /** A call of the tool was denied. */
  async toHaveDenied(agent: Agent, tool: string, input?: unknown) {
    return result(hasBeenDenied(await agent.facts(), tool, input));
  },
  /** An answer of the agent contains the text, or matches. */
  async toHaveSaid(agent: Agent, text: string | RegExp) {
    return result(hasSaid(await agent.facts(), text));
  },
  /** The last turn ended by itself within these limits. */
  async toFinishWithin(agent: Agent, budget: Budget) {
    return result(hasFinishedWithin(await agent.facts(), budget));
  },
  /** The workspace has the file; its text is, or matches, what is expected. */
  async toHaveFile(workspace: TestWorkspace, path: string, expected?: unknown) {
    const isThere = (await workspace.list()).includes(path);
    return result(hasFile(path, isThere ? await workspace.read(path) : undefined, expected));
  },
  /** Exactly these files differ since the session began. */
  async toHaveChanged(workspace: TestWorkspace, paths: readonly (string | RegExp)[]) {
    return result(hasChanged(await workspace.changes(), paths));
  },
  /** The session's transcript is the one in the snapshot file; `--update-snapshots` writes it. */
  async toMatchTranscript(agent: Agent, name = 'transcript.md') {
    try {
      base(await agent.transcript()).toMatchSnapshot(name);
      return { pass: true, message: () => `Expected the transcript not to match ${name}.` };
    } catch (error) {
      return { pass: false, message: () => (error instanceof Error ? error.message : String(error)) };
    }
  },
});
