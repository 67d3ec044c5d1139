import type { FromShell, Peer, ToShell } from '../shared/protocol.ts';
import { CallBatches } from './call-batches.ts';
import { runShell, shellCommands } from './engine.ts';
import { KernelFs } from './kernel-fs.ts';
import { ScriptRun, type RunMessage } from './script-run.ts';

/** The shell worker. It runs one script at a time for the kernel, through `interpret`. */
export function serveShell(peer: Peer<FromShell, ToShell>, interpret = runShell): void {
  const batches = new CallBatches((id, run, calls) => peer.post({ kind: 'fs', id, run, calls }));
  let stopped = 0;
  let current: ScriptRun | undefined;

  function start(message: RunMessage): void {
    const { run } = message;
    const fs = new KernelFs((call) => batches.ask(run, call));
    current = new ScriptRun(message, peer, fs, () => stopped === run);
    void current.execute(interpret);
  }

  function stop(run: number): void {
    stopped = run;
    current?.look();
  }

  peer.onMessage((message) => {
    if (message.kind === 'run') return start(message);
    if (message.kind === 'stop') return stop(message.run);
    if (message.kind === 'rest') return peer.post({ kind: 'rested' });
    if (message.kind === 'answers') return batches.answered(message.id, message.outcomes);
    if (message.kind === 'input') return current?.input(message.bytes);
    if (message.kind === 'endInput') return current?.endInput();
    if (message.run !== current?.run) return;
    switch (message.kind) {
      case 'signal':
        return message.signal === 'SIGKILL' ? stop(message.run) : current.signal(message.signal);
      case 'child':
        return current.hearChild(message.message);
      case 'outputUsed':
        return current.outputUsed(message.bytes);
      case 'line':
        return current.line(message.text);
      case 'resize':
        return current.resize(message.columns, message.rows);
    }
  });
  peer.post({ kind: 'ready', commands: shellCommands });
}
