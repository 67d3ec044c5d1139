/** How the frame is described. */
export interface OpaqueFrameOptions {
  readonly title: string;
  /** The value of its attribute `sandbox`; it allows scripts alone by default, and never its origin. */
  readonly sandbox?: string;
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
  const { sandbox = 'allow-scripts' } = options;
  if (navigator.serviceWorker?.controller) {
    const frame = await appendFrame(container, url, options, `${sandbox} allow-same-origin`, '*');
    if (isOpaque(frame)) return frame;
    frame.remove();
  }
  return appendFrame(container, url, options, sandbox, '');
}

/**
 * Loads such a frame and hands it a message with the port over which it talks from then on; its document accepts one only
 * from us. Rejects where the message cannot be had, and then leaves no frame behind.
 */
export async function connectedFrame(
  container: HTMLElement,
  url: URL,
  options: OpaqueFrameOptions,
  message: Promise<object>,
): Promise<{ readonly frame: HTMLIFrameElement; readonly port: MessagePort }> {
  // It is awaited only after the frame was loaded.
  message.catch(() => undefined);
  const frame = await opaqueFrame(container, url, options);
  try {
    const { port1, port2 } = new MessageChannel();
    // An opaque origin cannot be named as the target. Only this frame gets the port.
    frame.contentWindow?.postMessage(await message, '*', [port2]);
    return { frame, port: port1 };
  } catch (error) {
    frame.remove();
    throw error;
  }
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
