/** How the frame is described. */
export interface OpaqueFrameOptions {
  readonly title: string;
  /** Whether its workers may share memory with each other where the page may. */
  readonly sharesMemory?: boolean;
}

/**
 * Loads a document of ours into a hidden frame that has an origin of its own, without storage and without a way to ours.
 *
 * Where a service worker answers for the page, it must answer for the frame too: without a network nobody else does, and
 * some hosts do not send the headers that the frame needs. Browsers do not ask a worker for a document that the frame's
 * element gives an origin of its own. So the worker's answer does that, and this checks that it did.
 */
export async function opaqueFrame(
  container: HTMLElement,
  url: URL,
  options: OpaqueFrameOptions,
): Promise<HTMLIFrameElement> {
  if (navigator.serviceWorker?.controller) {
    const frame = await appendFrame(container, url, options, 'allow-scripts allow-same-origin', '*');
    if (isOpaque(frame)) return frame;
    frame.remove();
  }
  return appendFrame(container, url, options, 'allow-scripts', '');
}

/** A document of our own origin would be within reach. */
function isOpaque(frame: HTMLIFrameElement): boolean {
  return frame.contentDocument === null;
}

async function appendFrame(
  container: HTMLElement,
  url: URL,
  { title, sharesMemory = false }: OpaqueFrameOptions,
  sandbox: string,
  isolatedFor: string,
): Promise<HTMLIFrameElement> {
  const frame = container.ownerDocument.createElement('iframe');
  frame.setAttribute('sandbox', sandbox);
  if (sharesMemory) frame.allow = `cross-origin-isolated ${isolatedFor}`;
  frame.title = title;
  frame.hidden = true;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = url.href;
  container.append(frame);
  await loaded;
  return frame;
}
