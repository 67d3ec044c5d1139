import type { Policed } from '../../base/policed.ts';
import { browserNetwork } from '../../models/browser-network.ts';

/**
 * A browser follows redirects without saying where they lead, and only a content security policy stops it on the way.
 * So an empty frame of our own origin, with the list of hosts as its policy, makes the requests; nothing but `fetch`
 * is ever called in it. Rejects if the policy is not enforced.
 */
export async function policedFrame(container: HTMLElement, sources: string): Promise<Policed> {
  const frame = container.ownerDocument.createElement('iframe');
  frame.hidden = true;
  frame.title = 'Requests of programs';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  container.append(frame);
  // Earlier, Firefox may still replace the document with another empty one.
  await loaded;
  try {
    const { contentWindow: view, contentDocument: page } = frame;
    if (!view || !page) throw new Error('the frame for requests did not come up');
    const policy = page.createElement('meta');
    policy.httpEquiv = 'Content-Security-Policy';
    policy.content = `connect-src ${sources}`;
    page.head.append(policy);
    const stopped = new Set<string>();
    page.addEventListener('securitypolicyviolation', ({ blockedURI }) => stopped.add(blockedURI));
    const send: typeof fetch = (...request) => view.fetch(...request);
    await mustRefuse(page, send, container.ownerDocument.location.href);
    // The browser reports this frame's violations to the frame; we pass them to the page.
    const network = browserNetwork(send);
    return {
      fetch: send,
      reachable: (url, signal) => network.reachable(new URL('/', url), signal),
      stopped: (url) => stopped.delete(withoutFragment(url)),
      close: () => frame.remove(),
    };
  } catch (error) {
    frame.remove();
    throw error;
  }
}

/** Requests the page itself, which no list allows. A failure alone proves nothing, since the server may be down. */
async function mustRefuse(page: Document, send: typeof fetch, own: string): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const refused = await new Promise<boolean>((resolve) => {
    page.addEventListener('securitypolicyviolation', () => resolve(true), { signal });
    const late = setTimeout(() => resolve(false), REPORT_MS);
    signal.addEventListener('abort', () => clearTimeout(late));
    send(own, { method: 'HEAD', credentials: 'omit', signal }).then(
      () => resolve(false),
      () => {},
    );
  });
  over.abort();
  if (!refused) throw new Error('this browser does not hold requests to the hosts that are allowed');
}

const REPORT_MS = 2_000;

function withoutFragment(url: URL): string {
  const asked = new URL(url);
  asked.hash = '';
  return asked.href;
}
