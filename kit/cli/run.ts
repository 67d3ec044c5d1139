import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endOf } from '../facts/end.ts';
import type { Agent, TurnResult } from '../playwright/agent.ts';
import { filesBelow } from '../playwright/folder.ts';
import { requireKey } from '../playwright/need-key.ts';
import { openAgent } from '../playwright/open-agent.ts';
import type { VitrineOptions } from '../playwright/options.ts';
import { recordingPage } from '../report/recording-page.ts';
import type { Job } from './arguments.ts';
import { withBrowser } from './browser.ts';
import { readSource, type JobPrompt, type JobSource } from './source.ts';

/** Does a job and writes its recording and transcript. Returns whether every turn ended well and nothing was refused. */
export async function runJob(job: Job, say: (line: string) => void): Promise<boolean> {
  const source = job.file === undefined ? undefined : await readSource(job.file);
  const prompts = promptsOf(job, source);
  const options = await optionsOf(job, source);
  return withBrowser('run', async (browser, url) => {
    const page = await browser.newPage();
    const agent = await openAgent(page, url, options, { folder: '.', name: 'run' });
    agent.on('tool', ({ tool, outcome }) => say(`${tool}: ${outcome}`));
    const refused = refuseAll(agent);
    const isDone = await promptAll(agent, prompts, job.timeoutMs, say);
    for (const what of refused)
      say(`Nobody was here to allow ${what}, so it was denied. To allow it, give --permission.`);
    await writeResults(agent, job.out, prompts[0]?.text ?? '', say);
    return isDone && refused.size === 0;
  });
}

function promptsOf({ prompts, file, model }: Job, source: JobSource | undefined): readonly JobPrompt[] {
  if (source?.kind === 'script' && model)
    throw new Error(`${file} is a script, which answers itself: leave out --provider and --model.`);
  if (prompts.length > 0) return prompts.map((text) => ({ text }));
  if (source && source.prompts.length > 0) return source.prompts;
  throw new Error(`"run" needs a --prompt: ${file} has none.`);
}

async function optionsOf(
  { model, folder, permission, seed, out }: Job,
  source: JobSource | undefined,
): Promise<VitrineOptions> {
  const rest = {
    ...(permission !== undefined && { permission }),
    // Results of earlier jobs are no part of the folder.
    ...(folder === undefined
      ? source && { files: source.files }
      : { files: await filesBelow(folder, [out]) }),
    ...(seed !== undefined && { seed }),
  };
  if (!model) return { ...rest, ...(source && { script: source.script }) };
  const apiKey = process.env.VITRINE_API_KEY;
  const settings = { ...model, ...(apiKey !== undefined && { apiKey }) };
  requireKey(settings, 'Set the environment variable VITRINE_API_KEY.');
  return { ...rest, model: settings };
}

/** Refuses what asks, because nobody can answer here. Returns what was refused, which grows with the job. */
function refuseAll(agent: Agent): ReadonlySet<string> {
  const refused = new Set<string>();
  agent.onPermission(({ permission, patterns }) => {
    refused.add(`"${permission}" (${patterns.join(', ')})`);
    return { reject: 'Nobody is here to allow it.' };
  });
  agent.onQuestion(() => null);
  return refused;
}

async function promptAll(
  agent: Agent,
  prompts: readonly JobPrompt[],
  timeoutMs: number,
  say: (line: string) => void,
): Promise<boolean> {
  let isLate = false;
  let told = 0;
  const timer = setTimeout(() => {
    isLate = true;
    void agent.abort();
  }, timeoutMs);
  try {
    for (const prompt of prompts) {
      const status = await promptOnce(agent, prompt, say);
      const facts = await agent.facts();
      for (const text of facts.said.slice(told)) say(text);
      told = facts.said.length;
      if (status === 'idle') continue;
      say(isLate ? `The time of ${timeoutMs / 1000} s is over.` : endOf(facts, status));
      return false;
    }
    return true;
  } finally {
    clearTimeout(timer);
  }
}

/** Sends a prompt, and the messages that belong to its turn, each at its step. Returns how the last turn ended. */
async function promptOnce(
  agent: Agent,
  { text, during = [] }: JobPrompt,
  say: (line: string) => void,
): Promise<TurnResult['status']> {
  const send = (message: string) => {
    say(`> ${message}`);
    return agent.prompt(message);
  };
  const turn = send(text);
  const sent: Promise<TurnResult>[] = [];
  let begun = 0;
  for await (const event of turn) {
    if (event.sessionID !== agent.sessionID || event.type !== 'step.started' || event['purpose']) continue;
    begun++;
    for (const message of during) if (message.step === begun) sent.push(send(message.text));
  }
  const ends = [await turn, ...(await Promise.all(sent))];
  // Another model may take fewer steps than the one that was recorded.
  for (const message of during)
    if (message.step > begun && ends.at(-1)?.status === 'idle') ends.push(await send(message.text));
  return ends.at(-1)?.status ?? 'idle';
}

async function writeResults(
  agent: Agent,
  out: string,
  title: string,
  say: (line: string) => void,
): Promise<void> {
  await mkdir(out, { recursive: true });
  const write = (name: string, text: string) => writeFile(path.join(out, name), text);
  const json = JSON.stringify(await agent.recording());
  const command = `npx vitrine show ${JSON.stringify(path.join(out, 'recording.json'))}`;
  await write('recording.json', json);
  await write('recording.html', await recordingPage(json, { title, command }));
  await write('transcript.md', await agent.transcript());
  say(`The recording, a page that shows it and the transcript are in ${path.resolve(out)}`);
}
