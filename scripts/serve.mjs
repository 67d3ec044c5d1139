/**
 * Serves a built folder (default dist/) on loopback, compressed, with the headers of build/headers.json, and on a second port
 * the site on whose origins previews are shown. PORT moves it (default 4173; 0 takes a free one), PREVIEW_PORT the second port
 * (default: the next one). Other static hosts need none of this: see docs/hosting.md.
 */
import { fileURLToPath } from 'node:url';
import { headersFor } from './headers.mjs';
import { startSite } from './site-server.mjs';

const port = Number(process.env.PORT ?? 4173);

try {
  const { url } = await startSite({
    folder: fileURLToPath(new URL(`../${process.argv[2] ?? 'dist'}`, import.meta.url)),
    headersFor,
    port,
    previewPort: Number(process.env.PREVIEW_PORT ?? (port && port + 1)),
  });
  console.log(`Vitrine is on ${url}`);
} catch (error) {
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${port} is taken. Set PORT to another one.` : String(error),
  );
  process.exit(1);
}
