import { connectedFrame } from '../../base/frame.ts';
import type { Connection } from './kernel-link.ts';

export interface FrameOptions {
  /** The parent of the frame, which shows nothing. */
  readonly container: HTMLElement;
  /** The address of sandbox.html. */
  readonly url: URL;
  /** Returns the kernel's script. */
  readonly kernel: () => Promise<Blob>;
}

/**
 * Starts a kernel in a new frame, which has an origin of its own, without storage and without a way to ours. The permission
 * policy lets it share memory between its own workers where the page may.
 */
export async function connectFrame({ container, url, kernel }: FrameOptions): Promise<Connection> {
  const message = kernel().then((script) => ({ kernel: script }));
  const options = { title: 'Workspace', sharesMemory: true };
  const { frame, port } = await connectedFrame(container, url, options, message);
  return { port, close: () => frame.remove() };
}
