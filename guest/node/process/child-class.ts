import type { Readable, Writable } from 'node:stream';
import { argTypeError, needString } from '../builtins/internal/errors.ts';
import { membersOf } from '../builtins/internal/guards.ts';
import { requestOf, type ChildRequest } from './child-request.ts';
import { ChildRun, type RunContext } from './child-run.ts';
import { prepared, variablesIn } from './prepared-spawn.ts';

export type ChildProcess = InstanceType<ReturnType<typeof makeChildClass>['ChildProcess']>;

/** Makes the class `ChildProcess` of node, and the function that starts one from a checked request. */
export function makeChildClass(context: RunContext) {
  const EventEmitter = context.load('events');
  let start: (request: ChildRequest) => ChildProcess;
  class ChildProcess extends EventEmitter {
    pid: number | undefined;
    connected = false;
    exitCode: number | null = null;
    signalCode: string | null = null;
    killed = false;
    spawnfile: string | null = null;
    spawnargs: string[] = [];
    stdin: Writable | null = null;
    stdout: Readable | null = null;
    stderr: Readable | null = null;
    stdio: unknown[] = [];
    readonly #run = new ChildRun(context, this);

    /** Takes the options that the module's `spawn` has prepared. The program's name is the first argument. */
    spawn(options: unknown): void {
      if (typeof options !== 'object' || options === null) throw argTypeError('options', 'object', options);
      const { file, args, envPairs, ...rest } = membersOf(options);
      if (envPairs !== undefined && !Array.isArray(envPairs))
        throw argTypeError('options.envPairs', 'Array', envPairs);
      needString(file, 'options.file');
      if (args !== undefined && !Array.isArray(args)) throw argTypeError('options.args', 'Array', args);
      const env = envPairs === undefined ? {} : { env: variablesIn(envPairs) };
      this.#run.start(requestOf(context, file, (args ?? []).slice(1), { ...rest, ...env }));
    }

    kill(signal: string | number = 'SIGTERM'): boolean {
      return this.#run.kill(signal);
    }

    ref() {
      this.#run.ref();
    }

    unref() {
      this.#run.unref();
    }

    static {
      const { spawn } = this.prototype;
      start = (request) => {
        const child = new ChildProcess();
        // A program may have put its own function in the place of this one.
        if (child.spawn === spawn) child.#run.start(request);
        else child.spawn(prepared(context, request));
        return child;
      };
      const symbol: unknown = Reflect.get(Symbol, 'dispose');
      if (typeof symbol === 'symbol')
        Object.defineProperty(this.prototype, symbol, {
          value(this: ChildProcess) {
            if (!this.killed) this.kill();
          },
        });
    }
  }
  return { ChildProcess, start: (request: ChildRequest) => start(request) };
}
