import { proxy, releaseProxy, type Remote } from 'comlink';
import { shellAccess, type Access } from '../../../guest/kernel/access.ts';
import { answerShell } from '../../../guest/kernel/shell-files.ts';
import { ShellPool } from '../../../guest/kernel/shell-pool.ts';
import type { ShellWorker } from '../../../guest/kernel/shell-worker.ts';
import type { FromShell, ToShell, WorkerPeer } from '../../../guest/shared/protocol.ts';
import { portPeer } from '../../../guest/shared/worker-scope.ts';
import { isInside } from '../../../src/protocol/paths.ts';
import { ROOT } from '../../../src/workspace/workspace.ts';
import type { Disk } from './disk.ts';
import { JSH } from './jsh-commands.ts';
import type { Knobs } from './knobs.ts';
import type { Ports } from './ports.ts';

export interface RunRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | number | boolean>>;
  readonly terminal?: { readonly cols: number; readonly rows: number };
}
interface End {
  readonly over: (code: number) => void;
  readonly ended: () => boolean;
}

/** Processes write in their home too, of which the file system API sees only the working directory. */
const hostAccess: Access = (path, use) => {
  if (!isInside(path, '/home')) shellAccess(path, use);
};

/** Kept over lives: a worker has nothing of its own. */
const pool = new ShellPool(startWorker);

type Output = Remote<(chunk: Uint8Array | null) => void>;

const HANGING = { onExit: new Promise<number>(() => {}), write() {}, resize() {}, kill() {} };

/** The processes of one life of the runtime. */
export class Processes {
  readonly #disk: Disk;
  readonly #knobs: Knobs;
  readonly #ports: Ports;
  readonly #running = new Set<() => void>();

  constructor(disk: Disk, knobs: Knobs, ports: Ports) {
    this.#disk = disk;
    this.#knobs = knobs;
    this.#ports = ports;
  }

  run({ command, args, cwd = '', env = {} }: RunRequest, output: Output | undefined) {
    const isFound = command === 'jsh' || (!this.#knobs.onlyShell && [...JSH, 'node'].includes(command));
    if (!isFound && this.#knobs.missingProgram === 'rejects') throw new Error(`spawn ${command} ENOENT`);
    if (command === 'node' && this.#knobs.nodeHangs) return proxy(HANGING);
    const directory = cwd.startsWith('/') ? cwd : `${ROOT}/${cwd}`.replace(/\/$/, '');
    const worker = pool.take();
    const id = crypto.randomUUID();
    this.#ports.begin(id);
    const cut = new PtyOutput(output, this.#knobs);
    let end: (code: number) => void = () => {};
    let fail: (error: Error) => void = () => {};
    const onExit = new Promise<number>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    onExit.catch(() => {});
    const over = (code: number) => {
      this.#running.delete(teardown);
      this.#ports.end(id);
      cut.end();
      end(code);
    };
    const teardown = () => {
      worker.terminate();
      if (this.#knobs.exitRejects) fail(new Error('Process aborted'));
      else over(1);
    };
    const handle = { over, ended: () => !this.#running.has(teardown) };
    this.#running.add(teardown);
    worker.run(
      {
        script: JSON.stringify({ id, words: isFound ? [command, ...args] : [] }),
        cwd: directory,
        env: { HOME: '/home', PATH: '/bin:/usr/bin:/usr/local/bin', ...stringsOf(env) },
      },
      {
        output: (_stream, bytes, taken) => {
          cut.add(bytes);
          taken();
        },
        child: () => {},
        wantsInput: () => {},
        files: async (call) => {
          // The helper leaves nothing in the background.
          if (call.op === 'jobs') return [];
          if (call.op === 'signalJob') return false;
          return answerShell(this.#disk.tree, hostAccess, call);
        },
        done: (exitCode) => {
          pool.giveBack(worker);
          over(exitCode);
        },
        lost: () => over(1),
      },
    );
    return proxy({
      onExit,
      write: (text: string) => {
        if (!handle.ended()) cut.echo(text);
        this.#write(worker, text, handle);
      },
      resize: () => {},
      kill: () => this.#kill(worker, 143, handle),
    });
  }

  teardown(): void {
    this.#ports.over();
    for (const end of [...this.#running]) end();
  }

  /** Input of a pseudo terminal: `\r\n` becomes two line breaks, Ctrl-C and Ctrl-D are keys. */
  #write(worker: ShellWorker, text: string, end: End): void {
    if (text === '\x03') return this.#kill(worker, 130, end);
    if (text === '\x04') return worker.endInput();
    worker.input(new TextEncoder().encode(text.replaceAll('\r', '\n')));
  }

  #kill(worker: ShellWorker, code: number, { over, ended }: End): void {
    if (this.#knobs.killIgnoredMs === Infinity) return;
    setTimeout(() => {
      // A worker whose process has ended may run another one by now.
      if (!ended()) worker.terminate();
      over(code);
    }, this.#knobs.killIgnoredMs);
  }
}

/** A pseudo terminal's output: `\n` is `\r\n`, and chunks end where they like. */
class PtyOutput {
  readonly #output: Output | undefined;
  readonly #knobs: Knobs;

  constructor(output: Output | undefined, knobs: Knobs) {
    this.#output = output;
    this.#knobs = knobs;
  }

  add(bytes: Uint8Array): void {
    const cooked: number[] = [];
    for (const byte of bytes) {
      if (byte === 0x0a) cooked.push(0x0d);
      cooked.push(byte);
    }
    const all = Uint8Array.from(cooked);
    if (this.#knobs.cutAnywhere) return this.#inPieces(all);
    const cut = this.#knobs.splitCharacters ? all.findIndex((byte) => byte >= 0x80) + 1 : 0;
    if (cut > 0) void this.#output?.(all.slice(0, cut));
    if (cut < all.length) void this.#output?.(all.slice(cut));
  }

  echo(text: string): void {
    if (this.#knobs.echo === 'none') return;
    const asCarets = text.replace(
      /[\x00-\x08\x0b-\x1f]/g,
      (key) => `^${String.fromCharCode(key.charCodeAt(0) + 64)}`,
    );
    this.add(new TextEncoder().encode(this.#knobs.echo === 'raw' ? text : asCarets));
  }

  #inPieces(all: Uint8Array): void {
    for (let at = 0; at < all.length;) {
      const end = at + 1 + Math.floor(Math.random() * 6);
      void this.#output?.(all.slice(at, end));
      at = end;
    }
  }

  end(): void {
    if (!this.#output || !this.#knobs.outputEnds) return;
    void this.#output(null);
    this.#output[releaseProxy]();
  }
}

function stringsOf(env: Readonly<Record<string, string | number | boolean>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
}

function startWorker(): WorkerPeer<ToShell, FromShell> {
  const worker = new Worker('/shell-worker.js');
  return {
    ...portPeer<ToShell, FromShell>(worker),
    onFailure: (listener) => {
      worker.onerror = (event) => listener(event.message);
    },
    terminate: () => worker.terminate(),
  };
}
