import { LOCAL_SERVERS, type LocalServer } from './providers/ids.ts';

export type AddressSpace = 'loopback' | 'local' | 'public';

/** Which address space a host name is in, judged by its text alone. */
export function addressSpace(address: URL): AddressSpace {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host))
    return 'loopback';
  const privateIP = /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|fe80:|f[cd][0-9a-f]{2}:)/i;
  if (privateIP.test(host) || host.endsWith('.local')) return 'local';
  return 'public';
}

/** The kind of server whose default port this is, on this machine or the local network. */
export function localServerAt(address: URL): LocalServer | undefined {
  if (addressSpace(address) === 'public') return undefined;
  return LOCAL_SERVERS.find((server) => new URL(server.baseURL).port === address.port)?.id;
}

export function parseURL(text: string | undefined): URL | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}
