import { FLAG, OUTPUT_WINDOW, type FromShell, type Peer, type ToShell } from '../shared/protocol.ts';
import { CallBatches } from './call-batches.ts';
import { linkChildren } from './children.ts';
import { runShell, shellCommands } from './engine.ts';
import { StreamedInput } from './input.ts';
import { KernelFs } from './kernel-fs.ts';
import { OpenTerminal, TypedInput } from './keyboard.ts';
import { Session } from './session.ts';

/** The shell worker. It runs one script at a time for the kernel, through `interpret`. */
export function serveShell(peer: Peer<FromShell, ToShell>, interpret = runShell): void {
  const batches = new CallBatches((id, run, calls) => peer.post({ kind: 'fs', id, run, calls }));
  let stopped = 0;
  let input: { input(bytes: Uint8Array): void; endInput(): void } | undefined;
  let hearChild: ReturnType<typeof linkChildren> | undefined;
  let running = 0;
  /** How many bytes of output are on their way to the reader; `writers` wait until they have been read. */
  let flying = 0;
  const writers: (() => void)[] = [];
  let signal: (name: string) => void = () => {};
  let hearInterrupt: () => void = () => {};
  let session: Session | undefined;
  /** The terminal of a script that another process has started in its own terminal. */
  let lent: OpenTerminal | undefined;

  async function execute(message: Extract<ToShell, { kind: 'run' }>): Promise<void> {
    const { run, script, cwd, env, flag, args, name, terminal } = message;
    const columns = message.columns ?? terminal?.columns;
    running = run;
    signal = () => {};
    session = undefined;
    lent = undefined;
    hearChild = linkChildren((said, transfer) => peer.post({ kind: 'child', run, message: said }, transfer));
    flying = 0;
    const say = (bytes: Uint8Array, stream: 1 | 2 = 1) => {
      peer.post({ kind: 'output', run, bytes, stream });
      flying += bytes.byteLength;
      if (flying > OUTPUT_WINDOW) return new Promise<void>((resolve) => writers.push(resolve));
    };
    const fs = new KernelFs((call) => batches.ask(run, call));
    let interrupts = 0;
    hearInterrupt = () => {
      if (!flag) return signal('SIGINT');
      const now = Atomics.load(flag, FLAG.interrupts);
      if (now === interrupts) return;
      interrupts = now;
      signal('SIGINT');
    };
    const looksUp = () => {
      if (flag) hearInterrupt();
      return aborted();
    };
    const aborted = () => stopped === run || (flag !== undefined && Atomics.load(flag, FLAG.stopped) === run);
    const setting = {
      cwd,
      env,
      output: (bytes: Uint8Array) => say(bytes),
      error: (bytes: Uint8Array) => say(bytes, 2),
      aborted: looksUp,
    };
    const runLines = (rows: number) => {
      const lines = new Session(fs, {
        ...setting,
        columns: columns ?? 80,
        rows,
        lineDone: (state) => peer.post({ kind: 'lineDone', run, state }),
        keyboard: (mode) => peer.post({ kind: 'keyboard', run, mode }),
      });
      session = lines;
      input = lines;
      signal = (name) => lines.signal(name);
      return lines.ended;
    };
    const runWhole = () => {
      const streamed = message.stdin
        ? undefined
        : new StreamedInput((bytes) => peer.post({ kind: 'inputUsed', run, bytes }));
      input = streamed && { input: (bytes) => streamed.add(bytes), endInput: () => streamed.end() };
      if (terminal) {
        const typed = new TypedInput(
          (mode) => peer.post({ kind: 'keyboard', run, mode }),
          (bytes) => peer.post({ kind: 'inputUsed', run, bytes }),
        );
        lent = new OpenTerminal(terminal.columns, terminal.rows, typed);
        if (terminal.streams.includes(0))
          input = { input: (bytes) => typed.add(bytes), endInput: () => typed.end() };
      }
      return interpret(fs, script, {
        ...setting,
        stdin: message.stdin ?? streamed ?? new Uint8Array(),
        signals: (send) => (signal = send),
        ...(args && { args }),
        ...(name !== undefined && { name }),
        ...(columns !== undefined && { columns }),
        ...(terminal && lent && { terminal: lent, rows: terminal.rows, terminals: terminal.streams }),
      });
    };
    try {
      const end = await (message.typedRows === undefined ? runWhole() : runLines(message.typedRows));
      peer.post({ kind: 'done', run, ...end });
    } catch (error) {
      void say(new TextEncoder().encode(`bash: ${error instanceof Error ? error.message : String(error)}\n`));
      peer.post({ kind: 'done', run, exitCode: 1, cwd });
    }
  }

  peer.onMessage((message) => {
    switch (message.kind) {
      case 'run':
        return void execute(message);
      case 'stop':
        stopped = message.run;
        return session?.look();
      case 'signal':
        if (message.run !== running) return;
        if (message.signal === 'SIGKILL') {
          stopped = running;
          session?.look();
        } else if (message.signal === 'SIGINT') hearInterrupt();
        else signal(message.signal);
        return;
      case 'child':
        if (message.run === running) hearChild?.(message.message);
        return;
      case 'outputUsed':
        if (message.run === running) flying -= message.bytes;
        if (flying <= OUTPUT_WINDOW) for (const go of writers.splice(0)) go();
        return;
      case 'rest':
        return peer.post({ kind: 'rested' });
      case 'input':
        return input?.input(message.bytes);
      case 'endInput':
        return input?.endInput();
      case 'line':
        return message.run === running ? session?.line(message.text) : undefined;
      case 'resize':
        if (message.run === running) (session ?? lent)?.resize(message.columns, message.rows);
        return;
      case 'answers':
        return batches.answered(message.id, message.outcomes);
    }
  });
  peer.post({ kind: 'ready', commands: shellCommands });
}
