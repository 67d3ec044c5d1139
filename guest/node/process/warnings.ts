import type { LoadBuiltin } from '../builtins/builtin.ts';
import { argTypeError } from '../builtins/internal/errors.ts';
import { membersOf } from '../builtins/internal/guards.ts';
import type { NodeStart } from '../../shared/wire.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { StandardStreams } from './process-streams.ts';

/** The flags that say how warnings are reported. */
export interface WarningFlags {
  noWarnings: boolean;
  traceWarnings: boolean;
  /** Names and codes that `--disable-warning` turns off. */
  disabled: readonly string[];
  /** The file that `--redirect-warnings` names. */
  writtenTo: string | undefined;
}

type Warning = Error & { code?: string; detail?: string };

interface WarningsParts {
  readonly process: Pick<NodeJS.Process, 'noDeprecation' | 'throwDeprecation'>;
  readonly events: NodeJS.EventEmitter;
  readonly loop: EventLoop;
  readonly load: LoadBuiltin;
  readonly streams: Pick<StandardStreams, 'stderr'>;
  readonly start: NodeStart;
}

/** The warnings of a process: emitted as events, and shown unless the program or a flag says otherwise. */
export class Warnings {
  readonly flags: WarningFlags = {
    noWarnings: false,
    traceWarnings: false,
    disabled: [],
    writtenTo: undefined,
  };
  readonly #process: WarningsParts['process'];
  readonly #events: NodeJS.EventEmitter;
  readonly #loop: EventLoop;
  readonly #load: LoadBuiltin;
  readonly #streams: WarningsParts['streams'];
  readonly #start: NodeStart;
  readonly #emitted = new Set<string>();
  #hintShown = false;

  constructor({ process, events, loop, load, streams, start }: WarningsParts) {
    this.#process = process;
    this.#events = events;
    this.#loop = loop;
    this.#load = load;
    this.#streams = streams;
    this.#start = start;
    events.on('warning', (warning: Warning) => this.#show(warning));
  }

  /** The program's `process.emitWarning`, which is the only frame of ours in the stack of the warning. */
  readonly emitWarning = (
    warning: string | Error,
    typeOrOptions?: unknown,
    codeOrConstructor?: unknown,
  ): void => {
    let type: unknown = typeOrOptions;
    let code: unknown = codeOrConstructor;
    let detail: unknown;
    if (typeof typeOrOptions === 'object' && typeOrOptions !== null)
      ({ type, code, detail } = membersOf(typeOrOptions));
    else if (typeof typeOrOptions === 'function') type = undefined;
    if (Array.isArray(typeOrOptions)) type = typeOrOptions;
    if (typeof code === 'function') code = undefined;
    if (type !== undefined && typeof type !== 'string') throw argTypeError('type', 'string', type);
    if (code !== undefined && typeof code !== 'string') throw argTypeError('code', 'string', code);
    let error: Warning;
    if (typeof warning === 'string') {
      error = new Error(warning);
      error.name = type ?? 'Warning';
      if (code !== undefined) error.code = code;
      if (typeof detail === 'string') error.detail = detail;
    } else if (warning instanceof Error) error = warning;
    else throw argTypeError('warning', ['Error', 'string'], warning);
    if (error.name === 'DeprecationWarning') {
      if (this.#process.noDeprecation) return;
      if (this.#process.throwDeprecation)
        return this.#loop.nextTick(() => {
          throw error;
        }, []);
    }
    this.#loop.nextTick(() => this.#events.emit('warning', error), []);
  };

  /** Emits a warning once for each name of a feature. */
  experimental(name: string): void {
    if (this.#emitted.has(name)) return;
    this.#emitted.add(name);
    this.emitWarning(
      `${name} is an experimental feature and might change at any time`,
      'ExperimentalWarning',
    );
  }

  /** Emits a deprecation warning, once for each code. */
  deprecated(message: string, code: string): void {
    if (this.#emitted.has(code)) return;
    this.#emitted.add(code);
    this.emitWarning(message, 'DeprecationWarning', code);
  }

  #show(warning: Warning): void {
    if (!(warning instanceof Error)) return;
    const { name, code, detail } = warning;
    if (name === 'DeprecationWarning' && this.#process.noDeprecation) return;
    if (this.#start.env.NODE_NO_WARNINGS === '1' || this.flags.noWarnings) return;
    if (this.flags.disabled.some((each) => each === name || each === code)) return;
    const text = this.flags.traceWarnings && warning.stack ? warning.stack : textOf(warning);
    const prefix = `(node:${this.#start.pid}) ${code === undefined ? '' : `[${code}] `}`;
    let shown = `${prefix}${text}${detail === undefined ? '' : `\n${detail}`}`;
    if (!this.#hintShown && !this.flags.traceWarnings) {
      this.#hintShown = true;
      const flag = name === 'DeprecationWarning' ? '--trace-deprecation' : '--trace-warnings';
      shown += `\n(Use \`node ${flag} ...\` to show where the warning was created)`;
    }
    if (this.flags.writtenTo === undefined) this.#streams.stderr.write(`${shown}\n`);
    else this.#load('fs').appendFileSync(this.flags.writtenTo, `${shown}\n`);
  }
}

/** Describes an error even if the program has broken its `toString`. */
function textOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return Error.prototype.toString.call(error);
  }
}
