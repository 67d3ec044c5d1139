import { ROOT, WorkspaceError, exec, type Workspace } from '../workspace/workspace.ts';
import type { SandboxSession } from './types.ts';

/**
 * Wraps a workspace as the AI SDK's sandbox, for tools written against that. Output is one stream: `stdout` has
 * everything and `stderr` is empty.
 */
export async function sandboxSession(workspace: Workspace): Promise<SandboxSession> {
  const { files } = workspace;
  const { title, notes } = await workspace.capabilities();

  const readBinaryFile: SandboxSession['readBinaryFile'] = ({ path, abortSignal }) =>
    unlessAborted(abortSignal, missingAsNull(files.read(path)));

  async function write(path: string, content: Uint8Array, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await files.write(path, content);
  }

  return {
    description: [`${title}. Files are in ${ROOT}.`, ...notes].join('\n'),
    readBinaryFile,
    async readFile(options) {
      const bytes = await readBinaryFile(options);
      return bytes && streamOf(bytes);
    },
    async readTextFile({ encoding = 'utf-8', startLine = 1, endLine, ...options }) {
      const bytes = await readBinaryFile(options);
      if (!bytes) return null;
      const text = new TextDecoder(encoding).decode(bytes);
      if (startLine === 1 && endLine === undefined) return text;
      const lines = text.split(/(?<=\n)/);
      return lines.slice(startLine - 1, endLine).join('');
    },
    async writeFile({ path, content, abortSignal }) {
      await write(path, new Uint8Array(await new Response(content).arrayBuffer()), abortSignal);
    },
    writeBinaryFile: ({ path, content, abortSignal }) => write(path, content, abortSignal),
    async writeTextFile({ path, content, encoding = 'utf-8', abortSignal }) {
      if (!/^utf-?8$/i.test(encoding))
        throw new Error(`Text can only be written as UTF-8, not as ${encoding}.`);
      await write(path, new TextEncoder().encode(content), abortSignal);
    },
    async stat({ path, abortSignal }) {
      const stat = await unlessAborted(abortSignal, files.stat(path));
      return stat && { type: stat.type === 'symlink' ? 'other' : stat.type, size: stat.size };
    },
    async listDirectory({ path, abortSignal }) {
      const entries = await unlessAborted(abortSignal, missingAsNull(files.list(path)));
      return entries && entries.map(({ name, type }) => ({ name, type }));
    },
    async deleteFile({ path, abortSignal }) {
      abortSignal?.throwIfAborted();
      return (await missingAsNull(files.remove(path).then(() => true))) ?? false;
    },
    spawn: spawnIn(workspace),
    async run({ command, workingDirectory, env, abortSignal }) {
      abortSignal?.throwIfAborted();
      const { exitCode, output } = await exec(workspace, command, {
        ...(workingDirectory !== undefined && { cwd: workingDirectory }),
        ...(env && { env }),
        ...(abortSignal && { signal: abortSignal }),
      });
      abortSignal?.throwIfAborted();
      return { exitCode, stdout: output, stderr: '' };
    },
  };
}

function spawnIn(workspace: Workspace): SandboxSession['spawn'] {
  return async ({ command, workingDirectory, env, abortSignal, stdin = false }) => {
    abortSignal?.throwIfAborted();
    const child = workspace.spawn(command, {
      ...(workingDirectory !== undefined && { cwd: workingDirectory }),
      ...(env && { env }),
      ...(abortSignal && { signal: abortSignal }),
      ...(!stdin && { stdin: '' }),
    });
    const handle = {
      stdout: bytesOf(child.output),
      stderr: streamOf(),
      async wait() {
        const { exitCode } = await child.exited;
        abortSignal?.throwIfAborted();
        return { exitCode };
      },
      async kill() {
        child.kill();
        await child.exited;
      },
      stdin: new WritableStream<Uint8Array>({
        write: (chunk) => child.write(chunk),
        close: () => child.closeInput(),
      }),
    };
    return handle;
  };
}

function streamOf(...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

function bytesOf(output: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const chunks = output[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
  });
}

async function missingAsNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function unlessAborted<T>(signal: AbortSignal | undefined, result: Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const value = await result;
  signal?.throwIfAborted();
  return value;
}
