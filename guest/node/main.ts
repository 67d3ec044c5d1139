import { KernelLink } from './link.ts';
import { startRuntime } from './runtime.ts';
import type { FromNode, ToNode } from './wire.ts';

// Taken now: programs see a global scope without them.
const post = self.postMessage.bind(self);
const peer = {
  post: (message: FromNode, transfer: Transferable[] = []) => post(message, { transfer }),
};

let link: KernelLink | undefined;
self.onmessage = ({ data }: MessageEvent<ToNode>) => {
  if (data.kind !== 'start') return link?.hear(data);
  link = new KernelLink(peer, data.shared);
  startRuntime(data, link);
};
peer.post({ kind: 'ready' });
