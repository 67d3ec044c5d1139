import { isScript, isSlashed, setPath, type Parts } from './parts.ts';

/**
 * Makes `result`, which begins as a copy of the base, the URL to which `target` leads from there. `target`
 * must be a copy, too, because its parts change. `href` stays as it was.
 */
export function resolveParts(result: Parts, target: Parts): void {
  result.hash = target.hash;
  if (target.href === '') return;
  if (target.slashes && !target.protocol) changeHost(result, target);
  else if (target.protocol && target.protocol !== result.protocol) changeProtocol(result, target);
  else changePath(result, target);
}

function changeHost(result: Parts, target: Parts): void {
  Object.assign(result, target, { protocol: result.protocol });
  if (isSlashed(result.protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
}

function changeProtocol(result: Parts, target: Parts): void {
  if (!isSlashed(target.protocol)) {
    Object.assign(result, target);
    return;
  }
  result.protocol = target.protocol;
  result.pathname = target.pathname;
  if (!target.host && !/^file:?$/.test(target.protocol ?? '') && !isScript(target.protocol)) {
    // The first part of the path that is not empty is the host.
    const [, host = '', pathname = ''] = /^\/*([^/]*)(?:\/(?=\/))?([^]*)$/.exec(target.pathname ?? '') ?? [];
    target.host = host;
    target.hostname ||= '';
    result.pathname = pathname || '/';
  }
  result.search = target.search;
  result.query = target.query;
  result.host = target.host || '';
  result.auth = target.auth;
  result.hostname = target.hostname || target.host;
  result.port = target.port;
  setPath(result);
  result.slashes ||= target.slashes;
}

function changePath(result: Parts, target: Parts): void {
  const isFromRoot = Boolean(target.host) || target.pathname?.startsWith('/') === true;
  let isAbsolute = isFromRoot || result.pathname?.startsWith('/') === true || isBelowHost(result, target);
  const hasDotsRemoved = isAbsolute;
  let path = result.pathname ? result.pathname.split('/') : [];
  const own = target.pathname ? target.pathname.split('/') : [];
  // Such a URL has its host in front of its path until the end.
  const isHostInPath = result.protocol !== null && result.protocol !== '' && !isSlashed(result.protocol);
  if (isHostInPath) {
    moveHostIntoPath(result, target, path, own);
    isAbsolute &&= own[0] === '' || path[0] === '';
  }

  if (isFromRoot) {
    takeHost(result, target);
    path = own;
  } else if (own.length > 0) path = [...path.slice(0, -1), ...own];
  else if (target.search !== null && target.search !== undefined) {
    if (isHostInPath) takeHostFromPath(result, path.shift());
    result.search = target.search;
    result.query = target.query;
    if (result.pathname !== null || result.search !== null)
      result.path = (result.pathname || '') + (result.search || '');
    return;
  }
  if (isFromRoot || own.length > 0) {
    result.search = target.search;
    result.query = target.query;
  }
  if (path.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    return;
  }

  path = withoutDots(path, Boolean(result.host || target.host), isAbsolute, hasDotsRemoved);
  const beginsAtRoot = path[0] === '' || path[0]?.startsWith('/') === true;
  if (isHostInPath) takeHostFromPath(result, beginsAtRoot ? '' : (path.shift() ?? ''));
  if ((isAbsolute || (result.host && path.length > 0)) && !beginsAtRoot) path.unshift('');
  result.pathname = path.length > 0 ? path.join('/') : null;
  if (path.length === 0) result.path = null;
  if (result.pathname !== null || result.search !== null)
    result.path = (result.pathname || '') + (result.search || '');
  result.auth = target.auth || result.auth;
  result.slashes ||= target.slashes;
}

function isBelowHost(result: Parts, target: Parts): boolean {
  return Boolean(result.host && target.pathname);
}

function moveHostIntoPath(result: Parts, target: Parts, path: string[], own: string[]): void {
  result.hostname = '';
  result.port = null;
  if (result.host) putFirst(path, result.host);
  result.host = '';
  if (!target.protocol) return;
  target.hostname = null;
  target.port = null;
  result.auth = null;
  if (target.host) putFirst(own, target.host);
  target.host = null;
}

function putFirst(path: string[], host: string): void {
  if (path[0] === '') path[0] = host;
  else path.unshift(host);
}

/** The authentication is for one host only. */
function takeHost(result: Parts, target: Parts): void {
  if (target.host || target.host === '') {
    if (result.host !== target.host) result.auth = null;
    result.host = target.host;
    result.port = target.port;
  }
  if (target.hostname || target.hostname === '') {
    if (result.hostname !== target.hostname) result.auth = null;
    result.hostname = target.hostname;
  }
}

function takeHostFromPath(result: Parts, first: string | undefined): void {
  const [auth, host] = first !== undefined && first.indexOf('@') > 0 ? first.split('@') : [];
  if (host !== undefined && auth !== undefined) result.auth = auth;
  result.host = result.hostname = host ?? first;
}

function withoutDots(
  segments: readonly string[],
  hasHost: boolean,
  isAbsolute: boolean,
  hasDotsRemoved: boolean,
): string[] {
  const last = segments.at(-1);
  const isFolder = ((hasHost || segments.length > 1) && (last === '.' || last === '..')) || last === '';
  const path: string[] = [];
  let up = 0;
  for (const segment of segments.toReversed()) {
    if (segment === '.') continue;
    if (segment === '..') up++;
    else if (up > 0) up--;
    else path.unshift(segment);
  }
  if (!isAbsolute && !hasDotsRemoved) path.unshift(...Array<string>(up).fill('..'));
  if (isAbsolute && path[0] !== '' && !path[0]?.startsWith('/')) path.unshift('');
  if (isFolder && !path.join('/').endsWith('/')) path.push('');
  return path;
}
