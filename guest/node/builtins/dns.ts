import type { MakeBuiltin } from './builtin.ts';
import { systemError } from './internal/errno.ts';
import { needFunction, needString, unavailable } from './internal/errors.ts';
import { isIPv4, isIPv6 } from './net.ts';

interface Found {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Names are the browser's to look up: only those of this machine are known, and what is an address already. */
function lookup(name: string): Found {
  if (isIPv4(name)) return { address: name, family: 4 };
  if (isIPv6(name)) return { address: name, family: 6 };
  if (name === 'localhost' || name.endsWith('.localhost')) return { address: '127.0.0.1', family: 4 };
  const error = systemError('ENOTFOUND', 'getaddrinfo', name, { hostname: name });
  error.errno = -3008;
  throw error;
}

const records = ['Any', '4', '6', 'Caa', 'Cname', 'Mx', 'Naptr', 'Ns', 'Ptr', 'Soa', 'Srv', 'Txt'];
const why = 'a browser asks no name servers';

export const makeDnsPromises: MakeBuiltin = () => {
  const refuse = (name: string) => () => Promise.reject(unavailable(`dns.${name}`, why));
  return {
    lookup: async (name: unknown, options: unknown = {}) => {
      needString(name, 'hostname');
      const found = lookup(name);
      return typeof options === 'object' && options !== null && Reflect.get(options, 'all') ? [found] : found;
    },
    ...Object.fromEntries(records.map((kind) => [`resolve${kind}`, refuse(`resolve${kind}`)])),
    resolve: refuse('resolve'),
    reverse: refuse('reverse'),
    getServers: () => [],
    setServers: () => undefined,
    setDefaultResultOrder: () => undefined,
    getDefaultResultOrder: () => 'verbatim',
  };
};

export const makeDns: MakeBuiltin = ({ process }, load) => {
  const later = (error: Error | null, ...values: unknown[]) => [error, ...values];
  const refuse =
    (name: string) =>
    (...args: unknown[]) => {
      const done = args.at(-1);
      needFunction(done, 'callback');
      process.nextTick(() => done(...later(unavailable(`dns.${name}`, why))));
    };
  return {
    lookup: (name: unknown, options: unknown, callback?: unknown) => {
      const done = typeof options === 'function' ? options : callback;
      needString(name, 'hostname');
      needFunction(done, 'callback');
      const all = typeof options === 'object' && options !== null && Boolean(Reflect.get(options, 'all'));
      process.nextTick(() => {
        let found: Found;
        try {
          found = lookup(name);
        } catch (error) {
          return void done(error);
        }
        if (all) done(null, [found]);
        else done(null, found.address, found.family);
      });
      return {};
    },
    ...Object.fromEntries(records.map((kind) => [`resolve${kind}`, refuse(`resolve${kind}`)])),
    resolve: refuse('resolve'),
    reverse: refuse('reverse'),
    getServers: () => [],
    setServers: () => undefined,
    setDefaultResultOrder: () => undefined,
    getDefaultResultOrder: () => 'verbatim',
    promises: load('dns/promises'),
    ADDRCONFIG: 32,
    V4MAPPED: 8,
    ALL: 16,
    NOTFOUND: 'ENOTFOUND',
  };
};
