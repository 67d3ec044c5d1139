import { readFile } from 'node:fs/promises';
import { expect as base, test } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import type { CallOutcome, Facts } from '../facts/events.ts';
import { badEndOf } from '../facts/end.ts';
import { transcriptName } from './transcript-name.ts';
import { requireKnownOptions } from '../options/known-options.ts';
import { meantName } from '../options/app-names.ts';
import { hasFinishedWithin, type Budget } from '../matchers/budget.ts';
import {
  hasAsked,
  hasBeenDenied,
  hasCalled,
  hasSaid,
  hasTrajectory,
  toolOf,
  type ExpectedCall,
  type TrajectoryMode,
} from '../matchers/calls.ts';
import { hasChanged, hasFile } from '../matchers/files.ts';
import { hasPlayedEveryStep } from '../matchers/script.ts';
import type { Verdict } from '../matchers/verdict.ts';
import { Agent } from './agent.ts';
import { TestModel } from './model.ts';
import type { OpenCalls } from './open-calls.ts';
import { TestWorkspace } from './workspace.ts';

/**
 * A matcher's verdict for Playwright. `matcher` is how the test has written it, such as `toHaveFile(…)` of a `workspace`: by that
 * reporters tell that a check failed, and not the test's code. `facts` are those of an agent whose last turn may be the reason.
 */
function result(matcher: Matcher, { pass, message }: Verdict, open: OpenCalls, facts?: Facts) {
  const badEnd = facts && badEndOf(facts);
  const end = badEnd === undefined ? '' : `\n${badEnd}`;
  const [running] = open.titles('agent.prompt(');
  const early =
    running === undefined ? '' : `\n${running} has not ended yet. Is there an \`await\` before it?`;
  // The message of a check that has passed is shown where the test expects that it does not.
  const head = `${written(matcher, pass ? '.not' : '')} failed\n\n`;
  return { pass, message: () => head + message + end + early };
}

interface Matcher {
  /** The fixture that it judges. */
  readonly of: 'agent' | 'model' | 'workspace';
  readonly name: string;
}

const written = ({ of, name }: Matcher, not = '') => `expect(${of})${not}.${name}(…)`;

/** Playwright does not check at run time that a matcher for agents gets one. */
function agentOf(agent: Agent): Agent {
  if (agent instanceof Agent) return agent;
  throw new Error('This matcher takes the fixture "agent".');
}

/**
 * Judges what the agent has done. `name` is that of the matcher, and `named` are the tools and permissions that it asks for:
 * a name that is almost that of another one is refused, because `.not` would always hold for it.
 */
async function judged(
  agent: Agent,
  name: string,
  judge: (facts: Facts) => Verdict | Promise<Verdict>,
  named: readonly string[] = [],
) {
  const { open } = agentOf(agent).model;
  const matcher: Matcher = { of: 'agent', name };
  const verdict = (async () => {
    const facts = await agent.facts();
    await refuseSlips(agent, facts, matcher, named);
    return result(matcher, await judge(facts), open, facts);
  })();
  return open.track(written(matcher), verdict);
}

async function refuseSlips(
  agent: Agent,
  { calls }: Facts,
  matcher: Matcher,
  named: readonly string[],
): Promise<void> {
  const isCalled = (name: string) => calls.some(({ tool }) => tool === name);
  const slips = named
    .filter((name) => !isCalled(name))
    .map((name) => ({ name, meant: meantName(name) }))
    .filter(({ meant }) => meant !== undefined);
  if (slips.length === 0) return;
  const own = await agent.toolNames();
  const slip = slips.find(({ name }) => !own.includes(name));
  if (!slip) return;
  throw new Error(
    `${written(matcher)} names ${JSON.stringify(slip.name)}, which is no tool and no permission. Did you mean "${slip.meant}"?`,
  );
}

