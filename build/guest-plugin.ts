import { createHash } from 'node:crypto';
import path from 'node:path';
import { build, type Plugin, type ViteDevServer } from 'vite';
import { nodeBuiltins } from './node-builtins.ts';
import { wasmModules } from './wasm-modules.ts';

const PREFIX = 'guest:';
const SERVED = '@guest/';

interface Bundle {
  readonly code: string;
  /** Absolute paths of what it was made of. */
  readonly sources: readonly string[];
}

/**
 * `import url from 'guest:guest/kernel/main.ts'` is the address of one self-contained classic script made of that
 * module and all it imports: workers inside an opaque origin can be neither modules nor loaded by URL, so that the app
 * fetches the script as text and hands it over. An asset when built, served by a middleware in dev.
 */
export function guestScripts(): Plugin {
  const bundles = new Map<string, Promise<Bundle>>();
  let root = '';
  let base = '/';
  let isBuild = false;

  function bundleOf(entry: string): Promise<Bundle> {
    let bundle = bundles.get(entry);
    if (!bundle) {
      bundle = bundleScript(path.join(root, entry), isBuild);
      bundles.set(entry, bundle);
      // A failed one is tried again once its cause may be mended.
      bundle.catch(() => bundles.delete(entry));
    }
    return bundle;
  }

  return {
    name: 'vitrine:guest-scripts',
    configResolved(config) {
      ({ root, base } = config);
      isBuild = config.command === 'build';
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const entry = id.slice(PREFIX.length + 1);
      // One level below the base, as an asset is: what lies beside it is found from there in both.
      if (!isBuild)
        return `export default ${JSON.stringify(`${base}${SERVED}${entry.replaceAll('/', '~')}`)};`;
      const { code, sources } = await bundleOf(entry);
      for (const source of sources) this.addWatchFile(source);
      const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
      const name = `${path.basename(path.dirname(entry))}-${hash}.js`;
      const reference = this.emitFile({ type: 'asset', fileName: `assets/${name}`, source: code });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
    configureServer(server) {
      forgetChanged(server, bundles);
      server.middlewares.use((request, response, next) => {
        const at = request.url?.split('?')[0]?.split(SERVED)[1]?.replaceAll('~', '/');
        if (at === undefined || !/^guest(\/[\w-]+)+\.ts$/.test(at)) return next();
        bundleOf(at).then(({ code }) => {
          response.setHeader('Content-Type', 'text/javascript');
          response.end(code);
        }, next);
      });
    },
  };
}

function forgetChanged(server: ViteDevServer, bundles: Map<string, Promise<Bundle>>): void {
  server.watcher.on('change', (file) => {
    for (const [entry, bundle] of bundles)
      void bundle.then(({ sources }) => sources.includes(file) && bundles.delete(entry));
  });
}

/** Programs print the names of node's own classes and functions. */
const isSeen = (entry: string) => entry.includes('/guest/node/');
const NAMED = {
  mangle: { keepNames: true },
  compress: { keepNames: { function: true, class: true } },
  codegen: true,
};

async function bundleScript(entry: string, minify: boolean): Promise<Bundle> {
  const result = await build({
    configFile: false,
    root: path.dirname(entry),
    logLevel: 'warn',
    publicDir: false,
    plugins: [nodeBuiltins(), wasmModules()],
    build: {
      write: false,
      target: 'es2023',
      minify,
      rolldownOptions: {
        input: entry,
        output: { format: 'iife', codeSplitting: false, ...(minify && isSeen(entry) && { minify: NAMED }) },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const [chunk, ...others] = outputs.filter((output) => output.type === 'chunk');
  if (!chunk || others.length > 0) throw new Error(`${entry} did not become one script`);
  return { code: chunk.code, sources: chunk.moduleIds.filter((id) => path.isAbsolute(id)) };
}
