import type { ProcessSignal } from '../../shared/protocol.ts';
import { SIGNAL_NUMBERS } from '../../shared/signals.ts';
import { processMembers } from './process-members.ts';
import { watchHandledSignals } from './process-signals.ts';
import { ProcessState, type ProcessObject, type ProcessParts } from './process-state.ts';
import { StandardStreams } from './process-streams.ts';
import { Warnings } from './warnings.ts';

/** The `process` object. */
export function makeProcess(parts: ProcessParts) {
  const { start, link, loop, load } = parts;
  const EventEmitter = load('events');
  const streams = new StandardStreams(load, link, loop, start.terminal);
  const state = new ProcessState(start.cwd);

  // No class, because programs may call it: jest does so on the copy that its tests get.
  function process(this: unknown): unknown {
    return this;
  }
  Object.setPrototypeOf(process.prototype, EventEmitter.prototype);
  const it = Object.create(process.prototype as object) as ProcessObject;
  const events: NodeJS.EventEmitter = it;
  Reflect.apply(EventEmitter, it, []);
  Object.defineProperty(it, Symbol.toStringTag, { value: 'process', writable: true });
  watchHandledSignals(it, streams.input, link);
  const warnings = new Warnings({ process: it, events, loop, load, streams, start });
  defineMembers(it, processMembers({ ...parts, it, events, streams, warnings, state }), streams, state);

  return {
    process: it as NodeJS.Process,
    events,
    streams,
    /** Emits a warning at once, so that it is shown before the effects of its cause. */
    warnNow: (text: string) =>
      void events.emit('warning', Object.assign(new Error(text), { name: 'Warning' })),
    flags: warnings.flags,
    /**
     * Shares the environment with other threads from now on. `given`: the memory, if this thread was
     * started with one.
     */
    shareEnv: (given?: SharedArrayBuffer) => state.shareEnv(it.env, given),
    get capture() {
      return state.capture;
    },
    get exiting() {
      return state.exiting;
    },
    /** Returns the exit code as it is now. */
    code: () => state.code,
    signal(signal: ProcessSignal) {
      if (signal === 'SIGINT' && streams.input.isRaw) return streams.input.press('\x03');
      loop.add(() => events.emit(signal, signal, SIGNAL_NUMBERS[signal]));
    },
    resized(columns: number, rows: number) {
      loop.add(() => {
        streams.resized(columns, rows);
        events.emit('SIGWINCH', 'SIGWINCH', SIGNAL_NUMBERS.SIGWINCH);
      });
    },
  };
}

export type MadeProcess = ReturnType<typeof makeProcess>;

function defineMembers(it: object, members: object, streams: StandardStreams, state: ProcessState): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(it, name, { value, writable: true, configurable: true, enumerable: true });
  for (const name of ['stdin', 'stdout', 'stderr'] as const)
    Object.defineProperty(it, name, { get: () => streams[name], configurable: true, enumerable: true });
  Object.defineProperty(it, 'exitCode', {
    get: () => state.exitCode,
    set: (value: unknown) => state.setExitCode(value),
    configurable: true,
    enumerable: true,
  });
}
