import { spawn } from 'node:child_process';
import { OutputQueue } from '../../src/workspace/embedded/output-queue.ts';
import type { Exit, Process, SpawnOptions } from '../../src/workspace/workspace.ts';
import { ROOT } from '../../src/workspace/workspace.ts';
import { MemoryWorkspace } from './memory-workspace.ts';

/** Files in memory, and the Node that runs the tests in the place of the workspace's own; other commands are the test's. */
export class NodeWorkspace extends MemoryWorkspace {
  readonly processes: Process[] = [];

  override spawn(command: string, options: SpawnOptions = {}): Process {
    if (!command.startsWith('node ')) return super.spawn(command, options);
    this.spawned.push({ command, options });
    const process = start(command, `node_${this.processes.length}`);
    this.processes.push(process);
    return process;
  }

  override async close(): Promise<void> {
    for (const process of this.processes) process.kill();
    await Promise.all(this.processes.map(({ exited }) => exited));
  }
}

function start(command: string, id: string): Process {
  const line = command.replace(/^node/, `exec '${process.execPath}'`);
  const child = spawn('/bin/sh', ['-c', line], { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: '' } });
  const queue = new OutputQueue();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => queue.say(text));
  child.stdin.on('error', () => undefined);
  const exited = new Promise<Exit>((resolve) =>
    child.on('close', (exitCode) => {
      queue.end();
      resolve({ exitCode: exitCode ?? 137, reason: 'exit', durationMs: 0, cwd: ROOT, outputMayBeCut: false });
    }),
  );
  return {
    id,
    output: queue.read(),
    write: (input) => void child.stdin.write(input),
    closeInput: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
    exited,
  };
}
