import type { KernelLink } from '../kernel/link.ts';
import { serveHooks } from '../loader/hooks-server.ts';
import { HooksThread, type HooksRequest } from '../loader/hooks-thread.ts';
import type { Esm } from '../loader/esm.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { Ports } from '../process/port-types.ts';

export interface StartHooksContext {
  readonly link: KernelLink;
  readonly process: NodeJS.Process;
  readonly ports: Ports;
  /** The values of `--conditions`. */
  readonly conditions: readonly string[];
}

/** Starts the thread that runs the hooks of `module.register`. */
export function startHooks({ link, process, ports, conditions }: StartHooksContext): HooksThread {
  const { NODE_OPTIONS: _own, ...env } = process.env;
  const args = [...conditions.map((each) => `--conditions=${each}`), '-e', ''];
  const startThread = (memory: SharedArrayBuffer) => {
    const child = link.startChild(
      {
        program: { kind: 'node', args },
        cwd: process.cwd(),
        env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
        channel: true,
        thread: { hooks: memory },
      },
      (message) => {
        if (message.kind !== 'childOutput') return;
        link.print(message.stream, message.bytes);
        child.used(message.bytes.byteLength);
      },
    );
    return child;
  };
  return new HooksThread(
    startThread,
    (code) => process.exit(code),
    (list) => ports.pack(list),
  );
}

/** The memory for the answers of a thread that runs hooks. Undefined in any other process. */
export function hooksMemoryOf(thread: unknown): SharedArrayBuffer | undefined {
  const memory: unknown =
    typeof thread === 'object' && thread !== null ? Reflect.get(thread, 'hooks') : undefined;
  return memory instanceof SharedArrayBuffer ? memory : undefined;
}

export interface AnswerHooksContext {
  readonly loop: EventLoop;
  readonly process: NodeJS.Process;
  readonly ports: Ports;
  readonly esm: Esm;
}

/** In a thread that runs hooks: returns the function that answers its requests. */
export function answerHooks(
  { loop, process, ports, esm }: AnswerHooksContext,
  memory: SharedArrayBuffer,
): (request: HooksRequest) => void {
  const server = serveHooks({ memory, importFrom: (url) => esm.importFrom(url), usual: esm.usual });
  // The handle keeps the process alive, because the loop does not know of requests to come.
  loop.handle();
  process.on('exit', (code) => server.ended(code));
  return (request) => {
    if (request.kind === 'register') ports.adopt(request.packed);
    loop.add(() => void server.hear(request));
  };
}
