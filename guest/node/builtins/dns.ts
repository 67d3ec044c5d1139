import { unsupported } from '../unsupported.ts';
import type { MakeBuiltin } from './builtin.ts';
import { nameNotFound } from './internal/errno.ts';
import { needFunction, needString, unavailable } from './internal/errors.ts';
import { isIPv4, isIPv6 } from './net/addresses.ts';

interface LookupAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Looks up a name. Only the browser can look up hosts, so this knows addresses and names of this machine. */
function lookup(name: string): LookupAddress {
  if (isIPv4(name)) return { address: name, family: 4 };
  if (isIPv6(name)) return { address: name, family: 6 };
  if (name === 'localhost' || name.endsWith('.localhost')) return { address: '127.0.0.1', family: 4 };
  throw nameNotFound(name);
}

const { names, why } = unsupported.dns;

const wantsAll = (options: unknown) =>
  typeof options === 'object' && options !== null && Boolean(Reflect.get(options, 'all'));

/** The members of both forms of the module, except `lookup`. `refuse` makes a function that throws an error. */
function besidesLookup(refuse: (name: string) => unknown) {
  return {
    ...Object.fromEntries(names.map((name) => [name, refuse(name)])),
    getServers: () => [],
    setServers: () => undefined,
    setDefaultResultOrder: () => undefined,
    getDefaultResultOrder: () => 'verbatim',
  };
}

export const makeDnsPromises: MakeBuiltin = () => {
  const refuse = (name: string) => () => Promise.reject(unavailable(`dns.${name}`, why));
  return {
    lookup: async (name: unknown, options: unknown = {}) => {
      needString(name, 'hostname');
      const found = lookup(name);
      return wantsAll(options) ? [found] : found;
    },
    ...besidesLookup(refuse),
  };
};

export const makeDns: MakeBuiltin = ({ process }, load) => {
  const refuse =
    (name: string) =>
    (...args: unknown[]) => {
      const done = args.at(-1);
      needFunction(done, 'callback');
      process.nextTick(() => done(unavailable(`dns.${name}`, why)));
    };
  return {
    lookup: (name: unknown, options: unknown, callback?: unknown) => {
      const done = typeof options === 'function' ? options : callback;
      needString(name, 'hostname');
      needFunction(done, 'callback');
      const all = wantsAll(options);
      process.nextTick(() => {
        let found: LookupAddress;
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
    ...besidesLookup(refuse),
    promises: load('dns/promises'),
    ADDRCONFIG: 32,
    V4MAPPED: 8,
    ALL: 16,
    NOTFOUND: 'ENOTFOUND',
  };
};
