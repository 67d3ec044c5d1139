import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import sirv from 'sirv';
import { PREVIEW_SITE_HEADERS, withPreviewOrigin } from './preview-origin.mjs';

/**
 * Serves a built folder on loopback with its headers and, on a second port, the site on whose origins previews are
 * shown. Rejects with the server's own error, such as EADDRINUSE.
 */
export async function startSite({
  folder,
  headersFor,
  port,
  previewPort,
  files = {},
  onlyCompressed = false,
}) {
  const previews = hasPreviews(folder) ? await startPreviews(folder, previewPort) : undefined;
  const origin = previews && `http://*.localhost:${previews.address().port}`;
  const serveFile = sirv(folder, { etag: true, gzip: true, maxAge: 0 });
  const server = createServer((request, response) => {
    // Set before sirv answers, so that its 304s carry them too.
    for (const [name, value] of Object.entries(headersFor(request.url ?? '')))
      response.setHeader(name, value);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (Object.hasOwn(files, pathname)) return sendOwn(files[pathname], response);
    if (origin && /^\/(index\.html)?$/.test(pathname)) return servePage(folder, origin, request, response);
    // Where only the compressed files are there, every client gets these; browsers understand them all.
    if (onlyCompressed) request.headers['accept-encoding'] = 'gzip';
    serveFile(request, response, () => notFound(response));
  });
  const close = () => {
    for (const each of [server, previews]) {
      each?.close();
      each?.closeAllConnections();
    }
  };
  try {
    await listen(server, port);
  } catch (error) {
    close();
    throw error;
  }
  return { url: `http://localhost:${server.address().port}`, close };
}

function hasPreviews(folder) {
  return (
    existsSync(path.join(folder, 'preview-site')) &&
    /name="vitrine-preview" content=""/.test(readFileSync(path.join(folder, 'index.html'), 'utf8'))
  );
}

/** Every name below localhost is this machine, so each preview has an origin of its own. */
async function startPreviews(folder, port) {
  const serveSite = sirv(path.join(folder, 'preview-site'), { etag: true, maxAge: 0 });
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(PREVIEW_SITE_HEADERS)) response.setHeader(name, value);
    serveSite(request, response, () => notFound(response));
  });
  try {
    await listen(server, port);
    return server;
  } catch (error) {
    console.error(`Previews are shown without an origin of their own: ${error.message}`);
    return undefined;
  }
}

/** The page, with the origin of previews in it. */
function servePage(folder, origin, request, response) {
  const page = withPreviewOrigin(readFileSync(path.join(folder, 'index.html'), 'utf8'), origin);
  const etag = `"${createHash('sha256').update(page).digest('base64url')}"`;
  response.setHeader('ETag', etag);
  if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Vary', 'Accept-Encoding');
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (zipped) response.setHeader('Content-Encoding', 'gzip');
  response.end(request.method === 'HEAD' ? undefined : zipped ? gzipSync(page) : page);
}

const TYPES = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' };

/** Recordings, and the pages of an evaluation, which have policies of their own. */
function sendOwn(file, response) {
  response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'application/json');
  response.end(readFileSync(file));
}

function notFound(response) {
  response.statusCode = 404;
  response.end('Not found');
}

async function listen(server, port) {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
