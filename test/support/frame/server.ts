import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { build } from 'vite';
import { guestScripts } from '../../../build/guest-plugin.ts';
import { images } from '../../../build/images.ts';
import { headersFor } from '../../../scripts/headers.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds the frame test's page once and serves it any number of times, the ways that hosts do. */
export async function buildFramePage() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-frame-'));
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'error',
    plugins: [guestScripts(), images()],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      rolldownOptions: { input: join(root, 'test/support/frame/index.html') },
    },
  });
  return {
    serve: (how: { base?: string; headers?: boolean } = {}) => serve(folder, how),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function serve(folder: string, { base = '/', headers = true }: { base?: string; headers?: boolean }) {
  const files = sirv(folder, { dev: true });
  let reported: (report: unknown) => void = () => {};
  const report = new Promise<unknown>((resolve) => (reported = resolve));
  const server = createServer((request, response) => {
    if (headers)
      for (const [name, value] of Object.entries(headersFor(request.url ?? '')))
        response.setHeader(name, value);
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        reported(JSON.parse(body));
        response.end();
      });
      return;
    }
    if (!request.url?.startsWith(base)) return void response.writeHead(404).end();
    request.url = `/${request.url.slice(base.length)}`;
    files(request, response, () => void response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    /** The page's own address. */
    page: `http://127.0.0.1:${port}${base}test/support/frame/index.html`,
    /** What the page says its scenario came to. */
    report,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}
