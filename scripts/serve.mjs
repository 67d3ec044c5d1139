/**
 * Serves a built folder (default dist/) on loopback, compressed, with the headers of build/headers.json.
 * PORT moves it (default 4173; 0 takes a free one). Other static hosts need none of this: see docs/hosting.md.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { headersFor } from './headers.mjs';

const port = Number(process.env.PORT ?? 4173);
const folder = fileURLToPath(new URL(`../${process.argv[2] ?? 'dist'}`, import.meta.url));

const serveFile = sirv(folder, { etag: true, gzip: true, maxAge: 0 });

const server = createServer((request, response) => {
  // Set before sirv answers, so that its 304s carry them too.
  for (const [name, value] of Object.entries(headersFor(request.url ?? ''))) response.setHeader(name, value);
  serveFile(request, response, () => {
    response.statusCode = 404;
    response.end('Not found');
  });
});

server.on('error', (error) => {
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${port} is taken. Set PORT to another one.` : String(error),
  );
  process.exit(1);
});
server.listen(port, '127.0.0.1', () =>
  console.log(`Vitrine is on http://localhost:${server.address().port}`),
);
