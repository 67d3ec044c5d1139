import { WASI as Library, type SyncWASIOptions } from '@tybys/wasm-util';
import type { LoadBuiltin } from '../builtin.ts';
import {
  argTypeError,
  argValueError,
  needInteger,
  needObject,
  needString,
  nodeError,
} from '../internal/errors.ts';
import { membersOf } from '../internal/guards.ts';
import { wasiFiles } from './files.ts';
import { adaptImports, type Imports } from './imports.ts';

/** Options that have been checked. */
interface Options {
  readonly version: 'unstable' | 'preview1';
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly preopens: Readonly<Record<string, string>>;
  readonly streams: readonly [input: number, output: number, errors: number];
  readonly returnOnExit: boolean;
}

export interface WasiHost {
  readonly process: { emitWarning(warning: string, type: string): void };
}

/** Makes `node:wasi` of a library that does the same over any file system. */
export function makeWasi({ process }: WasiHost, load: LoadBuiltin) {
  // Node warns in each thread, too. A program that uses WebAssembly here in place of native code would print it many times.
  if (!isThread(load))
    process.emitWarning(
      'WASI is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );

  class WASI extends Library {
    // The bundler gives it another name, because the library's has the same.
    static override readonly name = 'WASI';

    constructor(given: unknown = {}) {
      const { streams, ...options } = optionsOf(given);
      const files = wasiFiles(load('fs'));
      // Its types are those of an older node.
      super({ ...options, args: [...options.args], fs: files.fs as NonNullable<SyncWASIOptions['fs']> });
      let memory: WebAssembly.Memory | undefined;
      const key = keyOf(this, 'kSetMemory');
      const setMemory = Reflect.get(this, key) as (memory: WebAssembly.Memory) => void;
      Reflect.set(this, key, (value: unknown) => {
        if (!(value instanceof WebAssembly.Memory))
          throw argTypeError('instance.exports.memory', 'WebAssembly.Memory', value);
        memory = value;
        setMemory(value);
      });
      adaptImports(this.wasiImport as Imports, {
        ...files,
        streams,
        memory: (end) => bufferOf(memory, end),
      });
    }

    override finalizeBindings(...args: Parameters<Library['finalizeBindings']>): void {
      if (Reflect.get(this, keyOf(this, 'kStarted')) === true)
        throw nodeError('ERR_WASI_ALREADY_STARTED', 'WASI instance has already started');
      super.finalizeBindings(...args);
    }
  }

  return { WASI };
}

function isThread(load: LoadBuiltin): boolean {
  return membersOf(load('worker_threads')).isMainThread === false;
}

/** The library names its private members as node does, because libraries for threads look them up. */
function keyOf(wasi: object, name: string): symbol {
  const found = Object.getOwnPropertySymbols(wasi).find((key) => key.description === name);
  if (!found) throw new Error(`WASI has no ${name}`);
  return found;
}

/** Shared memory may have grown in another thread, which this one learns only by asking for it. */
function bufferOf(memory: WebAssembly.Memory | undefined, end: number): ArrayBufferLike {
  if (!memory) throw nodeError('ERR_WASI_NOT_STARTED', 'wasi.start() has not been called');
  if (end > memory.buffer.byteLength) memory.grow(0);
  return memory.buffer;
}

function optionsOf(given: unknown): Options {
  needObject(given, 'options');
  const {
    version,
    args = [],
    env = {},
    preopens = {},
    stdin = 0,
    stdout = 1,
    stderr = 2,
    returnOnExit,
  } = given;
  needString(version, 'options.version');
  if (version !== 'unstable' && version !== 'preview1')
    throw argValueError('options.version', version, 'unsupported WASI version');
  if (!Array.isArray(args)) throw argTypeError('options.args', 'Array', args);
  needObject(env, 'options.env');
  needObject(preopens, 'options.preopens');
  needInteger(stdin, 'options.stdin', 0, 2 ** 31 - 1);
  needInteger(stdout, 'options.stdout', 0, 2 ** 31 - 1);
  needInteger(stderr, 'options.stderr', 0, 2 ** 31 - 1);
  if (returnOnExit !== undefined && typeof returnOnExit !== 'boolean')
    throw argTypeError('options.returnOnExit', 'boolean', returnOnExit);
  return {
    version,
    args: args.map(String),
    env: textsOf(env),
    preopens: textsOf(preopens),
    streams: [stdin, stdout, stderr],
    returnOnExit: returnOnExit ?? true,
  };
}

function textsOf(values: object): Readonly<Record<string, string>> {
  const there = Object.entries(membersOf(values)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there.map(([name, value]) => [name, String(value)]));
}