/** Judges the files of a workspace. `name` is that of the matcher. */
async function judgedFiles(
  workspace: TestWorkspace,
  name: string,
  judge: (workspace: TestWorkspace) => Promise<Verdict>,
) {
  if (!(workspace instanceof TestWorkspace)) throw new Error('This matcher takes the fixture "workspace".');
  const { open } = workspace;
  const matcher: Matcher = { of: 'workspace', name };
  const verdict = judge(workspace).then((each) => result(matcher, each, open));
  return open.track(written(matcher), verdict);
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
    requireKnownOptions('toHaveCalled()', options, ['outcome']);
    return judged(agent, 'toHaveCalled', (facts) => hasCalled(facts, tool, input, options), [tool]);
  },
  /** The agent's calls that ran are these: see `TrajectoryMode`. */
  async toHaveTrajectory(
    agent: Agent,
    calls: readonly ExpectedCall[],
    options: { readonly mode?: TrajectoryMode } = {},
  ) {
    requireKnownOptions('toHaveTrajectory()', options, ['mode']);
    const tools = calls.map(toolOf);
    return judged(agent, 'toHaveTrajectory', (facts) => hasTrajectory(facts, calls, options.mode), tools);
  },
  /** The agent asked for a permission, for something that fits the pattern. */
  async toHaveAsked(agent: Agent, permission: string, pattern?: string | RegExp) {
    return judged(agent, 'toHaveAsked', (facts) => hasAsked(facts, permission, pattern), [permission]);
  },
  /** A call of the tool was denied, or came to nothing because a rule keeps the tool from the agent. */
  async toHaveDenied(agent: Agent, tool: string, input?: unknown) {
    const judge = async (facts: Facts) => hasBeenDenied(facts, tool, input, await agent.deniedTools());
    return judged(agent, 'toHaveDenied', judge, [tool]);
  },
  /** The agent has asked for every step of its script. */
  async toHavePlayedEveryStep(model: TestModel) {
    if (!(model instanceof TestModel)) throw new Error('This matcher takes the fixture "model".');
    const matcher: Matcher = { of: 'model', name: 'toHavePlayedEveryStep' };
    const verdict = model.unplayed().then((left) => result(matcher, hasPlayedEveryStep(left), model.open));
    return model.open.track('expect(model).toHavePlayedEveryStep()', verdict);
  },
  /** An answer of the agent contains the text, or matches. */
  async toHaveSaid(agent: Agent, text: string | RegExp) {
    return judged(agent, 'toHaveSaid', (facts) => hasSaid(facts, text));
  },
  /** The last turn ended by itself within these limits. */
  async toFinishWithin(agent: Agent, budget: Budget) {
    return judged(agent, 'toFinishWithin', (facts) => hasFinishedWithin(facts, budget));
  },
  /** The workspace has the file; its text is, or matches, what is expected. */
  async toHaveFile(workspace: TestWorkspace, path: string, expected?: unknown) {
    return judgedFiles(workspace, 'toHaveFile', async (files) => {
      const isThere = (await files.list()).includes(path);
      return hasFile(path, isThere ? await files.read(path) : undefined, expected);
    });
  },
  /** Exactly these files differ since the session's first prompt. */
  async toHaveChanged(workspace: TestWorkspace, paths: readonly (string | RegExp)[]) {
    return judgedFiles(workspace, 'toHaveChanged', async (files) => hasChanged(await files.changes(), paths));
  },
  /**
   * The session's transcript is the one in the snapshot file; `--update-snapshots` writes it. Transcripts are the same on
   * every system, so the file has no system's name unless `snapshotPathTemplate` says so. Without a name it has that of
   * the test.
   */
  async toMatchTranscript(agent: Agent, given?: string) {
    const { open } = agentOf(agent).model;
    const { isNot } = this;
    return open.track('expect(agent).toMatchTranscript(…)', matchTranscript(agent, given, isNot));
  },
});

async function matchTranscript(agent: Agent, given: string | undefined, isNot: boolean) {
  const transcript = await agent.transcript();
  const info = test.info();
  const name = given ?? transcriptName(info);
  const { snapshotSuffix } = info;
  try {
    info.snapshotSuffix = '';
    // Playwright would write the transcript over the one that it must not be.
    if (isNot) return await comparedWith(transcript, info.snapshotPath(name, { kind: 'snapshot' }));
    base(transcript).toMatchSnapshot(name);
    return { pass: true, message: () => '' };
  } catch (error) {
    return { pass: isNot, message: () => messageOf(error) };
  } finally {
    info.snapshotSuffix = snapshotSuffix;
  }
}

/** Compares a transcript with the one in a file, which must be another one. Rejects if there is no such file. */
async function comparedWith(transcript: string, file: string) {
  const kept = await readFile(file, 'utf8').catch(() => {
    throw new Error(
      `There is no ${file} to compare the transcript with. Write it with expect(agent).toMatchTranscript(…) first.`,
    );
  });
  const isSame = kept.replaceAll('\r\n', '\n') === transcript;
  return { pass: isSame, message: () => `Expected the transcript not to match ${file}.` };
}
