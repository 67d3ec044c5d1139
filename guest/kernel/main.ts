import type { FromKernel, Programs, ToKernel } from '../../src/protocol/frame.ts';
import type { WorkerPeer } from '../shared/protocol.ts';
import { portPeer } from '../shared/worker-scope.ts';
import { Kernel } from './kernel.ts';
import type { StartWorkers } from './start-workers.ts';

// The frame sends one message, with the port to the app.
self.onmessage = ({ data }: MessageEvent<MessagePort>) => {
  self.onmessage = null;
  let kernel: Kernel | undefined;
  const app = portPeer<FromKernel, ToKernel>(data);
  app.onMessage((message) => {
    if (message.kind === 'start') kernel ??= new Kernel(app, message, prepareWorkers);
    else kernel?.hear(message);
  });
};

function prepareWorkers({ shell, search }: Programs): StartWorkers {
  const shellUrl = URL.createObjectURL(shell);
  const searchUrl = URL.createObjectURL(search);
  return {
    shell: () => startWorker(shellUrl),
    search: () => startWorker(searchUrl),
    // Node waits for answers in shared memory, so it cannot run without that.
    ...(typeof SharedArrayBuffer !== 'undefined' && { node: (script) => startWorker(nodeUrl(script)) }),
  };
}

let node: { readonly script: Blob; readonly url: string } | undefined;

function nodeUrl(script: Blob): string {
  if (node?.script !== script) node = { script, url: URL.createObjectURL(script) };
  return node.url;
}

function startWorker<Out, In>(url: string): WorkerPeer<Out, In> {
  const worker = new Worker(url);
  return {
    ...portPeer<Out, In>(worker),
    onFailure: (listener) => {
      worker.onerror = (event) => {
        // Otherwise the error would also count as one of the kernel and of the page.
        event.preventDefault();
        listener(event.message);
      };
      worker.onmessageerror = () => listener('a message could not be read');
    },
    terminate: () => worker.terminate(),
  };
}
