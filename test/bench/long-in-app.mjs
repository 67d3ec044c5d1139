/** How long a person waits for what they do in a session of 50,000 events, in the built app. */

const TURNS = 60;
const WORDS = 400;
const LIMIT = 1_000;

export async function longInApp(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/?automation=1`);
  const { id, count } = await page.evaluate(makeSession, [TURNS, WORDS]);
  const size = `${count.toLocaleString('en-US')} events`;
  const rows = [];
  const timed = async (name, work) => {
    const started = performance.now();
    await work();
    rows.push({ name, value: performance.now() - started, unit: 'ms', limit: LIMIT, note: size });
  };

  const conversation = page.getByRole('log', { name: 'Conversation' });
  const message = (n) =>
    page
      .getByRole('article', { name: 'You' })
      .filter({ has: page.getByText(`Prompt ${n}`, { exact: true }) });
  const [first, last] = [message(0), message(TURNS - 1)];
  const sheet = page.getByRole('dialog', { name: 'Restore to here' });
  await page.reload();
  await page.getByText(`Turn ${TURNS - 1} done.`).waitFor();
  await page.evaluate(useBranchScript);
  await conversation.focus();
  await timed('A long session in the app: the last message is undone', async () => {
    await page.keyboard.press('Control+z');
    await page.getByText('1 message is undone.').waitFor();
  });
  await timed('That is brought back', async () => {
    await page.getByRole('button', { name: 'Redo' }).click();
    await last.waitFor();
  });
  await conversation.hover();
  while ((await first.count()) === 0) {
    await page.mouse.wheel(0, -20_000);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await first.hover();
  await timed('What going back to its first message changes is shown', async () => {
    await first.getByRole('button', { name: 'Restore to here' }).click();
    await sheet.waitFor();
  });
  await timed('It is taken back there', async () => {
    await sheet.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText(`${TURNS} messages are undone.`).waitFor();
  });
  await page.getByRole('button', { name: 'Redo' }).click();
  await last.hover();
  await timed('Its last message is edited and answered as another version', async () => {
    await last.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Edit your message' }).fill('Another');
    await page.keyboard.press('Enter');
    await page.getByText('Branch done.').waitFor();
  });
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await timed('The arrow leads back to the other version', async () => {
    await page.getByRole('button', { name: 'Previous version' }).click();
    await last.waitFor();
  });
  await timed('The tab Changes lists what differs', async () => {
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('list', { name: 'Changed files' }).waitFor();
  });
  await timed('A session goes on from its middle', () => page.evaluate(forkInTheMiddle, id));
  // All of the log is read for it, and written anew.
  delete rows.at(-1).limit;
  await page.close();
  return rows;
}

/** Runs in the page. Most events of real sessions are pieces of texts, as here. */
export async function makeSession([turnCount, wordCount]) {
  const { vitrine } = window;
  await vitrine.ready;
  const words = Array.from({ length: wordCount }, (_, n) => `word${n}`).join(' ');
  const turns = Array.from({ length: turnCount }, (_, n) => {
    const input = { filePath: `src/f${n % 50}.ts`, content: `export const edit = ${n};\n` };
    return {
      steps: [{ text: words, tools: [{ tool: 'write', input }] }, { text: `Turn ${n} done. ${words}` }],
    };
  });
  const script = { version: 1, title: 'long', chunkDelayMs: 0, turns, files: { 'notes.txt': 'x' } };
  await vitrine.configure({ provider: 'scripted', model: 'script', permission: 'allow', script });
  let id = '';
  for (let n = 0; n < turnCount; n++) ({ sessionID: id } = await vitrine.prompt(`Prompt ${n}`));
  return { id, count: (await vitrine.sessions.events(id)).length };
}

/** Runs in the page. */
async function useBranchScript() {
  await window.vitrine.ready;
  const turns = [{ when: '^Another', steps: [{ text: 'Branch done.' }] }];
  const script = { version: 1, title: 'branch', chunkDelayMs: 0, turns };
  await window.vitrine.configure({ provider: 'scripted', model: 'script', permission: 'allow', script });
}

/** Runs in the page. */
async function forkInTheMiddle(id) {
  const { sessions } = window.vitrine;
  const events = await sessions.events(id);
  await sessions.fork(id, { at: Math.floor(events.length / 2) });
}
