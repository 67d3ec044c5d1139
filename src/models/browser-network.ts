import type { Network } from './fault-context.ts';
import type { Fetch } from './fetch.ts';

/** How long a probe may take, in milliseconds. A server that accepts and then stays silent remains undecided. */
const PROBE_MS = 2_000;
/** How long to wait for the browser's report after a blocked probe, in milliseconds. */
const REPORT_MS = 300;

/** Asks the browser about its network. Without a `location`, as in Node, nothing is known. */
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

/** The names of this permission across Chromium's versions; a browser rejects the query for a name it does not know. */
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
    return await report.isReported(signal);
  } finally {
    report.stop();
  }
}

/** Whether the page's isolation blocked an answer of this server; `undefined` in browsers without such reports. */
function blockedReport(address: URL): {
  isReported(signal: AbortSignal): Promise<boolean | undefined>;
  stop(): void;
} {
  if (!('ReportingObserver' in globalThis)) return { isReported: async () => undefined, stop: () => {} };
  let resolve: (isReported: boolean) => void;
  const reported = new Promise<boolean>((settle) => (resolve = settle));
  const observer = new ReportingObserver((reports) => {
    if (reports.some((report) => isBlocked(report, address))) resolve(true);
  });
  observer.observe();
  return {
    stop: () => observer.disconnect(),
    isReported: (signal) => {
      const timer = setTimeout(() => resolve(false), REPORT_MS);
      signal.addEventListener('abort', () => resolve(false), { once: true });
      return reported.finally(() => clearTimeout(timer));
    },
  };
}

function isBlocked(report: Report, address: URL): boolean {
  // Only the JSON form has the fields: a body of this kind has no own properties.
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
