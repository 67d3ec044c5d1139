// Writes docs/workspace.md from the cases of test/fixtures/node and what was recorded of them.
import { writeFileSync } from 'node:fs';
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'warn',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { workspaceDocs } = await server.ssrLoadModule('/build/workspace-docs.ts');
  writeFileSync(new URL('../docs/workspace.md', import.meta.url), workspaceDocs());
} finally {
  await server.close();
}
