import { KernelLink } from './kernel/link.ts';
import { startRuntime } from './start/runtime.ts';
import type { FromNode, ToNode } from '../shared/wire.ts';

// These are read now because they are removed from the global scope that programs see.
const post = self.postMessage.bind(self);
const peer = {
  post: (message: FromNode, transfer: Transferable[] = []) => post(message, { transfer }),
};

let link: KernelLink | undefined;
self.onmessage = ({ data }: MessageEvent<ToNode>) => {
  if (data.kind !== 'start') return link?.hear(data);
  link = new KernelLink(peer, data.shared, data.names);
  startRuntime(data, link);
};
peer.post({ kind: 'ready' });
