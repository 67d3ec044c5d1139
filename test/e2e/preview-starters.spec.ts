import type { FrameLocator, Page } from '@playwright/test';
import type { Script } from '../../src/models/types.ts';
import type { NpmRegistry } from '../support/npm-registry/server.ts';
import { prompt, script, useScript } from './app.ts';
import { npmrcOf, openWith, test } from './installing.ts';
import { panel, run, shown, tab, WAYS, withoutOrigin, type Way } from './preview-pages.ts';
import { expect } from './test.ts';

/*
 * Apps of packages as they are published: the starters of create-vite, which the agent edits while they are looked at, and an
 * Express app as people begin one.
 */

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

/** Opens the app with files in a new workspace, whose npm knows the registry of the tests. */
async function openForNpm(page: Page, registry: NpmRegistry, files: Readonly<Record<string, string>> = {}) {
  const exec = await openWith(page, [registry.host], files);
  await exec(`printf '%s' '${npmrcOf(registry)}' > ~/.npmrc`);
  return async (command: string) => {
    const { exitCode, output } = await exec(command);
    expect(exitCode, output).toBe(0);
  };
}

/** Opens the session again in a page that has no origin for previews. What ran in its workspace has ended. */
async function reopenWithoutOrigin(page: Page, sessionID: string): Promise<void> {
  await withoutOrigin(page);
  await page.reload();
  await page.evaluate(() => window.vitrine.ready);
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate((id) => window.vitrine.sessions.open(id), sessionID);
}

/** What a starter of create-vite needs beyond its template. */
const STARTERS = {
  svelte: { file: 'app/src/App.svelte', leave: '' },
  // Types and a linter are not needed to run it, and the registry of the tests has neither.
  react: {
    file: 'app/src/App.jsx',
    leave:
      'npm pkg delete devDependencies.oxlint devDependencies.@types/react devDependencies.@types/react-dom && ',
  },
} as const;
type Starter = keyof typeof STARTERS;

const HEADINGS = ['Get started', 'Edited', 'Edited again'] as const;

/** The agent changes the starter's heading once in each turn, and looks whether the page shows it. */
const edits = (filePath: string): Script => ({
  ...script(),
  turns: HEADINGS.slice(1).map((heading, at) => ({
    steps: [
      { tools: [{ tool: 'read', input: { filePath } }] },
      { tools: [{ tool: 'edit', input: { filePath, oldString: HEADINGS[at] ?? '', newString: heading } }] },
      { tools: [{ tool: 'preview', input: { operation: 'wait', text: heading } }] },
      { text: 'It is there.' },
    ],
  })),
});

async function editByAgent(page: Page, starter: Starter): Promise<string> {
  await useScript(page, edits(STARTERS[starter].file), 'allow');
  const { sessionID, status } = await prompt(page, 'Change the heading');
  expect(status).toBe('idle');
  return sessionID;
}

/** Notes in the page when a heading shows a text, in milliseconds since the epoch. */
async function noteHeading(frame: FrameLocator, text: string): Promise<void> {
  await frame.locator('html').evaluate((root, wanted) => {
    const note = () => {
      if (root.querySelector('h1')?.textContent !== wanted) return;
      root.dataset['shownAt'] ??= String(Date.now());
    };
    new MutationObserver(note).observe(root, { childList: true, subtree: true, characterData: true });
  }, text);
}

/** When the edit of the session was in the files, in milliseconds since the epoch. */
function editedAt(page: Page, sessionID: string): Promise<number> {
  return page.evaluate(async (id) => {
    const events = (await window.vitrine.sessions.events(id)) as readonly {
      readonly type: string;
      readonly tool?: string;
      readonly time: number;
    }[];
    return events.findLast(({ type, tool }) => type === 'call.running' && tool === 'edit')?.time ?? 0;
  }, sessionID);
}

/** Looks at the dev server's page, lets the agent edit it, and returns after how many milliseconds the edit was seen. */
async function seeEdit(page: Page, starter: Starter, way: Way, from: string, to: string): Promise<number> {
  const frame = shown(page, way);
  const counter = frame.getByRole('button', { name: /^count is/i });
  await expect(frame.getByRole('heading', { name: from })).toBeVisible({ timeout: 60_000 });
  await counter.click();
  await expect(counter).toHaveText(/count is 1/i);
  await noteHeading(frame, to);
  const sessionID = await editByAgent(page, starter);
  await expect(frame.getByRole('heading', { name: to })).toBeVisible();
  // It is still the page in which this is noted. React keeps the state of the counter besides.
  const at = Number(await frame.locator('html').getAttribute('data-shown-at'));
  if (starter === 'react') await expect(counter).toHaveText(/count is 1/i);
  return at - (await editedAt(page, sessionID));
}

