import { createServer } from 'vite';

/** Starts a server of Vite through which a script loads TypeScript of this repository (`ssrLoadModule`). Close it at the end. */
export function sourceServer() {
  return createServer({
    configFile: false,
    logLevel: 'warn',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
}
