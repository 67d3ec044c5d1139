// The page behind `/headless`: answers the client's protocol over Comlink 4.3.0, whose wire format is not that of later ones.
import { expose, proxy, type Remote } from 'comlink';
import { ROOT } from '../../../src/workspace/workspace.ts';
import { Disk, place } from './disk.ts';
import { knobsFromJson, type Knobs } from './knobs.ts';
import { Ports } from './ports.ts';
import { Processes, type RunRequest } from './processes.ts';
import { decodeTree } from './tree-format.ts';

declare global {
  var askPort: Ports['ask'];
}

type Listener = Remote<(...values: unknown[]) => void>;
type Output = Remote<(chunk: Uint8Array | null) => void>;

const never = new Promise<never>(() => {});

function instance(knobs: Knobs) {
  const disk = new Disk(knobs);
  const listeners = new Map<string, Set<Listener>>();
  let calls = 0;
  const alive =
    <Args extends unknown[], T>(work: (...args: Args) => T) =>
    (...args: Args): T | Promise<never> =>
      ++calls > knobs.diesAfter ? never : work(...args);
  const tell = (event: string, ...values: unknown[]) => {
    for (const listener of listeners.get(event) ?? []) void listener(...values);
  };
  const ports = new Ports((port, what) => {
    const url = `https://test--${port}--host.local-corp.webcontainer-api.io`;
    tell('port', port, what, url);
    if (what === 'open') tell('server-ready', port, url);
  });
  const processes = new Processes(disk, knobs, ports);
  // A preview's site is answered by whoever answers for that name: from outside, it asks here.
  globalThis.askPort = (...given) => ports.ask(...given);
  const files = Object.fromEntries(
    Object.entries(disk.api()).map(([name, call]) => [name, alive(call as (...args: unknown[]) => unknown)]),
  );
  return {
    fs: () => proxy(files),
    previewScript: () => proxy({}),
    runtimeInfo: () => ({ path: '/bin:/usr/bin:/usr/local/bin', cwd: ROOT }),
    run: alive(
      (request: RunRequest, _out: Output | undefined, _err: Output | undefined, output: Output | undefined) =>
        processes.run(request, output),
    ),
    loadFiles: alive((bytes: Uint8Array, options: { readonly mountPoints?: string } = {}) =>
      disk.load(place(options.mountPoints ?? ''), decodeTree(bytes)),
    ),
    serialize: alive((path: string) => new TextEncoder().encode(JSON.stringify(disk.save(path)))),
    on: alive((event: string, listener: Listener) => {
      const heard = listeners.get(event) ?? new Set();
      listeners.set(event, heard.add(listener));
      return proxy(() => void heard.delete(listener));
    }),
    setCredentials() {},
    setPreviewScript() {},
    teardown() {
      processes.teardown();
      return knobs.teardownHangs ? never : undefined;
    },
  };
}

async function start(): Promise<void> {
  const knobs = knobsFromJson(await (await fetch('/knobs')).text());
  if (knobs.page === 'mute') return;
  if (knobs.initAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, knobs.initAfterMs));
  const { port1, port2 } = new MessageChannel();
  expose(
    {
      async build() {
        if (knobs.buildHangs) return never;
        // Each life as the knobs are by then.
        return proxy(instance(knobsFromJson(await (await fetch('/knobs')).text())));
      },
    },
    port1,
  );
  parent.postMessage({ type: 'init' }, '*', [port2]);
}

void start();
