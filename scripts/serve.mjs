/**
 * Serves a built folder (default dist/) on loopback, compressed, with the headers of build/headers.json, and on a second port
 * the site on whose origins previews are shown. PORT moves it (default 4173; 0 takes a free one), PREVIEW_PORT the second port
 * (default: the next one). Other static hosts need none of this: see docs/hosting.md.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { headersFor } from './headers.mjs';
import { PREVIEW_SITE_HEADERS, withPreviewOrigin } from './preview-origin.mjs';

const port = Number(process.env.PORT ?? 4173);
const folder = fileURLToPath(new URL(`../${process.argv[2] ?? 'dist'}`, import.meta.url));

const serveFile = sirv(folder, { etag: true, gzip: true, maxAge: 0 });
let previewOrigin;

const server = createServer((request, response) => {
  // Set before sirv answers, so that its 304s carry them too.
  for (const [name, value] of Object.entries(headersFor(request.url ?? ''))) response.setHeader(name, value);
  if (previewOrigin && /^\/(index\.html)?(\?|$)/.test(request.url ?? '')) return servePage(request, response);
  serveFile(request, response, () => {
    response.statusCode = 404;
    response.end('Not found');
  });
});

/** The page, with the origin of previews in it. */
function servePage(request, response) {
  const page = withPreviewOrigin(readFileSync(path.join(folder, 'index.html'), 'utf8'), previewOrigin);
  const etag = `"${createHash('sha256').update(page).digest('base64url')}"`;
  response.setHeader('ETag', etag);
  if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(request.method === 'HEAD' ? undefined : page);
}

server.on('error', (error) => {
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${port} is taken. Set PORT to another one.` : String(error),
  );
  process.exit(1);
});

const site = path.join(folder, 'preview-site');
const hasPreviews =
  existsSync(site) &&
  /name="vitrine-preview" content=""/.test(readFileSync(path.join(folder, 'index.html'), 'utf8'));
if (hasPreviews) servePreviews(listen);
else listen();

function listen() {
  server.listen(port, '127.0.0.1', () =>
    console.log(`Vitrine is on http://localhost:${server.address().port}`),
  );
}

/** Every name below localhost is this machine, so each preview has an origin of its own. */
function servePreviews(done) {
  const serveSite = sirv(site, { etag: true, maxAge: 0 });
  const previews = createServer((request, response) => {
    for (const [name, value] of Object.entries(PREVIEW_SITE_HEADERS)) response.setHeader(name, value);
    serveSite(request, response, () => {
      response.statusCode = 404;
      response.end('Not found');
    });
  });
  previews.on('error', (error) => {
    console.error(`Previews are shown without an origin of their own: ${error.message}`);
    done();
  });
  previews.listen(Number(process.env.PREVIEW_PORT ?? (port && port + 1)), '127.0.0.1', () => {
    previewOrigin = `http://*.localhost:${previews.address().port}`;
    done();
  });
}
