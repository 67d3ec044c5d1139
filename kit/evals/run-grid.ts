import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import { messageOf } from '../../src/base/message-of.ts';
import { withBrowser } from '../cli/browser.ts';
import { endOf } from '../facts/end.ts';
import type { Facts } from '../facts/events.ts';
import { hasFinishedWithin } from '../matchers/budget.ts';
import { callLine } from '../matchers/verdict.ts';
import { hasSaid, hasTrajectory, toolOf, type ExpectedCall } from '../matchers/calls.ts';
import { meantName } from '../options/app-names.ts';
import type { Agent } from '../playwright/agent.ts';
import { filesBelow } from '../playwright/folder.ts';
import { openAgent } from '../playwright/open-agent.ts';
import type { VitrineOptions } from '../playwright/options.ts';
import { TestWorkspace } from '../playwright/workspace.ts';
import { recordingPages, type RecordingPages } from '../report/recording-page.ts';
import { endOfOutput } from './end-of-output.ts';
import { fileName, readGrid, type Grid, type Task } from './grid.ts';
import { preparedModels, requireFolders, requireInstructions, type PreparedModel } from './prepare.ts';
import { pageOf, reportPage } from './report.ts';
import { cellsOf, readResults, type EvalResults, type RunResult } from './results.ts';

export interface EvalOrder {
  /** The path of the grid's file. */
  readonly grid: string;
  /** Where results, recordings and the report are written. */
  readonly out: string;
  /** How many runs go on at the same time. */
  readonly workers: number;
}

/**
 * Runs every task with every model. Returns whether every cell passed often enough. Rejects before the first run, and leaves
 * earlier results as they are, if something that the grid names is missing.
 */
export async function runGrid(order: EvalOrder, say: (line: string) => void): Promise<boolean> {
  const text = await readFile(order.grid, 'utf8').catch(() => {
    throw new Error(`There is no file ${path.resolve(order.grid)}.`);
  });
  const grid = readGrid(text, order.grid);
  const models = await preparedModels(grid, order.grid);
  await requireFolders(grid, order.grid);
  await requireInstructions(grid, order.grid);
  const earlier = readResults(await readFile(path.join(order.out, 'results.json'), 'utf8').catch(() => ''));
  const started = Date.now();
  return withBrowser('eval', async (browser, url) => {
    const pages = await recordingPages();
    await mkdir(path.join(order.out, 'recordings'), { recursive: true });
    for (const [name, text] of Object.entries(pages.files))
      await writeFile(path.join(order.out, 'recordings', name), text);
    const jobs = grid.tasks.flatMap((task) =>
      models.flatMap((model) => Array.from({ length: grid.runs }, (_, at) => ({ task, model, run: at + 1 }))),
    );
    const runs = await inTurns(jobs, order.workers, async (job) => {
      const result = await runOnce({ browser, url, grid, order, pages, ...job });
      const outcome = result.failures.join('\n').replaceAll('\n', '\n  ') || 'passed';
      say(`${result.task} · ${result.model} · ${result.run}: ${outcome}`);
      return result;
    });
    const results: EvalResults = { vitrineEval: 1, title: grid.title, started, runs };
    await writeFile(path.join(order.out, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
    await writeFile(path.join(order.out, 'report.html'), reportPage(results, earlier));
    const cells = cellsOf(runs);
    for (const { task, model, passed, runs: all } of cells) say(`${task} · ${model}: ${passed} of ${all}`);
    say(`The report is in ${path.resolve(order.out)}; npx vitrine report ${order.out} shows it.`);
    return cells.every(({ passed, runs: all }) => passed / all >= grid.atLeast);
  });
}

interface Job {
  readonly browser: Browser;
  readonly url: string;
  readonly grid: Grid;
  readonly order: EvalOrder;
  readonly pages: RecordingPages;
  readonly task: Task;
  readonly model: PreparedModel;
  readonly run: number;
}

async function runOnce(job: Job): Promise<RunResult> {
  const { browser, url, grid, task, model, run } = job;
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const agent = await openAgent(page, url, await optionsOf(job), { folder: '.', name: 'eval' });
    const failures = await outcome(agent, new TestWorkspace(page), task, grid.timeoutSeconds * 1000);
    const facts = await agent.facts();
    const recording = `recordings/${fileName(task.name)}.${fileName(model.name)}.${run}.json`;
    await writeRecording(job, agent, recording, failures);
    return { ...{ task: task.name, model: model.name, run, failures, recording }, ...figuresOf(facts) };
  } catch (error) {
    // A run that cannot be made, because the page crashed for example, is told and the others go on.
    const what = messageOf(error);
    return { ...{ task: task.name, model: model.name, run, failures: [what] }, ...NOTHING };
  } finally {
    await context.close();
  }
}

/** Writes the recording, and the page that shows it. */
async function writeRecording(
  { order, pages, task, model, run }: Job,
  agent: Agent,
  recording: string,
  failures: readonly string[],
): Promise<void> {
  const file = path.join(order.out, recording);
  const json = JSON.stringify(await agent.recording());
  await writeFile(file, json);
  const about = {
    title: `${task.name} · ${model.name} · ${run}`,
    ...(failures.length > 0 && { reason: failures.join('\n') }),
    command: `npx vitrine show ${JSON.stringify(file)}`,
  };
  await writeFile(pageOf(file), pages.page(json, about));
}

type Figures = Pick<RunResult, 'steps' | 'tokens' | 'cost' | 'ms' | 'calls'>;

const NOTHING: Figures = { steps: 0, tokens: 0, cost: 0, ms: 0, calls: [] };

function figuresOf({ turns, calls }: Facts): Figures {
  const sum = (of: 'steps' | 'tokens' | 'cost' | 'ms') => turns.reduce((total, turn) => total + turn[of], 0);
  return {
    ...{ steps: sum('steps'), tokens: sum('tokens'), cost: sum('cost'), ms: sum('ms') },
    calls: calls.map(({ tool }) => tool),
  };
}

/** Gives the agent its task; returns why it did not pass. */
async function outcome(
  agent: Agent,
  workspace: TestWorkspace,
  task: Task,
  timeoutMs: number,
): Promise<readonly string[]> {
  agent.onPermission(() => ({ reject: 'Nobody is here to allow it.' }));
  agent.onQuestion(() => null);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void agent.abort();
  }, timeoutMs);
  const { status } = await agent.prompt(task.prompt).finally(() => clearTimeout(timer));
  if (isLate) return [`It took longer than ${timeoutMs / 1000} s.`];
  const facts = await agent.facts();
  const failures = status === 'idle' ? [] : [endOf(facts, status)];
  const { budget, calls, said, check } = task;
  if (budget && !hasFinishedWithin(facts, limitsOf(budget)).pass)
    failures.push(`It is over its budget: ${spent(facts)}.`);
  if (calls && !hasTrajectory(facts, calls.are, calls.mode).pass)
    failures.push(`Its calls are others: ${names(facts)}.${slipsIn(calls.are)}`);
  if (said !== undefined && !hasSaid(facts, new RegExp(said)).pass) failures.push(`It did not say ${said}.`);
  if (check !== undefined) {
    const { exitCode, output } = await workspace.exec(check);
    if (exitCode !== 0) failures.push(`${check} ended with ${exitCode}:\n${endOfOutput(output)}`);
  }
  if (failures.length > 0) failures.push(...failedCalls(facts));
  return failures;
}

