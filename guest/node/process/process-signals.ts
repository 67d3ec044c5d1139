import { nodeError } from '../builtins/internal/errors.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { ProcessSignal } from '../../shared/protocol.ts';
import { isSignal, signalNumbered } from '../../shared/signals.ts';
import type { StandardInput } from './standard-input.ts';

/** Tells the kernel which signals the program handles, whenever that changes. */
export function watchHandledSignals(
  events: NodeJS.EventEmitter,
  input: Pick<StandardInput, 'isRaw' | 'onRaw'>,
  link: KernelLink,
): void {
  const handled = new Set<ProcessSignal>();
  /**
   * Reports the signals that the program handles. At once, because one may come right after the program
   * says it is ready.
   */
  const report = (added?: string | symbol) => {
    const listened = new Set([...events.eventNames(), ...(added === undefined ? [] : [added])]);
    // In raw mode, Ctrl-C is a key like any other.
    if (input.isRaw) listened.add('SIGINT');
    const names = [...listened].filter(isSignal);
    if (names.length === handled.size && names.every((name) => handled.has(name))) return;
    handled.clear();
    for (const name of names) handled.add(name);
    link.say({ kind: 'catches', signals: names });
  };
  events.on('newListener', (name) => {
    if (name === 'SIGKILL' || name === 'SIGSTOP') throw refused('EINVAL', 'uv_signal_start');
    if (isSignal(name)) report(name);
  });
  events.on('removeListener', () => report());
  input.onRaw(() => report());
}

/** Makes the error of a refused system call that has no path. */
export function refused(code: 'EINVAL' | 'ESRCH', syscall: string) {
  const errno = code === 'EINVAL' ? -22 : -3;
  return Object.assign(new Error(`${syscall} ${code}`), { errno, code, syscall });
}

export function signalName(given: string | number | null): ProcessSignal | 0 {
  if (given === 0) return 0;
  const signal = given ?? 'SIGTERM';
  const name = typeof signal === 'number' ? signalNumbered(signal) : signal;
  if (isSignal(name)) return name;
  if (typeof signal === 'number') throw refused('EINVAL', 'kill');
  throw nodeError('ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}`, TypeError);
}
