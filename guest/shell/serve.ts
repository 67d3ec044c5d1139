import type { FromShell, Peer, ToShell } from '../shared/protocol.ts';
import { CallBatches } from './call-batches.ts';
import { runShell } from './engine.ts';
import { KernelFs } from './kernel-fs.ts';
import type { OuterJobs } from './outer-jobs.ts';
import { ScriptRun, type RunMessage } from './script-run.ts';

/** The shell worker. It runs one script at a time for the kernel, through `interpret`. */
export function serveShell(peer: Peer<FromShell, ToShell>, interpret = runShell): void {
  const batches = new CallBatches((id, run, calls) => peer.post({ kind: 'fs', id, run, calls }));
  let stopped = 0;
  let current: ScriptRun | undefined;

  function start(message: RunMessage): void {
    const { run } = message;
    const fs = new KernelFs((call) => batches.ask(run, call));
    const outer: OuterJobs = {
      list: (tell = false) => batches.ask(run, { op: 'jobs', tell }),
      signal: (pid, signal) => batches.ask(run, { op: 'signalJob', pid, signal }),
    };
    current = new ScriptRun(message, peer, fs, outer, () => stopped === run);
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
        if (message.signal === 'SIGKILL' && message.job === undefined) return stop(message.run);
        return current.signal(message.signal, message.job);
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
  peer.post({ kind: 'ready' });
}