for (const starter of ['svelte', 'react'] as const)
  test(`the ${starter} starter of Vite shows what the agent edits without being loaded again, with an origin and without`, async ({
    page,
    complaints,
    registry,
  }) => {
    test.setTimeout(600_000);
    // Without an origin the browser refuses what scripts put into the page: pictures first, before they are loaded in another
    // way, and the parts of SVG files for good.
    complaints.expect(/Loading the image [^]* violates/, /Unsafe attempt to load URL [^]*icons\.svg/);
    const exec = await openForNpm(page, registry);
    await exec(`npm create vite@latest app -- --template ${starter}`);
    await exec(`cd app && ${STARTERS[starter].leave}npm install`);
    const [{ id = '' } = {}] = await page.evaluate(() => window.vitrine.sessions.list());
    const times: string[] = [];
    for (const [at, way] of WAYS.entries()) {
      if (way === 'without an origin') await reopenWithoutOrigin(page, id);
      await tab(page).click();
      await run(page, 'cd app && npm run dev');
      const ms = await seeEdit(page, starter, way, HEADINGS[at] ?? '', HEADINGS[at + 1] ?? '');
      times.push(`${ms} ms ${way}`);
    }
    console.log(`preview: an edit of the ${starter} starter was seen after ${times.join(', ')}`);
  });

const SHOP = `
const express = require('express');
const app = express();
const items = [];
app.use(express.urlencoded({ extended: false }), express.static('public'));
const signedIn = (request) => /(?:^|; )user=([^;]+)/.exec(request.headers.cookie || '')?.[1];
app.get('/', (request, response) => {
  const user = signedIn(request);
  response.send('<!doctype html><title>List</title><link rel="stylesheet" href="/style.css">' + (user
    ? '<h1>List of ' + user + '</h1><ul>' + items.map((each) => '<li>' + each + '</li>').join('') + '</ul>' +
      '<form method="post" action="/items"><input name="item" aria-label="Item"><button>Add</button></form>' +
      '<form action="/search"><input name="q" aria-label="Search for"><button>Search</button></form><a href="/out">Sign out</a>'
    : '<h1>Sign in</h1><form method="post" action="/in"><input name="user" aria-label="Name"><button>Sign in</button></form>'));
});
app.post('/in', (request, response) => response.cookie('user', request.body.user, { httpOnly: true, sameSite: 'lax' }).redirect('/'));
app.get('/out', (request, response) => response.clearCookie('user').redirect(303, '/'));
app.post('/items', (request, response) => (items.push(request.body.item), response.redirect('/')));
app.get('/search', ({ query }, response) => response.redirect(307, '/found/' + encodeURIComponent(query.q)));
app.get('/found/:word', (request, response) =>
  response.send('<h1>' + items.filter((each) => each.includes(request.params.word)) + ' for ' + signedIn(request) + '</h1>'));
app.listen(3000);
`;

async function shop(page: Page, frame: FrameLocator): Promise<void> {
  const heading = frame.getByRole('heading');
  const address = panel(page).getByRole('textbox', { name: 'Address' });
  await expect(heading).toHaveText('Sign in');
  await expect(heading).toHaveCSS('color', 'rgb(1, 2, 3)');
  await frame.getByRole('textbox', { name: 'Name' }).fill('Ann');
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(heading).toHaveText('List of Ann');
  // The address is that of the page that the form led to.
  await expect(address).toHaveValue('/');
  for (const item of ['red apples', 'pears + plums']) {
    await frame.getByRole('textbox', { name: 'Item' }).fill(item);
    await frame.getByRole('button', { name: 'Add' }).click();
    await expect(frame.getByRole('listitem').last()).toHaveText(item);
  }
  await panel(page).getByRole('button', { name: 'Reload' }).click();
  await expect(frame.getByRole('listitem')).toHaveText(['red apples', 'pears + plums']);

  await frame.getByRole('textbox', { name: 'Search for' }).fill('+ plums');
  await frame.getByRole('textbox', { name: 'Search for' }).press('Enter');
  await expect(heading).toHaveText('pears + plums for Ann');
  await expect(address).toHaveValue('/found/%2B%20plums');
  await panel(page).getByRole('button', { name: 'Back' }).click();
  await frame.getByRole('link', { name: 'Sign out' }).click();
  await expect(heading).toHaveText('Sign in');
}

test('an Express app has forms, redirects, cookies and static files, with an origin and without', async ({
  page,
  registry,
}) => {
  const exec = await openForNpm(page, registry, {
    'server.js': SHOP,
    'public/style.css': 'h1 { color: rgb(1, 2, 3) }',
  });
  await exec('npm install express');
  const [{ id = '' } = {}] = await page.evaluate(() => window.vitrine.sessions.list());
  for (const way of WAYS) {
    if (way === 'without an origin') await reopenWithoutOrigin(page, id);
    await tab(page).click();
    await run(page, 'node server.js');
    await shop(page, shown(page, way));
  }
});