/** Says what names of tools were probably meant instead of those that the app has not. */
function slipsIn(calls: readonly ExpectedCall[]): string {
  return calls
    .map(toolOf)
    .map((tool) => ({ tool, meant: meantName(tool) }))
    .filter(({ meant }) => meant !== undefined)
    .map(({ tool, meant }) => ` The grid names "${tool}". Did you mean "${meant}"?`)
    .join('');
}

/** Returns lines about the calls that failed, because one of them is often the reason. */
function failedCalls({ calls }: Facts): readonly string[] {
  return calls.filter(({ outcome }) => outcome !== 'ok').map(callLine);
}

function spent({ turns }: Facts): string {
  const { steps = 0, tokens = 0, cost = 0, ms = 0 } = turns.at(-1) ?? {};
  return `${steps} steps, ${tokens} tokens, $${cost}, ${ms} ms`;
}

const names = ({ calls }: Facts) => calls.map(({ tool }) => tool).join(', ') || 'none';

function limitsOf(budget: NonNullable<Task['budget']>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(budget).filter((limit): limit is [string, number] => limit[1] !== undefined),
  );
}

async function optionsOf({ grid, order, task, model, run }: Job): Promise<VitrineOptions> {
  const folder =
    task.folder === undefined
      ? {}
      : await filesBelow(path.resolve(path.dirname(order.grid), task.folder), [order.out]);
  const base: VitrineOptions = {
    permission: grid.permission,
    files: { ...folder, ...task.files },
    ...(model.config && { config: model.config }),
  };
  if (model.kind === 'provider') return { ...base, model: model.settings };
  // Runs of a script with chance differ as those of a model do, and each is the same when it is run again.
  return { ...base, script: { ...model.script, seed: (model.script.seed ?? 0) + run } };
}

/** Runs jobs with so many of them at the same time, and returns their results in the order of the jobs. */
async function inTurns<Job, Result>(
  jobs: readonly Job[],
  workers: number,
  run: (job: Job) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = jobs.entries();
  const work = async () => {
    for (const [at, job] of left) results[at] = await run(job);
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}
