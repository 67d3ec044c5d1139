import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Agent } from '../playwright/agent.ts';
import { openAgent } from '../playwright/open-agent.ts';
import type { Script } from '../playwright/model.ts';
import type { VitrineOptions } from '../playwright/options.ts';
import { serveApp } from '../server/app-server.ts';
import type { Job } from './arguments.ts';
import { launchBrowser } from './browser.ts';

/** Does a job and writes its recording and transcript. Returns whether every turn ended well. */
export async function runJob(job: Job, say: (line: string) => void): Promise<boolean> {
  const options = await optionsOf(job);
  const site = await serveApp();
  const browser = await launchBrowser('run');
  try {
    const page = await browser.newPage();
    const agent = await openAgent(page, site.url, options, { folder: '.', name: 'run' });
    agent.on('tool', ({ tool, outcome }) => say(`${tool}: ${outcome}`));
    const isDone = await promptAll(agent, job, say);
    await writeResults(agent, job.out, say);
    return isDone;
  } finally {
    await browser.close();
    site.close();
  }
}

async function optionsOf({ model, folder, permission, seed }: Job): Promise<VitrineOptions> {
  const rest = {
    ...(permission !== undefined && { permission }),
    ...(folder !== undefined && { folder }),
    ...(seed !== undefined && { seed }),
  };
  if ('script' in model)
    return { ...rest, script: JSON.parse(await readFile(model.script, 'utf8')) as Script };
  const apiKey = process.env.VITRINE_API_KEY;
  return { ...rest, model: { ...model, ...(apiKey !== undefined && { apiKey }) } };
}

async function promptAll(agent: Agent, job: Job, say: (line: string) => void): Promise<boolean> {
  let isLate = false;
  let told = 0;
  const timer = setTimeout(() => {
    isLate = true;
    void agent.abort();
  }, job.timeoutMs);
  // Nobody can answer here, so every request is refused, and the model reads why.
  agent.onPermission(() => ({ reject: 'Nobody is here to allow it.' }));
  agent.onQuestion(() => null);
  try {
    for (const prompt of job.prompts) {
      say(`> ${prompt}`);
      const { status } = await agent.prompt(prompt);
      const { said } = await agent.facts();
      for (const text of said.slice(told)) say(text);
      told = said.length;
      if (status === 'idle') continue;
      say(isLate ? `The time of ${job.timeoutMs / 1000} s is over.` : `The turn ended: ${status}`);
      return false;
    }
    return true;
  } finally {
    clearTimeout(timer);
  }
}

async function writeResults(agent: Agent, out: string, say: (line: string) => void): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeFile(path.join(out, 'recording.json'), JSON.stringify(await agent.recording()));
  await writeFile(path.join(out, 'transcript.md'), await agent.transcript());
  say(`The recording and the transcript are in ${path.resolve(out)}`);
}
