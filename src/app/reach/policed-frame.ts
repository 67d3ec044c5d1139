import { browserNetwork } from '../../models/browser-network.ts';
import type { Policed } from './exchanges.ts';

/**
 * A browser follows redirects without saying where they lead, and only a policy of content security stops it on the
 * way. So the requests of one list of hosts are made by an empty frame of our own origin that has this list as its policy;
 * nothing but `fetch` is ever called in there. Rejects where the policy does not hold.
 */
export async function policedFrame(container: HTMLElement, sources: string): Promise<Policed> {
  const frame = container.ownerDocument.createElement('iframe');
  frame.hidden = true;
  frame.title = 'Requests of programs';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  container.append(frame);
  // Before that, Firefox may put another empty document in its place.
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
    // What the browser reports of this frame, it reports to the page.
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

/** Asks for the page itself, which no list allows. That this fails is not enough: the server may be away. */
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
