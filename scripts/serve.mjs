/**
 * Serves a built folder (default dist/) on loopback, compressed, with the isolation headers on every response.
 * PORT moves it (default 4173; 0 takes a free one). Other static hosts need none of this: see docs/hosting.md.
 */
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const port = Number(process.env.PORT ?? 4173);
const folder = fileURLToPath(new URL(`../${process.argv[2] ?? 'dist'}`, import.meta.url));
const headers = JSON.parse(readFileSync(new URL('../build/headers.json', import.meta.url), 'utf8'));

const serveFile = sirv(folder, { etag: true, gzip: true, maxAge: 0 });

const server = createServer((request, response) => {
  // Set before sirv answers, so that its 304s carry them too.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
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
