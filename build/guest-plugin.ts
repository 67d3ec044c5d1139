import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { GuestBundler } from './guest-bundle.ts';
import { noteGuestScript } from './offline-parts.ts';
import { FROM_PARSER, PARSER } from './shell-parser.ts';

const PREFIX = 'guest:';
const SERVED = '@guest/';
/** The name of the module that the built page imports for the parser. */
const PAGE_PARSER = '\0shell-parser:page';

/**
 * Makes `import url from 'guest:guest/kernel/main.ts'` the address of one classic script with that module and
 * all its imports. Workers inside an opaque origin can be neither modules nor loaded by URL, so the app
 * fetches the script as text and hands it over. In a build the script is an asset, and in dev a middleware
 * serves it.
 */
export function guestScripts(): Plugin {
  let bundler: GuestBundler;
  let base = '/';
  let isBuild = false;

  /** Adds a script to the build, and returns its place and its name beside the other scripts. */
  async function emit(context: Rolldown.PluginContext, entry: string) {
    const { code, sources } = await bundler.script(entry);
    for (const source of sources) context.addWatchFile(source);
    const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
    const name = `${path.basename(path.dirname(entry))}-${hash}.js`;
    const fileName = `assets/${name}`;
    noteGuestScript(fileName, entry);
    return { name, reference: context.emitFile({ type: 'asset', fileName, source: code }) };
  }

  return {
    name: 'vitrine:guest-scripts',
    enforce: 'pre',
    configResolved(config) {
      ({ base } = config);
      isBuild = config.command === 'build';
      bundler = new GuestBundler(config.root, isBuild);
    },
    resolveId(id, importer) {
      if (id.startsWith(PREFIX)) return `\0${id}`;
      if (id === 'unbash' && isBuild) return PAGE_PARSER;
      return importer === PAGE_PARSER ? { id, external: true } : undefined;
    },
    async load(id) {
      if (id === PAGE_PARSER) {
        const { name } = await emit(this, PARSER);
        return `import './${name}';\n${FROM_PARSER}\ndelete globalThis.__vtr_unbash;`;
      }
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const entry = id.slice(PREFIX.length + 1);
      // The address is one level below the base, like an asset's, so that relative addresses work in both.
      if (!isBuild)
        return `export default ${JSON.stringify(`${base}${SERVED}${entry.replaceAll('/', '~')}`)};`;
      const { reference } = await emit(this, entry);
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
    configureServer(server) {
      server.watcher.on('change', (file) => bundler.forget(file));
      server.middlewares.use((request, response, next) => {
        const at = request.url?.split('?')[0]?.split(SERVED)[1]?.replaceAll('~', '/');
        if (at === undefined || !/^guest(\/[\w-]+)+\.ts$/.test(at)) return next();
        bundler.script(at).then(({ code }) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.end(code);
        }, next);
      });
    },
  };
}
