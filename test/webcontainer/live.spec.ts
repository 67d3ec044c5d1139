import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, firefox, test, webkit, type BrowserType } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/chromium.mjs';
import { Answers } from './answers.ts';
import { askEverything } from './ask.ts';
import { serveQuestions } from './server.ts';

const FOLDER = fileURLToPath(new URL('../../webcontainer-report', import.meta.url));
/** Where another browser of this machine, Safari for one, finds the questions with `--by-hand`. */
const PORT = 4509;

async function askIn(type: BrowserType, served: Awaited<ReturnType<typeof serveQuestions>>): Promise<string> {
  const isChromium = type === chromium;
  const executablePath = isChromium ? findChromium() : type.executablePath();
  if (!executablePath || !existsSync(executablePath))
    return `not installed; npx playwright install ${type.name()}, or --by-hand`;
  const browser = await type.launch({ executablePath, ...(isChromium && { args: chromiumArgs }) });
  try {
    await askEverything(await browser.newContext(), served);
    return 'asked';
  } finally {
    await browser.close();
  }
}

test('what only the real runtime answers', async () => {
  const answers = new Answers(FOLDER);
  const byHand = process.env.VITRINE_BY_HAND === '1';
  if (byHand) {
    const served = await serveQuestions(answers, PORT);
    console.log(`Open ${served.url} in each browser. Every answer is saved to ${FOLDER}; Ctrl-C ends this.`);
    await new Promise(() => {});
  }
  for (const type of [chromium, firefox, webkit]) {
    // A server for each: pages that are done are done in one browser.
    const served = await serveQuestions(answers);
    const outcome = await askIn(type, served).catch((error: unknown) => String(error).split('\n')[0]);
    console.log(`${type.name()}: ${outcome}`);
    await served.close();
  }
});
