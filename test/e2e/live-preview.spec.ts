import type { FrameLocator, Page } from '@playwright/test';
import type { JsonObject } from '../../src/base/json.ts';
import { openApp, script, useScript, writeFile } from './app.ts';
import { showIndex, take, withoutOrigin } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const tab = (page: Page) => page.getByRole('tab', { name: 'Preview' });
const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Preview' });
const source = (page: Page) => panel(page).getByRole('combobox', { name: 'What to show' });
const address = (page: Page) => panel(page).getByRole('textbox', { name: 'Address' });
const shown = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Page in the preview"]').frameLocator('iframe[title="Page"]');

async function begin(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  await openApp(page, '/?automation=1&offline=off&workspace=embedded');
  await useScript(page, script({ text: 'x' }), 'allow');
  await page.evaluate(() => window.vitrine.sessions.create());
  for (const [path, text] of Object.entries(files)) await writeFile(page, path, text);
}

/** Runs until the test ends. */
function run(page: Page, command: string): Promise<void> {
  return page.evaluate((line) => void window.vitrine.workspace.exec(line), command);
}

test('a folder is shown as a static site: modules with a cycle, styles, pictures, links and back', async ({
  page,
}) => {
  await begin(page, {
    'index.html': `<!doctype html><html lang="en"><title>Home</title><link rel="stylesheet" href="style/main.css">
      <script type="importmap">{"imports": {"words": "./lib/words.js"}}</script>
      <h1>...</h1><img src="dot.svg" alt="dot"><a href="/about/">About</a><script type="module" src="./lib/a.js"></script>`,
    'style/main.css': `@import url("./more.css"); h1 { color: rgb(1, 2, 3); }`,
    'style/more.css': `h1 { background: url("../dot.svg"); }`,
    'dot.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>`,
    'lib/a.js': `import { b } from './b.js'; import { hello } from 'words'; export const a = () => 'a';
      document.querySelector('h1').textContent = hello + ' ' + b();`,
    'lib/b.js': `import { a } from './a.js'; export const b = () => 'b of ' + a();`,
    'lib/words.js': `export const hello = 'Hello';`,
    'about/index.html': `<!doctype html><title>About</title><h1>About</h1>`,
  });
  await tab(page).click();
  await panel(page).getByRole('button', { name: 'Show the workspace’s index.html' }).click();
  const heading = shown(page).getByRole('heading');
  await expect(heading).toHaveText('Hello b of a');
  await expect(heading).toHaveCSS('color', 'rgb(1, 2, 3)');
  await expect(heading).toHaveCSS('background-image', /dot\.svg/);
  expect(
    await shown(page)
      .getByRole('img')
      .evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(10);
  await shown(page).getByRole('link', { name: 'About' }).click();
  await expect(heading).toHaveText('About');
  await expect(address(page)).toHaveValue('/about/');
  await panel(page).getByRole('button', { name: 'Back' }).click();
  await expect(heading).toHaveText('Hello b of a');
  await take(page, 'menuitemradio', 'Phone, 390');
  await expect.poll(() => heading.evaluate(() => innerWidth)).toBe(390);
  await writeFile(page, 'about/index.html', '<!doctype html><h1>Edited</h1>');
  await address(page).fill('/about/');
  await address(page).press('Enter');
  await expect(heading).toHaveText('Edited');
});

const SERVER = `
const http = require('http');
const { createHash } = require('crypto');
const pages = {
  '/': '<!doctype html><title>Shop</title><h1>Shop</h1><p id="who">' + 'nobody' + '</p>' +
    '<form method="post" action="/login"><input name="name" aria-label="Name"><button>Sign in</button></form>' +
    '<output id="clock"></output><output id="chat"></output><script src="/app.js"></script>',
};
http.createServer((request, response) => {
  const cookies = request.headers.cookie || '';
  if (request.url === '/app.js') {
    response.setHeader('Content-Type', 'text/javascript');
    return response.end(\`
      document.querySelector('#who').textContent = document.cookie;
      new EventSource('/clock').onmessage = ({ data }) => (document.querySelector('#clock').textContent = data);
      const socket = new WebSocket('ws://' + location.host + '/chat');
      socket.onopen = () => socket.send('hello');
      socket.onmessage = ({ data }) => (document.querySelector('#chat').textContent = data);
    \`);
  }
  if (request.url === '/login') {
    let body = '';
    request.on('data', (piece) => (body += piece));
    return request.on('end', () => {
      response.writeHead(303, { Location: '/', 'Set-Cookie': ['session=1; HttpOnly', body + '; Path=/'] });
      response.end();
    });
  }
  if (request.url === '/me') return response.end(cookies);
  if (request.url === '/end') return response.end('bye', () => process.exit());
  if (request.url === '/upload') {
    let size = 0;
    request.on('data', (piece) => (size += piece.length));
    return request.on('end', () => response.end(String(size)));
  }
  if (request.url === '/download') {
    response.setHeader('Content-Length', 50_000_000);
    let left = 50;
    const more = () => { if (left-- === 0) return response.end(); response.write(Buffer.alloc(1_000_000, 7), more); };
    return more();
  }
  if (request.url === '/clock') {
    response.setHeader('Content-Type', 'text/event-stream');
    response.write('data: tick\\n\\n');
    return;
  }
  if (!pages[request.url]) return response.writeHead(404).end('nothing here');
  response.setHeader('Content-Type', 'text/html');
  response.end(pages[request.url]);
}).on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n');
  socket.once('data', () => socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('world')])));
  socket.on('error', () => {});
}).listen(3000);
http.createServer((request, response) => response.end('api of ' + request.url)).listen(4000);
`;

test('a server’s page appears by itself: forms, cookies, EventSource, WebSocket, large bodies, a second port', async ({
  page,
  complaints,
}) => {
  complaints.expect(/404/, /502/);
  await begin(page, { 'server.js': SERVER });
  await run(page, 'node server.js');
  await page.getByRole('button', { name: 'Show', exact: true }).first().click();
  const frame = shown(page);
  await expect(frame.getByRole('heading')).toHaveText('Shop');
  await expect(source(page)).toHaveValue('port 3000');
  await expect(frame.locator('#clock')).toHaveText('tick');
  await expect(frame.locator('#chat')).toHaveText('world');

  await frame.getByRole('textbox', { name: 'Name' }).fill('ann');
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(frame.locator('#who')).toHaveText('name=ann');
  const heading = frame.getByRole('heading');
  const get = (url: string) =>
    heading.evaluate((_, at) => fetch(at).then((response) => response.text()), url);
  expect(await get('/me')).toBe('session=1; name=ann');
  expect(await get('http://localhost:4000/items')).toBe('api of /items');

  const sizes = await heading.evaluate(async () => {
    const bytes = new Uint8Array(50_000_000).fill(7);
    const sent = await (await fetch('/upload', { method: 'POST', body: bytes })).text();
    const { byteLength } = await (await fetch('/download')).arrayBuffer();
    return [Number(sent), byteLength];
  });
  expect(sizes).toEqual([50_000_000, 50_000_000]);
  const answered = await heading.evaluate(async () => {
    let count = 0;
    for (let round = 0; round < 50; round++)
      count += (await Promise.all(Array.from({ length: 20 }, () => fetch('/me')))).filter(
        ({ ok }) => ok,
      ).length;
    return count;
  });
  expect(answered).toBe(1000);

  // A server that ended is told as that, and one that starts again is shown anew.
  expect(await get('/end')).toBe('bye');
  await expect(panel(page)).toContainText('The server on port 3000 has ended.');
  await run(page, 'node server.js');
  await expect(panel(page)).not.toContainText('has ended');
  await expect(frame.locator('#clock')).toHaveText('tick');
});

/** A page that tries what it may not do. `output` says what became of it. */
const ATTACK = `<!doctype html><title>Attack</title><h1>Attack</h1><output></output><script>
  const tries = {
    top: () => top.document.title,
    app: () => parent.parent.localStorage.length,
    navigate: () => { top.location.href = '/taken'; return 'tried'; },
    open: () => String(open('/')),
    cookie: () => document.cookie,
    stored: () => Object.keys(localStorage).join(),
    outside: () => fetch('https://example.com/').then(() => 'reached'),
    image: () => new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve('reached');
      image.onerror = () => resolve('refused');
      image.src = 'http://localhost:PORT/icons/vitrine-180.png';
    }),
    page: () => fetch('http://localhost:PORT/').then(({ status }) => status),
    worker: () => navigator.serviceWorker.register('/evil.js').then(() => 'registered'),
    fresh: () => {
      const frame = document.body.appendChild(document.createElement('iframe'));
      return frame.contentWindow.navigator.serviceWorker.register('/evil.js').then(() => 'registered');
    },
    message: () => { top.postMessage({ vitrine: 'shell-ready' }, '*'); return 'tried'; },
  };
  (async () => {
    const results = {};
    for (const [name, tried] of Object.entries(tries)) {
      try { results[name] = await tried(); } catch { results[name] = 'refused'; }
    }
    document.querySelector('output').textContent = JSON.stringify(results);
    console.error('looked at', { by: 'nobody' });
    undefinedFunction();
  })();
</script>`;

test('a page that attacks reaches nothing of the app; its errors go to the agent', async ({
  page,
  complaints,
}) => {
  complaints.expect(/./);
  await begin(page, {});
  await writeFile(page, 'index.html', ATTACK.replaceAll('PORT', new URL(page.url()).port));
  await writeFile(page, 'evil.js', 'self.onfetch = () => {};');
  const { origin, href } = new URL(page.url());
  await page.evaluate(() => localStorage.setItem('secret', 'key'));
  await tab(page).click();
  await panel(page).getByRole('button', { name: 'Show the workspace’s index.html' }).click();
  const output = shown(page).locator('output');
  await expect(output).toHaveText(/message/);
  expect(JSON.parse((await output.textContent()) ?? '')).toEqual({
    top: 'refused',
    app: 'refused',
    navigate: 'refused',
    open: 'null',
    cookie: '',
    stored: '',
    outside: 'refused',
    image: 'refused',
    page: 502,
    worker: 'refused',
    fresh: 'refused',
    message: 'tried',
  });

  await panel(page)
    .getByRole('button', { name: /^Console, \d+ problems$/ })
    .click();
  const drawer = panel(page).getByRole('region', { name: 'Console' });
  const error = drawer.getByRole('listitem').filter({ hasText: 'undefinedFunction is not defined' });
  await expect(error).toContainText(/\(\/:\d+:\d+\)/);
  await expect(drawer).toContainText('looked at {"by":"nobody"}');
  await expect(drawer).toContainText('[blocked] https://example.com/');
  await error.getByRole('button', { name: 'Send to the agent' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(
    /In the preview, \/ says:[^]*undefinedFunction is not defined/,
  );

  // Neither the page nor the frame around it can be led elsewhere, to where it could carry what it has read.
  const heading = shown(page).getByRole('heading');
  const framed = () =>
    page
      .frames()
      .filter((frame) => frame !== page.mainFrame())
      .map((frame) => frame.url());
  await heading.evaluate((_, app) => {
    try {
      parent.location.href = app;
    } catch {
      /* refused */
    }
  }, `${origin}/?framed`);
  await expect.poll(framed).not.toContainEqual(expect.stringContaining('framed'));
  await heading.evaluate(() => void (location.href = 'https://example.com/?secret'));
  await expect(heading).toHaveCount(0);
  expect(framed().join()).not.toContain('example.com');
  expect(page.url()).toBe(href);
});

const look = (input: JsonObject) => ({ tools: [{ tool: 'preview', input }] });

test('the agent opens a page, reads it, acts in it and hears of its errors; the person sees the same', async ({
  page,
  complaints,
}) => {
  complaints.expect(/broken/, /404/);
  await begin(page, {
    'index.html': `<!doctype html><title>Tasks</title><h1>Tasks</h1>
      <form><label>New task <input name="task"></label><label><input type="checkbox"> Urgent</label>
      <select aria-label="List"><option>Home</option><option>Work</option></select><button>Add</button></form><ul></ul>
      <script>
        document.querySelector('form').onsubmit = (event) => {
          event.preventDefault();
          const { task } = event.target.elements;
          if (!task.value) throw new Error('broken: no task');
          document.querySelector('ul').innerHTML += '<li>' + task.value + ' in ' + document.querySelector('select').value + '</li>';
          fetch('/missing');
        };
      </script>`,
  });
  const steps = [
    look({ operation: 'open', path: '/' }),
    look({ operation: 'type', ref: 'e1', text: 'Buy milk' }),
    look({ operation: 'select', ref: 'e3', values: ['Work'] }),
    look({ operation: 'click', ref: 'e4' }),
    look({ operation: 'wait', text: 'Buy milk in Work' }),
    look({ operation: 'type', ref: 'e1', text: '', submit: true }),
    look({ operation: 'snapshot' }),
    look({ operation: 'evaluate', code: 'document.querySelectorAll("li").length' }),
    look({ operation: 'click', ref: 'e99' }),
    { text: 'It works.' },
  ];
  await useScript(page, script(...steps), { preview: 'allow' });
  const { sessionID } = await page.evaluate(() => window.vitrine.prompt('Try the page'));
  const messages = JSON.stringify(
    await page.evaluate((id) => window.vitrine.sessions.messages(id), sessionID),
  );
  for (const part of [
    'textbox "New task" [ref=e1]',
    'button "Add" [ref=e4]',
    'Chose Work in combobox',
    '“Buy milk in Work” is on the page.',
    'GET /missing → 404',
    'broken: no task',
    'listitem',
    'There is no element e99 any more',
  ])
    expect(messages.replaceAll('\\"', '"')).toContain(part);
  await tab(page).click();
  await expect(shown(page).getByRole('listitem')).toHaveText('Buy milk in Work');
});

test('on a site without an origin for previews, pages are rewritten', async ({ page, complaints }) => {
  complaints.expect(
    /lost/,
    /violates the following Content Security Policy/,
    /Blocked opening/,
    /Unsafe attempt/,
  );
  await withoutOrigin(page);
  await begin(page, {
    'index.html': `<!doctype html><title>Home</title><link rel="stylesheet" href="style/main.css">
      <script type="importmap">{"imports": {"words": "./lib/words.js"}}</script>
      <h1>...</h1><img src="dot.svg" alt="dot"><a href="/about/">About</a><script type="module" src="./lib/a.js"></script>`,
    'style/main.css': `@import url("./more.css"); h1 { color: rgb(1, 2, 3); }`,
    'style/more.css': `h1 { background: url("../dot.svg"); }`,
    'dot.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>`,
    'lib/a.js': `import { b } from './b.js'; import { hello } from 'words'; export const a = () => 'a';
      const { c } = await import('./c.js');
      document.querySelector('h1').textContent = [hello, b(), c, new URL(import.meta.url).pathname].join(' ');`,
    'lib/b.js': `import { a } from './a.js'; export const b = () => 'b of ' + a();`,
    'lib/c.js': `export const c = 'c';`,
    'lib/words.js': `export const hello = 'Hello';`,
    'about/index.html': `<!doctype html><title>About</title><h1>About</h1><output></output><script>
      const refused = (tried) => { try { return String(tried()); } catch { return 'refused'; } };
      document.querySelector('output').textContent = [
        () => top.document.title, () => parent.localStorage.length, () => (top.location.href = '/taken'),
        () => open('/'), () => document.cookie, () => navigator.serviceWorker.controller, () => indexedDB.open('x'),
      ].map(refused).join();
      setTimeout(() => lost());
    </script>`,
    'server.js': SERVER,
  });
  const { href } = new URL(page.url());
  await tab(page).click();
  await panel(page).getByRole('button', { name: 'Show the workspace’s index.html' }).click();
  await expect(panel(page).getByRole('note')).toContainText('no address of its own for previews');
  const frame = page.frameLocator('[title="Page in the preview"] iframe:visible');
  const heading = frame.getByRole('heading');
  await expect(heading).toHaveText('Hello b of a c /lib/a.js');
  await expect(heading).toHaveCSS('color', 'rgb(1, 2, 3)');
  await expect(heading).toHaveCSS('background-image', /blob:/);
  await frame.getByRole('link', { name: 'About' }).click();
  await expect(heading).toHaveText('About');
  await expect(address(page)).toHaveValue('/about/');
  await expect(frame.locator('output')).toHaveText('refused,refused,refused,null,,refused,refused');
  expect(page.url()).toBe(href);
  await panel(page)
    .getByRole('button', { name: /^Console/ })
    .click();
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'lost is not defined' })).toContainText(
    /\(\/about\/:\d+:\d+\)|lost is not defined/,
  );

  await run(page, 'node server.js');
  await source(page).selectOption('Port 3000');
  await expect(frame.locator('#clock')).toHaveText('tick');
  await expect(frame.locator('#chat')).toHaveText('world');
  await frame.getByRole('textbox', { name: 'Name' }).fill('ann');
  await frame.getByRole('button', { name: 'Sign in' }).click();
  await expect(frame.locator('#who')).toHaveText('name=ann');
  const get = (url: string) =>
    heading.evaluate((_, at) => fetch(at).then((response) => response.text()), url);
  expect(await get('/me')).toBe('session=1; name=ann');
  expect(await get('http://localhost:4000/items')).toBe('api of /items');
});

test('the preview changes between a folder and a server that ends and begins again, as often as one likes', async ({
  page,
  complaints,
}) => {
  // The server ends before it has answered.
  complaints.expect(/net::ERR_FAILED/);
  await begin(page, {
    'index.html': '<h1>Folder</h1>',
    'server.js': `require('http').createServer((request, response) => {
      if (request.url === '/end') return process.exit();
      response.setHeader('Content-Type', 'text/html');
      response.end('<h1>Server</h1>');
    }).listen(3000);`,
  });
  await showIndex(page);
  const choice = panel(page).getByRole('combobox', { name: 'What to show' });
  for (let round = 0; round < 10; round++) {
    await choice.selectOption('Whole workspace');
    await expect(shown(page).getByRole('heading')).toHaveText('Folder');
    await run(page, 'node server.js');
    await choice.selectOption('Port 3000');
    await expect(shown(page).getByRole('heading')).toHaveText('Server');
    await shown(page)
      .getByRole('heading')
      .evaluate(() => void fetch('/end').catch(() => undefined));
    await expect(panel(page)).toContainText('The server on port 3000 has ended.');
  }
});
