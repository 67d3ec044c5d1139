import { onTestFinished } from 'vitest';
import { Kernel } from '../../guest/kernel/kernel.ts';
import type { StartWorkers } from '../../guest/kernel/start-workers.ts';
import { serveSearch } from '../../guest/search/serve.ts';
import type { FromShell, Peer, ToShell, WorkerPeer } from '../../guest/shared/protocol.ts';
import type { FromNode, ToNode } from '../../guest/shared/wire.ts';
import { portPeer } from '../../guest/shared/worker-scope.ts';
import { serveShell } from '../../guest/shell/serve.ts';
import type { FromKernel, SpawnHow, ToKernel } from '../../src/protocol/frame.ts';
import type { Job } from '../../src/protocol/jobs.ts';
import type { KeyboardMode } from '../../src/protocol/terminal.ts';
import type { Exit } from '../../src/protocol/workspace-values.ts';

export type NodeProgram = (peer: Peer<FromNode, ToNode>, start: Extract<ToNode, { kind: 'start' }>) => void;

/** A kernel on this thread whose `node` is a function of the test. */
export function kernelWith(node: NodeProgram, interpret?: Parameters<typeof serveShell>[1]) {
  const ended: string[] = [];
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const local = <Out, In>(serve: (peer: Peer<In, Out>) => void, name: string): WorkerPeer<Out, In> => {
    const channel = new MessageChannel();
    serve(portPeer<In, Out>(channel.port2));
    return {
      ...portPeer<Out, In>(channel.port1),
      onFailure() {},
      terminate: () => {
        ended.push(name);
        channel.port1.close();
      },
    };
  };
  const workers: StartWorkers = {
    shell: () => local<ToShell, FromShell>((peer) => serveShell(peer, interpret), 'shell'),
    search: () => local(serveSearch, 'search'),
    node: () =>
      local<ToNode, FromNode>((peer) => {
        peer.onMessage((message) => message.kind === 'start' && node(peer, message));
      }, 'node'),
  };
  const outputs: string[] = [];
  const modes: KeyboardMode[] = [];
  let jobs: readonly Job[] = [];
  let look = (): void => undefined;
  const exits = new Map<string, (exit: Exit) => void>();
  const app = portPeer<ToKernel, FromKernel>(port1);
  const kernel = new Kernel(
    portPeer<FromKernel, ToKernel>(port2),
    { kind: 'start', contents: { packs: [], tail: [] }, scratch: [], quotaBytes: 1e6 },
    () => workers,
  );
  app.onMessage((message) => {
    if (message.kind === 'output') outputs.push(new TextDecoder().decode(message.bytes));
    else if (message.kind === 'keyboard') modes.push(message.mode);
    else if (message.kind === 'exited') exits.get(message.process)?.(message.exit);
    else if (message.kind === 'jobs') {
      ({ jobs } = message);
      look();
    } else if (message.kind === 'wantNode') kernel.hear({ kind: 'node', script: new Blob() });
  });
  kernel.hear({ kind: 'programs', programs: { shell: new Blob(), search: new Blob() } });
  const run = (command: string, id = 'p', how: Omit<SpawnHow, 'env'> = {}) => {
    const exited = new Promise<Exit>((resolve) => exits.set(id, resolve));
    kernel.hear({ kind: 'spawn', process: id, command, how: { env: {}, ...how } });
    return exited;
  };
  return {
    kernel,
    ended,
    modes,
    run,
    jobs: () => jobs,
    /** Resolves when a message of the kernel about its jobs fits. */
    jobsAre(fit: (jobs: readonly Job[]) => boolean): Promise<readonly Job[]> {
      return new Promise((resolve) => {
        look = () => fit(jobs) && resolve(jobs);
        look();
      });
    },
    output: () => outputs.join(''),
    /** Lines for a shell in a terminal. Resolves with its end. */
    type(...lines: readonly string[]) {
      const ended = run('', 'p', { columns: 80, typedRows: 24 });
      for (const text of lines) kernel.hear({ kind: 'line', process: 'p', text });
      return ended;
    },
  };
}
