import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { chromium } from 'playwright';
import { chromiumArgs, ensureChromium } from './scripts/chromium.mjs';
const serving = spawn(process.execPath, ['scripts/serve.mjs'], { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
const given = (tool, description, agent, prompt) => ({ tool, input: { agent, description, prompt } });
const script = { version: 1, title: 's', chunkDelayMs: 0, files: { 'src/a.ts': 'export const a = 1;\n' }, turns: [
  { steps: [{ text: 'Two pieces of work.', tools: [given('task', 'Find the totals', 'explore', 'ONE: where are totals computed?'), given('background_task', 'Write the notes', 'general', 'TWO: write notes')] }, { text: 'The notes are under way; the totals are in `src/a.ts`.' }] },
  { when: 'ONE', steps: [{ tools: [{ tool: 'grep', input: { pattern: 'a' } }, { tool: 'read', input: { filePath: 'src/a.ts' } }] }, { text: '# Found\n\nThe totals are in `src/a.ts`, line 1.' }] },
  { when: 'TWO', steps: [{ tools: [{ tool: 'write', input: { filePath: 'notes.md', content: '# Notes\n' } }] }, { text: 'Notes are written.' }] },
  { when: 'background has ended', steps: [{ text: 'All done.' }] },
] };
try {
  const [said] = await once(serving.stdout, 'data');
  const address = /http:\S+/.exec(String(said))[0];
  for (const [name, size, scheme] of [['light', { width: 1280, height: 900 }, 'light'], ['dark', { width: 1280, height: 900 }, 'dark'], ['phone', { width: 390, height: 800 }, 'light']]) {
    const context = await browser.newContext({ viewport: size, colorScheme: scheme });
    const page = await context.newPage();
    await page.goto(address + '?automation=1');
    await page.evaluate(() => window.vitrine.ready);
    await page.evaluate((s) => window.vitrine.configure({ provider: 'scripted', model: 'script', script: s }), script);
    await page.getByRole('textbox', { name: 'Message' }).fill('Two things');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alertdialog').waitFor();
    await page.getByText('under way').waitFor();
    await page.waitForTimeout(900);
    await page.screenshot({ path: `/tmp/w/agents-shots/${name}-1ask.png`, animations: 'disabled' });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('All done.').waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/w/agents-shots/${name}-2done.png`, animations: 'disabled' });
    await page.getByRole('link', { name: /Open the session of Find/ }).first().click();
    await page.getByText('A sub-agent works here').waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/w/agents-shots/${name}-3child.png`, animations: 'disabled' });
    await page.getByRole('link', { name: /^Back to/ }).click();
    await page.getByRole('button', { name: 'Agent: build' }).click();
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/w/agents-shots/${name}-4menu.png`, animations: 'disabled' });
    await context.close();
  }
} finally { await browser.close(); serving.kill(); }
