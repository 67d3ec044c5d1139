import type { Network } from './network-faults.ts';
import type { Fetch } from './fetch.ts';

/** How long a probe may take, in milliseconds; a server that accepts and then says nothing cannot be told apart. */
const PROBE_MS = 2_000;
/** How long after a blocked probe its report may come, in milliseconds. */
const REPORT_MS = 300;

/** What a browser tells about its network. Where there is no `location`, as in Node, nothing is known. */
export function browserNetwork(send: Fetch = globalThis.fetch.bind(globalThis)): Network {
  return {
    origin: globalThis.location?.origin,
    online: () => globalThis.navigator?.onLine ?? true,
    localAccessDenied: async () => {
      const states = await Promise.all(LOCAL_ACCESS.map(permissionState));
      return states.includes('denied');
    },
    reachable: (address, signal) => probe(address, signal, send),
  };
}

/** The names that Chromium's versions gave it; a browser that does not know a name rejects the query. */
const LOCAL_ACCESS = ['local-network-access', 'loopback-network', 'local-network'];

async function permissionState(name: string): Promise<PermissionState | undefined> {
  try {
    const descriptor: object = { name };
    return (await navigator.permissions.query(descriptor as PermissionDescriptor)).state;
  } catch {
    return undefined;
  }
}

/**
 * A request without CORS gets an opaque answer from any server that is up. On an isolated page the browser withholds
 * that too, unless the server opts in, but reports that it did: a report means that the server answered.
 */
async function probe(address: URL, signal: AbortSignal, send: Fetch): Promise<boolean | undefined> {
  const report = blockedReport(address);
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
    await send(address, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: limited });
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return undefined;
    if (!globalThis.crossOriginIsolated) return false;
    return await report.seen(signal);
  } finally {
    report.stop();
  }
}

/** Whether the page's own isolation kept an answer of this server from it; `undefined` where no such reports are made. */
function blockedReport(address: URL): {
  seen(signal: AbortSignal): Promise<boolean | undefined>;
  stop(): void;
} {
  if (!('ReportingObserver' in globalThis)) return { seen: async () => undefined, stop: () => {} };
  let resolve: (seen: boolean) => void;
  const reported = new Promise<boolean>((settle) => (resolve = settle));
  const observer = new ReportingObserver((reports) => {
    if (reports.some((report) => isBlocked(report, address))) resolve(true);
  });
  observer.observe();
  return {
    stop: () => observer.disconnect(),
    seen: (signal) => {
      const timer = setTimeout(() => resolve(false), REPORT_MS);
      signal.addEventListener('abort', () => resolve(false), { once: true });
      return reported.finally(() => clearTimeout(timer));
    },
  };
}

function isBlocked(report: Report, address: URL): boolean {
  // Only its JSON tells: the body of this kind of report has no property of its own.
  const body: unknown = JSON.parse(JSON.stringify(report.body));
  return (
    report.type === 'coep' &&
    typeof body === 'object' &&
    body !== null &&
    'blockedURL' in body &&
    typeof body.blockedURL === 'string' &&
    body.blockedURL.startsWith(address.origin)
  );
}
