import type { Connect, Plugin } from 'vite';

/**
 * What every response carries, 304s too. The page's own CSP is a meta element in index.html: as a header it would
 * also hit sandbox.html, whose own policy differs.
 */
export const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "frame-ancestors 'self'",
} as const;

/** Sets {@link HEADERS} in a middleware, because Vite's own `headers` option leaves them off 304s. */
export function isolationHeaders(): Plugin {
  const middleware: Connect.NextHandleFunction = (_request, response, next) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    next();
  };
  return {
    name: 'vitrine:isolation-headers',
    enforce: 'pre',
    configureServer: (server) => void server.middlewares.use(middleware),
    configurePreviewServer: (server) => void server.middlewares.use(middleware),
  };
}
