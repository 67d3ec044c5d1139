export function isIPv4(text: unknown): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(String(text));
}

export function isIPv6(text: unknown): boolean {
  const value = String(text).replace(/%[0-9a-zA-Z-.:]+$/, '');
  if (!value.includes(':') || /[^0-9a-fA-F:.]/.test(value)) return false;
  try {
    return new URL(`http://[${value}]`).hostname !== '';
  } catch {
    return false;
  }
}

export function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** Whether a name or an address is one of the workspace itself. */
export function isOwnHost(host: string): boolean {
  return /^((.*\.)?localhost\.?|127(\.\d+){3}|0\.0\.0\.0|\[?::1?\]?|\[?::ffff:127(\.\d+){3}\]?)$/i.test(host);
}

/** The address that a name of the workspace stands for. */
export function addressOf(host: string): string {
  if (isIPv4(host)) return host === '0.0.0.0' ? '127.0.0.1' : host;
  if (isIPv6(host)) return host === '::' ? '::1' : host;
  return '127.0.0.1';
}
