import {
  argTypeError,
  needFunction,
  needInteger,
  needObject,
  nodeError,
} from '../builtins/internal/errors.ts';
import { inspect } from '../builtins/internal/inspect.ts';

interface Usage {
  readonly user: number;
  readonly system: number;
}

/** Checks the earlier result that is passed to `cpuUsage` and the like. */
export function needUsage(value: unknown): asserts value is Usage {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw argTypeError('prevValue', 'object', value);
  for (const name of ['user', 'system'] as const) {
    const number: unknown = Reflect.get(value, name);
    if (typeof number !== 'number') throw argTypeError(`prevValue.${name}`, 'number', number);
    if (number < 0 || number > Number.MAX_SAFE_INTEGER)
      throw nodeError(
        'ERR_INVALID_ARG_VALUE',
        `The property 'prevValue.${name}' is invalid. Received ${inspect(number)}`,
        RangeError,
      );
  }
}

/** Checks the argument of `umask`, a number or octal digits, and returns the mask. */
export function maskOf(value: unknown): number {
  if (typeof value === 'string') {
    if (!/^[0-7]+$/.test(value))
      throw nodeError(
        'ERR_INVALID_ARG_VALUE',
        `The argument 'mask' must be a 32-bit unsigned integer or an octal string. Received ${inspect(value)}`,
        TypeError,
      );
    return Number.parseInt(value, 8) & 0o777;
  }
  needInteger(value, 'mask', 0, 2 ** 32 - 1);
  return value & 0o777;
}

const MAX_ID = 2 ** 32 - 1;

function needId(value: unknown, name: string): asserts value is number | string {
  if (typeof value === 'number') needInteger(value, name, 0, MAX_ID);
  else if (typeof value !== 'string') throw argTypeError(name, ['number', 'string'], value);
}

/**
 * Makes the functions for user and group ids. There is one user, who is not root and cannot become another.
 */
export function makeUsers(uid: number, gid: number) {
  function refuse(syscall: string): never {
    throw Object.assign(new Error(`EPERM, Operation not permitted`), { errno: 1, code: 'EPERM', syscall });
  }
  const unknown = (kind: string, name: unknown) =>
    nodeError('ERR_UNKNOWN_CREDENTIAL', `${kind} identifier does not exist: ${String(name)}`);
  const become = (syscall: string, kind: 'User' | 'Group', own: number) => (id: unknown) => {
    needId(id, 'id');
    if (typeof id === 'string') throw unknown(kind, id);
    if (id !== own) refuse(syscall);
  };
  return {
    getuid: () => uid,
    geteuid: () => uid,
    getgid: () => gid,
    getegid: () => gid,
    getgroups: () => [gid],
    setuid: become('setuid', 'User', uid),
    seteuid: become('seteuid', 'User', uid),
    setgid: become('setgid', 'Group', gid),
    setegid: become('setegid', 'Group', gid),
    setgroups(groups: unknown) {
      if (!Array.isArray(groups)) throw argTypeError('groups', 'Array', groups);
      groups.forEach((group: unknown, at) => needId(group, `groups[${at}]`));
      const name: unknown = groups.find((group) => typeof group === 'string');
      if (name !== undefined) throw unknown('Group', name);
      refuse('setgroups');
    },
    initgroups(user: unknown, extra: unknown) {
      needId(user, 'user');
      needId(extra, 'extraGroup');
      if (typeof extra === 'string') throw unknown('Group', extra);
      if (typeof user === 'string') throw unknown('User', user);
      refuse('initgroups');
    },
  };
}

/** `process.ref` and `unref`: calls the method of a thing, by its symbol or by its older plain name. */
export const referrer = (name: 'ref' | 'unref') => (thing: unknown) => {
  if (thing === undefined || thing === null) return;
  const method: unknown =
    Reflect.get(Object(thing), Symbol.for(`nodejs.${name}`)) ?? Reflect.get(Object(thing), name);
  if (typeof method === 'function') Reflect.apply(method, thing, []);
};

/** `process.finalization`: calls back for registered objects that still exist when the process ends. */
export function makeFinalization(events: NodeJS.EventEmitter, experimental: (name: string) => void) {
  type Callback = (thing: object, event: string) => void;
  interface Registered {
    readonly thing: WeakRef<object>;
    readonly callback: Callback;
  }
  const registered: Record<'exit' | 'beforeExit', Set<Registered>> = {
    exit: new Set(),
    beforeExit: new Set(),
  };
  const register = (event: 'exit' | 'beforeExit', name: string) => (thing: unknown, callback: unknown) => {
    experimental(`process.finalization.${name}`);
    needObject(thing, 'obj');
    needFunction(callback, 'fn');
    if (registered[event].size === 0)
      events.once(event, () => {
        for (const { thing: each, callback } of registered[event]) {
          const left = each.deref();
          if (left) callback(left, event);
        }
      });
    registered[event].add({ thing: new WeakRef(thing), callback });
  };
  return {
    register: register('exit', 'register'),
    registerBeforeExit: register('beforeExit', 'registerBeforeExit'),
    unregister(thing: unknown) {
      experimental('process.finalization.unregister');
      for (const set of Object.values(registered))
        for (const each of set) if (each.thing.deref() === thing) set.delete(each);
    },
  };
}
