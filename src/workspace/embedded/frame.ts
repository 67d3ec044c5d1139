import { opaqueFrame } from '../../base/frame.ts';
import type { Connection } from './kernel-link.ts';

export interface FrameOptions {
  /** The parent of the frame, which shows nothing. */
  readonly container: HTMLElement;
  /** The address of sandbox.html. */
  readonly url: URL;
  /** Returns the kernel's source text. */
  readonly kernel: () => Promise<string>;
}

/**
 * Starts a kernel in a new frame, which has an origin of its own, without storage and without a way to ours. The permission
 * policy lets it share memory between its own workers where the page may.
 */
export async function connectFrame({ container, url, kernel }: FrameOptions): Promise<Connection> {
  const source = kernel();
  // It is awaited only after the frame was loaded.
  source.catch(() => undefined);
  const frame = await opaqueFrame(container, url, { title: 'Workspace', sharesMemory: true });
  try {
    const { port1, port2 } = new MessageChannel();
    // An opaque origin cannot be named as the target. Only this frame gets the port, and it accepts one only from us.
    frame.contentWindow?.postMessage({ kernel: await source }, '*', [port2]);
    return { port: port1, close: () => frame.remove() };
  } catch (error) {
    frame.remove();
    throw error;
  }
}
