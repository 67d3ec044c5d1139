import type { Page } from '@playwright/test';
import { script, useScript } from './app.ts';
import { begin, panel, run, shown, showIndex, tab } from './preview-pages.ts';
import { expect, test } from './test.ts';

/*
 * Small apps as people write them, beside those of live-preview.spec.ts: a router, an installable app, a clock, a chat, and a page
 * of a hundred megabytes.
 */

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const address = (page: Page) => panel(page).getByRole('textbox', { name: 'Address' });

async function serve(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  await begin(page, files);
  await tab(page).click();
  await run(page, 'node server.js');
}

test('a single-page app routes by history: links, back, a deep link, and a reload in the middle', async ({
  page,
}) => {
  await serve(page, {
    'server.js': `const { readFileSync } = require('fs');
      require('http').createServer((request, response) => {
        response.setHeader('Content-Type', request.url === '/app.js' ? 'text/javascript' : 'text/html');
        response.end(readFileSync(request.url === '/app.js' ? 'app.js' : 'index.html'));
      }).listen(3000);`,
    'index.html': `<!doctype html><title>Notes</title><nav><a href="/">All</a> <a href="/notes/7?from=list#end">Seven</a></nav>
      <h1></h1><output></output><script type="module" src="/app.js"></script>`,
    'app.js': `const loaded = Math.random();
      const show = () => {
        const { pathname, search, hash } = location;
        document.querySelector('h1').textContent = pathname === '/' ? 'All notes' : 'Note ' + pathname.split('/')[2] + search + hash;
        document.querySelector('output').textContent = loaded;
      };
      addEventListener('popstate', show);
      document.querySelector('nav').onclick = (event) => {
        event.preventDefault();
        history.pushState(null, '', event.target.href);
        show();
      };
      show();`,
  });
  const frame = shown(page);
  const heading = frame.getByRole('heading');
  const loaded = frame.getByRole('status');
  await expect(heading).toHaveText('All notes');
  const first = (await loaded.textContent()) ?? '';
  await frame.getByRole('link', { name: 'Seven' }).click();
  await expect(heading).toHaveText('Note 7?from=list#end');
  await expect(address(page)).toHaveValue('/notes/7?from=list#end');
  await heading.evaluate(() => history.back());
  await expect(heading).toHaveText('All notes');
  await expect(address(page)).toHaveValue('/');
  // All of this was one page.
  await expect(loaded).toHaveText(first);

  await address(page).fill('/notes/9');
  await address(page).press('Enter');
  await expect(heading).toHaveText('Note 9');
  await expect(loaded).not.toHaveText(first);
  await panel(page).getByRole('button', { name: 'Reload' }).click();
  await expect(heading).toHaveText('Note 9');
  await panel(page).getByRole('button', { name: 'Back' }).click();
  await expect(heading).toHaveText('All notes');
});

test('an installable app is shown without its service worker, and the console says why', async ({ page }) => {
  await begin(page, {
    'index.html': `<!doctype html><title>App</title><link rel="manifest" href="app.webmanifest"><h1>Starting</h1><script>
      (async () => {
        try {
          await navigator.serviceWorker.register('sw.js');
          document.querySelector('h1').textContent = 'Installed';
        } catch (error) {
          document.querySelector('h1').textContent = 'Online only: ' + error.name;
        }
      })();
    </script>`,
    'app.webmanifest': '{"name": "App", "start_url": ".", "display": "standalone"}',
    'sw.js': `self.addEventListener('fetch', (event) => event.respondWith(new Response('taken')));`,
  });
  await showIndex(page);
  const heading = shown(page).getByRole('heading');
  await expect(heading).toHaveText('Online only: SecurityError');
  const workers = await heading.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(
      ({ active }) => new URL(active?.scriptURL ?? '').pathname,
    ),
  );
  expect(workers).toEqual(['/vitrine-preview-worker.js']);
  await panel(page)
    .getByRole('button', { name: /^Console/ })
    .click();
  await expect(panel(page).getByRole('region', { name: 'Console' })).toContainText(
    '[warn] A preview cannot register a service worker. Everything else of the page works without it.',
  );
  await panel(page).getByRole('button', { name: 'Reload' }).click();
  await expect(heading).toHaveText('Online only: SecurityError');
});

test('a clock by EventSource connects again by itself when its connection ends, and lives with handlers that throw', async ({
  page,
  complaints,
}) => {
  complaints.expect(/handler of open/);
  await serve(page, {
    'server.js': `let connections = 0;
      require('http').createServer((request, response) => {
        if (request.url === '/') {
          response.setHeader('Content-Type', 'text/html');
          return response.end('<!doctype html><ol></ol><script>' +
            'const source = new EventSource("/clock");' +
            'source.onopen = () => { throw new Error("handler of open"); };' +
            'source.addEventListener("tick", ({ data, lastEventId }) => {' +
            '  document.querySelector("ol").innerHTML += "<li>" + data + ", id " + lastEventId + "</li>";' +
            '  if (lastEventId === "6") source.close(); });<' + '/script>');
        }
        connections++;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('retry: 20\\n\\n');
        for (const half of [1, 0])
          response.write('id: ' + (2 * connections - half) + '\\nevent: tick\\ndata: connection ' + connections + ' after ' + (request.headers['last-event-id'] || 'none') + '\\n\\n');
        response.end();
      }).listen(3000);`,
  });
  await expect(shown(page).getByRole('listitem')).toHaveText([
    'connection 1 after none, id 1',
    'connection 1 after none, id 2',
    'connection 2 after 2, id 3',
    'connection 2 after 2, id 4',
    'connection 3 after 4, id 5',
    'connection 3 after 4, id 6',
  ]);
  await expect(panel(page).getByRole('button', { name: 'Console, 3 problems' })).toBeVisible();
});

