import { Kernel } from '../../guest/kernel/kernel.ts';
import type { Peer, WorkerPeer } from '../../guest/shared/protocol.ts';
import { serveSearch } from '../../guest/search/serve.ts';
import { serveShell } from '../../guest/shell/serve.ts';
import { portPeer } from '../../guest/shared/worker-scope.ts';
import type { Connection } from '../../src/workspace/embedded/kernel-link.ts';
import type { FromKernel, ToKernel } from '../../src/protocol/frame.ts';

/**
 * A kernel on this thread, for tests in Node: the same code over the same messages, but for its workers, which share
 * the thread and so cannot be ended while they are busy.
 */
export async function connectLocally(): Promise<Connection> {
  const { port1, port2 } = new MessageChannel();
  const app = portPeer<FromKernel, ToKernel>(port2);
  let kernel: Kernel | undefined;
  const workers = {
    shell: () => localWorker(serveShell),
    search: () => localWorker(serveSearch),
  };
  app.onMessage((message) => {
    if (message.kind === 'start') kernel = new Kernel(app, message, () => workers);
    else kernel?.hear(message);
  });
  return { port: port1, close: () => port2.close() };
}

function localWorker<Out, In>(serve: (peer: Peer<In, Out>) => void): WorkerPeer<Out, In> {
  const { port1, port2 } = new MessageChannel();
  serve(portPeer<In, Out>(port2));
  return { ...portPeer<Out, In>(port1), onFailure() {}, terminate: () => port1.close() };
}
