import type { Page } from '@playwright/test';
import { openApp, prompt, useScript, writeFile } from './app.ts';
import { expect, test } from './test.ts';

const SERVER = `const { createServer } = require('node:http');
createServer((request, response) => {
  console.log(request.method, request.url);
  response.end('hello from ' + request.url + '\\n');
}).listen(3000, () => console.log('listening'));
`;

const bash = (command: string) => ({ tools: [{ tool: 'bash', input: { command, description: command } }] });

const job = {
  version: 1 as const,
  title: 'serve',
  chunkDelayMs: 0,
  turns: [
    {
      steps: [
        bash('node server.js & echo started'),
        bash('for i in {1..50}; do curl -s localhost:3000/first && break; sleep 0.1; done; jobs'),
        bash('sleep 0.3; cat /tmp/jobs/*.log'),
        { text: 'It serves.' },
      ],
    },
    { when: 'Look again', steps: [bash('curl -s localhost:3000/second'), { text: 'It still serves.' }] },
    { when: 'What now', steps: [bash('jobs; echo "$?"'), { text: 'It is gone.' }] },
  ],
};

async function start(page: Page) {
  await openApp(page);
  await useScript(page, job, { bash: 'allow' });
  await writeFile(page, 'server.js', SERVER);
}

const list = (page: Page) => page.getByRole('list', { name: 'Background jobs' });

test('a server lives on after its call: it is reached, listed, logged and stopped', async ({ page }) => {
  await start(page);
  const { sessionID } = await prompt(page, 'Serve the folder');
  // A closed card shows only the last line of an output.
  const messages = await page.evaluate((id) => window.vitrine.sessions.messages(id), sessionID);
  for (const seen of ['goes on in the background', 'hello from /first', 'node server.js &', 'GET /first'])
    expect(JSON.stringify(messages)).toContain(seen);

  await page.getByRole('button', { name: '1 background job' }).click();
  const row = list(page).getByRole('listitem');
  await expect(row).toContainText('node server.js');
  await expect(row).toContainText('port 3000');
  await row.getByRole('button', { name: 'Show log' }).click();
  await expect(row.getByRole('region', { name: 'Log of node server.js' })).toContainText('GET /first');
  expect((await prompt(page, 'Look again')).status).toBe('idle');
  await expect(row.getByRole('region', { name: 'Log of node server.js' })).toContainText('GET /second');

  await row.getByRole('button', { name: 'Stop node server.js' }).click();
  await expect(row).toContainText('stopped by you');
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText(
    'Background job stopped by you: node server.js',
  );
  const events = await page.evaluate((id) => window.vitrine.sessions.events(id), sessionID);
  const log = JSON.stringify(events);
  expect(log).toContain('"type":"job.started"');
  expect(log).toMatch(/"type":"job\.ended","jobID":\d+,"by":"person","exitCode":143/);
  expect(await page.evaluate(() => window.vitrine.workspace.jobs())).toMatchObject([
    { command: 'node server.js', owner: sessionID, ports: [], end: { by: 'person', exitCode: 143 } },
  ]);
});

test('after a reload, the agent and the person are told which jobs are gone', async ({ page }) => {
  await start(page);
  const { sessionID } = await prompt(page, 'Serve the folder');
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText(
    'Background job gone with a reload or restart: node server.js',
  );
  await useScript(page, job, { bash: 'allow' });
  expect((await prompt(page, 'What now?')).status).toBe('idle');
  const messages = await page.evaluate((id) => window.vitrine.sessions.messages(id), sessionID);
  expect(JSON.stringify(messages)).toContain('no longer runs: the page was reloaded');
  await expect(list(page)).toHaveCount(0);
});