/** A chat: what one says, everybody hears. Its frames are short, so one piece of data is one frame. */
const CHAT = `
const { createHash } = require('crypto');
const sockets = new Set();
const frame = (kind, bytes) => Buffer.concat([Buffer.from([0x80 | kind, bytes.length]), bytes]);
require('http').createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end('<!doctype html><button>Ann says hello</button><button>Bob sends bytes</button><button>Ann leaves</button><ul></ul><script>' +
    'const say = (line) => (document.querySelector("ul").innerHTML += "<li>" + line + "</li>");' +
    'const [ann, bob] = ["ann", "bob"].map((name) => {' +
    '  const socket = new WebSocket("ws://localhost:3000/" + name);' +
    '  socket.binaryType = "arraybuffer";' +
    '  socket.onopen = () => say(name + " is there");' +
    '  socket.onmessage = ({ data }) => say(name + " hears " + (typeof data === "string" ? data : new Uint8Array(data).join("-")));' +
    '  socket.onclose = ({ code, wasClean }) => say(name + " left with " + code + " " + wasClean);' +
    '  return socket;' +
    '});' +
    'const [hello, bytes, leave] = document.querySelectorAll("button");' +
    'hello.onclick = () => ann.send("hello");' +
    'bytes.onclick = () => bob.send(new Uint8Array([1, 2, 255]));' +
    'leave.onclick = () => ann.close(4001, "bye");<' + '/script>');
}).on('upgrade', (request, socket) => {
  const accept = createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n');
  sockets.add(socket);
  socket.on('data', (data) => {
    const kind = data[0] & 15;
    const bytes = data.subarray(6).map((byte, index) => byte ^ data[2 + (index % 4)]);
    if (kind === 8) { sockets.delete(socket); return socket.end(frame(8, bytes)); }
    for (const each of sockets) each.write(frame(kind, bytes));
  });
  socket.on('error', () => {});
}).listen(3000);`;

test('a chat by WebSocket: everybody hears what one says, as text and as bytes, and who leaves is told the code', async ({
  page,
}) => {
  await serve(page, { 'server.js': CHAT });
  const lines = shown(page).getByRole('listitem');
  const said = async (text: string) =>
    expect(lines.filter({ hasText: new RegExp(`^${text}$`) })).toHaveCount(1);
  await said('ann is there');
  await said('bob is there');
  const press = (name: string) => shown(page).getByRole('button', { name }).click();
  await press('Ann says hello');
  await said('ann hears hello');
  await said('bob hears hello');
  await press('Bob sends bytes');
  await said('ann hears 1-2-255');
  await said('bob hears 1-2-255');
  await press('Ann leaves');
  await said('ann left with 4001 true');
});

test('a page of a hundred megabytes leaves the app usable, and the agent gets a part of it', async ({
  page,
}) => {
  await begin(page, {
    'index.html': `<!doctype html><title>Large</title><h1>Growing</h1><div id="hidden" hidden></div><main></main><script>
      const text = 'x'.repeat(50_000);
      for (let each = 0; each < 2_000; each++) document.querySelector('#hidden').append(text + each, document.createElement('b'));
      const lines = Array.from({ length: 5_000 }, (_, each) => '<p>Line ' + each + '</p>');
      document.querySelector('main').innerHTML = lines.join('');
      document.querySelector('h1').textContent = 'Grown';
    </script>`,
  });
  const look = { tools: [{ tool: 'preview', input: { operation: 'open', path: '/' } }] };
  await useScript(page, script(look, { text: 'It is large.' }), { preview: 'allow' });
  const { sessionID } = await page.evaluate(() => window.vitrine.prompt('Look'));
  const messages = JSON.stringify(
    await page.evaluate((id) => window.vitrine.sessions.messages(id), sessionID),
  );
  expect(messages).toContain('Line 0');
  expect(messages).not.toContain('Line 4999');
  expect(messages.length).toBeLessThan(400_000);

  await tab(page).click();
  await expect(shown(page).getByRole('heading')).toHaveText('Grown');
  expect(
    await shown(page)
      .locator('#hidden')
      .evaluate((hidden) => hidden.textContent?.length),
  ).toBeGreaterThan(100_000_000);
  await page.getByRole('textbox', { name: 'Message' }).fill('still here');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('still here');
});
