import type { Connect, Plugin } from 'vite';
import { headersFor } from '../scripts/headers.mjs';

/**
 * Sets the headers of every response. A middleware does it, because Vite's own `headers` option omits them
 * from 304s. Firefox asks the resource policy of sandbox.html for the frame's origin, which is opaque and so
 * never the same. The page's own CSP is a meta element in index.html: a header would also affect
 * sandbox.html, whose policy differs.
 */
export function isolationHeaders(): Plugin {
  const middleware: Connect.NextHandleFunction = (request, response, next) => {
    for (const [name, value] of Object.entries(headersFor(request.url ?? '')))
      response.setHeader(name, value);
    next();
  };
  return {
    name: 'vitrine:isolation-headers',
    enforce: 'pre',
    configureServer: (server) => void server.middlewares.use(middleware),
    configurePreviewServer: (server) => void server.middlewares.use(middleware),
  };
}
