const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether the address has https and no user name or password in it. */
export function isSecureAddress(url: URL): boolean {
  return url.protocol === 'https:' && isWithoutCredentials(url);
}

/** Whether both are of servers on this computer, so that a site can be tried before it is published. */
export function isLocalAddress(url: URL, page: URL): boolean {
  return (
    url.protocol === 'http:' &&
    isWithoutCredentials(url) &&
    LOOPBACK.test(url.hostname) &&
    LOOPBACK.test(page.hostname)
  );
}

export function isWithoutCredentials({ username, password }: URL): boolean {
  return username === '' && password === '';
}
