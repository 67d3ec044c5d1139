/**
 * Makes the recording of the lesson "Why small models get tools wrong" for browsers without a small model: in the built app, as
 * for a model in the tab, with answers that are written here by hand. Saves public/examples/small-model.vitrine.json. Run
 * `npm run build` before.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './chromium.mjs';
import { serve } from './serving.mjs';
import { sourceServer } from './source-server.mjs';

const CELLAR = '../src/lessons/11-small-models/files/cellar.csv';
const ANSWERS = [
  // The wrong name and a number as text, which the app mends.
  '{"say":"I look at the list.","call":{"tool":"read","arguments":{"path":"cellar.csv","limit":"20"}}}',
  '{"say":"There are **57** bottles: 24, 18 and 15."}',
  // It breaks off, and is never run.
  '{"say":"I write the report.","call":{"tool":"write","arguments":{"filePath":"report.txt","content":"Report on the cellar\\n\\nThe cellar has three shelves. On the left',
  '{"say":"Done! The report is in `report.txt`, with all the bottles of each shelf."}',
];
const PROMPTS = ['How many bottles are in the cellar?', 'Write a report about the cellar.'];

const vite = await sourceServer();
const app = await serve();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
try {
  const { installPromptAPI } = await vite.ssrLoadModule('/test/support/prompt-api/fake.ts');
  const page = await browser.newPage();
  await page.addInitScript(installPromptAPI, { availability: 'available', answers: ANSWERS });
  await page.goto(`${app.url}?automation=1`);
  const recording = await page.evaluate(
    async ({ cellar, prompts }) => {
      const { vitrine } = window;
      await vitrine.ready;
      await vitrine.configure({ provider: 'browser', model: 'built-in' });
      await vitrine.workspace.writeFile('cellar.csv', cellar);
      for (const prompt of prompts) await vitrine.prompt(prompt);
      const [session] = await vitrine.sessions.list();
      return vitrine.sessions.export(session.id);
    },
    { cellar: readFileSync(new URL(CELLAR, import.meta.url), 'utf8'), prompts: PROMPTS },
  );
  const file = fileURLToPath(new URL('../public/examples/small-model.vitrine.json', import.meta.url));
  const title = 'Answers written by hand: a small model and the cellar';
  writeFileSync(file, JSON.stringify({ ...recording, title }));
  console.log(`Saved ${file}`);
} finally {
  await browser.close();
  app.stop();
  await vite.close();
}
