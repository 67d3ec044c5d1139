import type { Connect, Plugin } from 'vite';
import headers from './headers.json' with { type: 'json' };

/**
 * Sets what every response carries, 304s too: a middleware, because Vite's own `headers` option leaves them off 304s.
 * Firefox asks the resource policy of sandbox.html for the frame's origin, which is opaque and so never the same.
 * The page's own CSP is a meta element in index.html: as a header it would also hit sandbox.html, whose policy differs.
 */
export function isolationHeaders(): Plugin {
  const middleware: Connect.NextHandleFunction = (_request, response, next) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    next();
  };
  return {
    name: 'vitrine:isolation-headers',
    enforce: 'pre',
    configureServer: (server) => void server.middlewares.use(middleware),
    configurePreviewServer: (server) => void server.middlewares.use(middleware),
  };
}
