import type { NetHeaders } from '../protocol/exchange.ts';
import { ownPortOf, PORT_FOLDER } from '../protocol/preview.ts';

/** The headers that are about the connection to the server, that the preview decides itself, or that would outlast it. */
const DROPPED = new Set([
  'alt-svc',
  'clear-site-data',
  'connection',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'keep-alive',
  'nel',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'set-cookie',
  'strict-transport-security',
  'transfer-encoding',
  'x-frame-options',
]);
/** Directives of a server's policy that would keep its page out of the preview, or send it to https. */
const NOT_HERE = /^\s*(frame-ancestors|upgrade-insecure-requests|sandbox|report-uri|report-to)\b/i;

/**
 * The headers of an answer as the preview passes them on. `port` is that of the server, `policy` the preview's own, which is
 * added to the server's.
 */
export function responseHeaders(headers: NetHeaders, port: number | undefined, policy: string): NetHeaders {
  const kept = headers.flatMap(([name, value]): [string, string][] => {
    if (DROPPED.has(name)) return [];
    if (name === 'location') return [[name, ownLocation(value, port)]];
    if (name === 'content-security-policy') {
      const left = value
        .split(';')
        .filter((directive) => !NOT_HERE.test(directive))
        .join(';');
      return left.trim() ? [[name, left]] : [];
    }
    return [[name, value]];
  });
  return [
    ...kept,
    ['content-security-policy', policy],
    // The page of the app may be isolated, and then so must be what it embeds.
    ['cross-origin-embedder-policy', 'credentialless'],
    ['cross-origin-resource-policy', 'cross-origin'],
  ];
}

/** An address of the workspace's own servers, as the preview's origin knows it. */
export function ownLocation(location: string, port: number | undefined): string {
  if (!/^https?:\/\//i.test(location) || !URL.canParse(location)) return location;
  const url = new URL(location);
  const asked = ownPortOf(url);
  if (asked === undefined) return location;
  const path = url.pathname + url.search + url.hash;
  return asked === port ? path : `${PORT_FOLDER}${asked}${path}`;
}

/** The policy of every answer: the page reaches its own origin and the hosts that the settings name (`sources`). */
export function previewPolicy(sources: string): string {
  const hosts = sources && sources !== "'none'" ? ` ${sources}` : '';
  return [
    `default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'${hosts}`,
    `frame-src 'self' data: blob:`,
    `worker-src 'self' blob:`,
    `form-action 'self'`,
    `base-uri 'self'`,
    `object-src 'none'`,
  ].join('; ');
}
