import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { plainPage } from './plain-page.mjs';

/**
 * A proxy on loopback for the registry that npm on this machine uses. It adds the CORS header, so that pages can read it, and
 * answers the second request for the same from memory. Whether the public registry lets pages read it is another question.
 */
export async function registryProxy() {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' })
    .trim()
    .replace(/\/$/, '');
  const answers = new Map();
  const fetched = async (url, accept) => {
    const answer = await fetch(upstream + url, { headers: { accept } });
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) };
  };
  /** Passes plain requests on, and refuses preflights, as the public registry is documented to. */
  const proxy = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method !== 'GET') return void response.writeHead(403).end();
    try {
      const { accept = '*/*' } = request.headers;
      const key = `${request.url} ${accept}`;
      const answer = answers.get(key) ?? (await fetched(request.url, accept));
      answers.set(key, answer);
      const own = `http://${request.headers.host}`;
      const text = () =>
        answer.body.toString().replaceAll(upstream, own).replaceAll('https://registry.npmjs.org', own);
      response.setHeader('content-type', answer.type);
      response.writeHead(answer.status).end(/json/.test(answer.type) ? text() : answer.body);
    } catch {
      response.writeHead(502).end();
    }
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return { host: `127.0.0.1:${proxy.address().port}`, close: () => proxy.close() };
}

/** Opens the built app with files in a new workspace, whose programs may reach a host. Returns what runs a command there. */
export async function openWith(browser, url, host, files) {
  const page = await plainPage(browser, `${url}/?automation=1`);
  await page.evaluate(
    async ([hosts, given]) => {
      const { vitrine } = window;
      await vitrine.ready;
      const script = { version: 1, title: '', turns: [{ steps: [{ text: 'x' }] }] };
      await vitrine.configure({ provider: 'scripted', model: 'none', script, hosts });
      await vitrine.sessions.create({ files: given });
    },
    [[host], files],
  );
  const exec = async (command, timeoutMs = 600_000) => {
    const started = performance.now();
    const run = ([line, ms]) => window.vitrine.workspace.exec(line, { timeoutMs: ms });
    const result = await page.evaluate(run, [command, timeoutMs]);
    return { ...result, ms: performance.now() - started };
  };
  return { exec, close: () => page.close() };
}
