import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { knobsFromJson, knobsToJson, pessimistic, type Knobs } from './knobs.ts';

export interface RuntimeHost {
  /** Its origin, on loopback, another than the app's: `WEBCONTAINER_API_IFRAME_URL`. */
  readonly url: string;
  /** How the next load of the page, and the next boot on a loaded one, behaves. */
  set(knobs: Partial<Knobs>): void;
  close(): Promise<void>;
}

const PAGE = '<!doctype html><meta charset="utf-8"><title>runtime</title><script src="/host.js"></script>';

/** Serves the runtime's stand-in. `POST /knobs` with JSON sets the knobs as {@link RuntimeHost.set} does, from any origin. */
export async function serveRuntime(port = 0): Promise<RuntimeHost> {
  // Made when the page is first asked for: most who start this never do.
  let scripts: Promise<ReadonlyMap<string, string>> | undefined;
  let knobs: Knobs = pessimistic;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const isRefused = searchParams.get('client_id')?.includes('refused') ?? false;
    if (knobs.coep) response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    if (knobs.corp) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const readers = pathname !== '/headless' || knobs.readable ? '*' : 'https://nobody.example';
    response.setHeader('Access-Control-Allow-Origin', readers);
    response.setHeader('Cache-Control', 'no-store');
    const send = (type: string, body: string) => {
      response.setHeader('Content-Type', type);
      response.end(body);
    };
    if (pathname === '/knobs' && request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        knobs = knobsFromJson(body);
        send('application/json', '{}');
      });
    } else if (pathname === '/knobs') send('application/json', knobsToJson(knobs));
    else if (pathname === '/headless' && knobs.page === 'silent') return;
    else if (pathname === '/headless' && knobs.page !== 'missing' && !isRefused) send('text/html', PAGE);
    else if (pathname.endsWith('.js'))
      (scripts ??= bundles()).then(
        (made) => send('text/javascript', made.get(pathname) ?? ''),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    set: (changed) => (knobs = { ...knobs, ...changed }),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

async function bundles(): Promise<ReadonlyMap<string, string>> {
  const entries = ['host', 'shell-worker'].map(async (name) => [`/${name}.js`, await script(name)] as const);
  return new Map(await Promise.all(entries));
}

async function script(name: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      rolldownOptions: {
        input: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const [chunk] = outputs.filter((output) => output.type === 'chunk');
  if (!chunk) throw new Error(`${name}.ts did not become a script`);
  return chunk.code;
}
