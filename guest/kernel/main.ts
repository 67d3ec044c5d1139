import type { FromKernel, Programs, ToKernel } from '../../src/workspace/embedded/protocol.ts';
import type { StartWorkers, WorkerPeer } from '../protocol.ts';
import { portPeer } from '../worker-scope.ts';
import { Kernel } from './kernel.ts';

// The frame hands over the app's port, once, and says nothing more.
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
  const shellUrl = scriptUrl(shell);
  const searchUrl = scriptUrl(search);
  return {
    shell: () => startWorker(shellUrl),
    search: () => startWorker(searchUrl),
    // It waits for answers in shared memory; there is no other way to wait.
    ...(typeof SharedArrayBuffer !== 'undefined' && { node: (source) => startWorker(nodeUrl(source)) }),
  };
}

let nodeScript: { readonly source: string; readonly url: string } | undefined;

function nodeUrl(source: string): string {
  if (nodeScript?.source !== source) nodeScript = { source, url: scriptUrl(source) };
  return nodeScript.url;
}

function scriptUrl(source: string): string {
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}

function startWorker<Out, In>(url: string): WorkerPeer<Out, In> {
  const worker = new Worker(url);
  return {
    ...portPeer<Out, In>(worker),
    onFailure: (listener) => {
      worker.onerror = (event) => {
        // Else it is the kernel's error too, and that of the page above.
        event.preventDefault();
        listener(event.message);
      };
      worker.onmessageerror = () => listener('a message could not be read');
    },
    terminate: () => worker.terminate(),
  };
}
