// Writes docs/tools.md from the code of the tools.
import { writeFileSync } from 'node:fs';
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'warn',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { toolsDocs } = await server.ssrLoadModule('/build/tools-docs.ts');
  writeFileSync(new URL('../docs/tools.md', import.meta.url), await toolsDocs());
} finally {
  await server.close();
}
