import type { Plugin } from 'vite';

/**
 * Lets the pages of component tests keep modules for as long as the run lasts. Vite and Vitest have the browser ask for each
 * of them again in each test file: Vite because a file may change, but then its address does too, and Vitest because a test
 * may put a mock in a module's place, which ours do not.
 */
export function cachedModules(): Plugin {
  return {
    name: 'vitrine:cached-modules',
    enforce: 'pre',
    configureServer(server) {
      server.middlewares.use((_request, response, next) => {
        const setHeader = response.setHeader.bind(response);
        response.setHeader = (name, value) =>
          setHeader(name, name === 'Cache-Control' && value === 'no-cache' ? 'max-age=3600' : value);
        next();
      });
    },
  };
}
