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
 * Starts a kernel in a new frame. `allow-scripts` alone gives the frame an origin of its own, which has no storage and
 * cannot reach ours; the permission policy lets it share memory between its own workers where the page may.
 */
export async function connectFrame({ container, url, kernel }: FrameOptions): Promise<Connection> {
  const frame = container.ownerDocument.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = 'cross-origin-isolated';
  frame.title = 'Workspace';
  frame.hidden = true;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = url.href;
  container.append(frame);
  try {
    const [source] = await Promise.all([kernel(), loaded]);
    const { port1, port2 } = new MessageChannel();
    // An opaque origin cannot be named as the target. Only this frame gets the port, and it accepts one only from us.
    frame.contentWindow?.postMessage({ kernel: source }, '*', [port2]);
    return { port: port1, close: () => frame.remove() };
  } catch (error) {
    frame.remove();
    throw error;
  }
}
