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
  const frame = await loadFrame(container, url);
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

/**
 * Where a service worker answers for the page, it must answer for the frame too: without a network nobody else does, and
 * some hosts do not send the headers that the frame needs. Browsers do not ask a worker for a document that the frame's
 * element gives an origin of its own. So the worker's answer does that, and this checks that it did.
 */
async function loadFrame(container: HTMLElement, url: URL): Promise<HTMLIFrameElement> {
  if (navigator.serviceWorker?.controller) {
    const frame = await appendFrame(container, url, 'allow-scripts allow-same-origin', '*');
    if (isOpaque(frame)) return frame;
    frame.remove();
  }
  return appendFrame(container, url, 'allow-scripts', '');
}

/** A document of our own origin would be within reach. */
function isOpaque(frame: HTMLIFrameElement): boolean {
  return frame.contentDocument === null;
}

async function appendFrame(
  container: HTMLElement,
  url: URL,
  sandbox: string,
  isolatedFor: string,
): Promise<HTMLIFrameElement> {
  const frame = container.ownerDocument.createElement('iframe');
  frame.setAttribute('sandbox', sandbox);
  frame.allow = `cross-origin-isolated ${isolatedFor}`;
  frame.title = 'Workspace';
  frame.hidden = true;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = url.href;
  container.append(frame);
  await loaded;
  return frame;
}
