import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { begin, panel, shown, showIndex } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

/** Documents of the preview's origin, or with the origin of the page itself, that a page can open in a frame. */
const DOCUMENTS = [
  '/__vitrine__/none',
  '/__vitrine__/shell.html',
  '/__vitrine__/shell.js',
  '/__vitrine__/page.js',
  '/__vitrine__/port/1/none',
  '/vitrine-preview-worker.js',
  '/none',
  '/%E0%A4%A',
  `/${'long'.repeat(5_000)}`,
  'about:blank',
];

const PAGE = `<!doctype html><title>Attack</title><h1>Attack</h1><output></output><script>
  const host = 'HOST';
  const use = async (view, name) => {
    const doc = view.document;
    const attempts = [
      () => view.fetch(host + '/fetch?' + name),
      () => new view.WebSocket(host.replace('http', 'ws') + '/socket?' + name),
      () => view.navigator.sendBeacon(host + '/beacon?' + name, 'x'),
      () => { new view.Image().src = host + '/image?' + name; },
      ...['script', 'iframe', 'img'].map((tag) => () => {
        const element = doc.createElement(tag);
        element.src = host + '/' + tag + '?' + name;
        doc.body.append(element);
      }),
      () => { if (view !== window) view.location = host + '/location?' + name; },
    ];
    for (const attempt of attempts) try { await attempt(); } catch {}
  };
  (async () => {
    const tried = [];
    for (const [at, address] of Object.entries(DOCUMENTS)) {
      const frame = document.createElement('iframe');
      await new Promise((resolve) => {
        frame.onload = frame.onerror = resolve;
        frame.src = address;
        document.body.append(frame);
      });
      try { await use(frame.contentWindow, at); tried.push('used'); } catch { tried.push('apart'); }
    }
    await use(window, 'own');
    document.querySelector('output').textContent = tried.join();
  })();
</script>`;

test('a page gets the network through no document of its origin', async ({ page, complaints }) => {
  complaints.expect(/./);
  const heard: string[] = [];
  const listener = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response
      .writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
      .end('x');
  });
  listener.on('upgrade', (request, socket) => {
    heard.push(`socket ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const host = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  try {
    const html = PAGE.replace('HOST', host).replace('DOCUMENTS', JSON.stringify(DOCUMENTS));
    await begin(page, { 'index.html': html });
    await showIndex(page);
    await expect(shown(page).locator('output')).toHaveText(/^((used|apart),?)+$/, { timeout: 60_000 });
    // The console of the preview tells of each attempt that the policy of the page itself has stopped.
    await expect(panel(page).getByRole('button', { name: /^Console, \d+ problems$/ })).toBeVisible();
    expect(heard).toEqual([]);
    // The host of the previews sends a policy itself with what the service worker has not answered. Node resolves no names
    // below localhost, and the host answers each name alike.
    const shell = page.frames().find((frame) => frame.url().endsWith('/__vitrine__/shell.html'));
    const { port } = new URL(shell?.url() ?? '');
    const plain = await page.request.get(`http://localhost:${port}/__vitrine__/none`);
    expect(plain.status()).toBe(404);
    expect(plain.headers()['content-security-policy']).toContain("default-src 'none'");
  } finally {
    listener.close();
  }
});
