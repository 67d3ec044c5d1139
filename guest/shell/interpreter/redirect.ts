import type { Redirection } from 'unbash';
import { encode, noise, readAll, zeros } from '../kit/io.ts';
import { fileError, isFileError } from '../files.ts';
import type { ByteSource } from '../program.ts';
import { FileSink, OpenFile, streamNumber } from './descriptors.ts';
import { ShellError } from './errors.ts';
import { expandHereDocument, addFields, expandText } from './expand.ts';
import { nothing, WholeSource } from './pipe.ts';
import type { Shell } from './shell.ts';
import { wait, type Task } from './task.ts';
import { compile } from './words.ts';

/** A descriptor and the file that it referred to before a redirection. */
export type Saved = [fd: number, file: OpenFile | undefined];

/**
 * Applies redirections in order and adds the replaced descriptors to `saved`, also where one of them fails. A
 * failure is printed, and its status returned.
 */
export function* redirect(
  shell: Shell,
  redirections: readonly Redirection[],
  saved: Saved[],
): Task<number | undefined> {
  try {
    for (const redirection of redirections) yield* one(shell, redirection, saved);
    return undefined;
  } catch (error) {
    if (!(error instanceof ShellError) || error.fatal) throw error;
    yield* shell.complain(error.message);
    return error.status;
  }
}

export function restore(shell: Shell, saved: readonly Saved[]): void {
  for (let at = saved.length - 1; at >= 0; at--) {
    const [fd, file] = saved[at] ?? [0, undefined];
    setDescriptor(shell, fd, file);
    file?.release();
  }
}

function replace(shell: Shell, fd: number, file: OpenFile | undefined, saved: Saved[]): void {
  saved.push([fd, shell.fds.get(fd)?.retain()]);
  setDescriptor(shell, fd, file);
}

function setDescriptor(shell: Shell, fd: number, file: OpenFile | undefined): void {
  shell.fds.set(fd, file);
  if (fd === 1) shell.process.writesTo = file?.path;
}

function* one(shell: Shell, node: Redirection, saved: Saved[]): Task<void> {
  const operator = node.operator;
  const reads = operator.startsWith('<');
  let fd = reads ? 0 : 1;
  if (node.descriptor?.type === 'FileDescriptor') fd = node.descriptor.value;
  const variable = node.descriptor?.type === 'FileDescriptorVariable' ? node.descriptor.name : undefined;
  if (node.type === 'HereDoc' || node.type === 'HereString') {
    let text: string;
    if (node.type === 'HereDoc') text = yield* expandHereDocument(shell, node);
    else text = node.target ? `${yield* expandText(shell, compile(node.target, 'assignment'))}\n` : '\n';
    replace(shell, fd, new OpenFile({ source: new WholeSource(encode(text)) }), saved);
    return;
  }
  if (!node.target) throw new ShellError("syntax error near unexpected token `newline'", 2, true);
  const target = yield* targetOf(shell, node.target);
  if (operator === '>&' || operator === '<&') {
    if (variable !== undefined && target === '-') {
      replace(shell, Number(shell.variables.get(variable) ?? -1), undefined, []);
      return;
    }
    if (/^\d+-?$|^-$/.test(target)) {
      if (variable !== undefined) fd = chosen(shell, variable);
      duplicate(shell, fd, target, saved);
      return;
    }
    if (operator === '<&' || node.descriptor) throw new ShellError(`${target}: ambiguous redirect`);
  }
  if (operator.startsWith('&>') || operator === '>&') {
    const file = yield* openFile(shell, operator === '&>>' ? '>>' : '>', target);
    replace(shell, 1, file, saved);
    replace(shell, 2, file, saved);
    return;
  }
  const file = yield* openFile(shell, operator, target);
  if (variable !== undefined) {
    // The descriptor stays open after the command.
    shell.fds.set(chosen(shell, variable), file);
    return;
  }
  replace(shell, fd, file, saved);
}

/** Picks a free descriptor for `{name}>file` and stores its number in the variable. */
function chosen(shell: Shell, variable: string): number {
  const fd = shell.fds.free(10);
  shell.variables.set(variable, String(fd));
  return fd;
}

function duplicate(shell: Shell, fd: number, target: string, saved: Saved[]): void {
  if (target === '-') return replace(shell, fd, undefined, saved);
  const from = Number.parseInt(target, 10);
  const file = shell.fds.get(from);
  if (!file) throw new ShellError(`${from}: Bad file descriptor`);
  replace(shell, fd, file, saved);
  if (target.endsWith('-') && from !== fd) replace(shell, from, undefined, saved);
}

function* targetOf(shell: Shell, word: Parameters<typeof compile>[0]): Task<string> {
  const form = compile(word);
  if (form.plain !== undefined) return form.plain;
  const words: string[] = [];
  yield* addFields(shell, form, words);
  if (words.length !== 1) throw new ShellError(`${word.text}: ambiguous redirect`);
  return words[0] ?? '';
}

/** Reads a whole file, or the stream behind `/dev/fd/N`. Rejects with the error of the file system. */
export function* contentOf(shell: Shell, name: string): Task<Uint8Array> {
  yield* shell.world.flush();
  const source = deviceOf(shell, name, '')?.source;
  return yield* wait(source ? readAll(source) : shell.world.files.readFileBuffer(shell.absolute(name)));
}

/** Opens a file for `<`, `>`, `>>`, `>|` or `<>`. Throws {@link ShellError} where that fails. */
export function* openFile(shell: Shell, operator: string, name: string): Task<OpenFile> {
  if (name === '') throw new ShellError(': No such file or directory');
  const device = deviceOf(shell, name, operator);
  if (device) return device;
  const { world } = shell;
  const path = shell.absolute(name);
  yield* world.flush();
  const reads = operator === '<' || operator === '<>';
  const stat = yield* statOf(shell, path, name, operator === '<');
  if (reads) {
    if (stat?.isDirectory && operator === '<') {
      const source = new WholeSource(() => Promise.reject(new ShellError(`${name}: Is a directory`)));
      return new OpenFile({ source });
    }
    if (!stat) yield* write(shell, path, name);
    // The content is read now, because the name may refer to another file later.
    if (operator === '<') {
      const bytes = yield* guarded(name, () => world.files.readFileBuffer(path));
      return new OpenFile({ source: new WholeSource(bytes) });
    }
    if (stat) yield* checkWritable(shell, path, name);
    const place = { at: 0 };
    const source = counted(new WholeSource(() => world.files.readFileBuffer(path)), place);
    return new OpenFile({ source, sink: sinkTo(shell, path, place) });
  }
  if (stat?.isDirectory) throw new ShellError(`${name}: Is a directory`);
  // Some file systems create missing folders, which a redirection must not do.
  if (!stat) yield* statOf(shell, path.slice(0, path.lastIndexOf('/')) || '/', name, true);
  if (operator === '>' && shell.on('noclobber') && stat?.isFile)
    throw new ShellError(`${name}: cannot overwrite existing file`);
  if (!stat || (operator !== '>>' && stat.size > 0)) yield* write(shell, path, name);
  else yield* checkWritable(shell, path, name);
  const sink = sinkTo(shell, path, operator === '>>' ? undefined : { at: 0 });
  return new OpenFile({ sink }, undefined, false, path);
}

/** The position of an open file; every open file has its own. */
interface Reference {
  at: number;
}

/** Makes a sink that writes at a position, or without one at the end of the file. */
function sinkTo(shell: Shell, path: string, place?: Reference): FileSink {
  const { files, dirty } = shell.world;
  if (!place) return new FileSink((bytes) => files.appendFile(path, bytes), dirty);
  return new FileSink(async (bytes) => {
    const { at } = place;
    place.at += bytes.length;
    const stat = await files.stat(path).catch((error: unknown) => {
      if (isFileError(error) && error.message.startsWith('ENOENT')) return undefined;
      throw error;
    });
    // The file was removed, so nobody can read what is written.
    if (!stat) return;
    if (stat.size === at) return files.appendFile(path, bytes);
    const before = await files.readFileBuffer(path);
    const all = new Uint8Array(Math.max(before.length, at + bytes.length));
    all.set(before);
    all.set(bytes, at);
    await files.writeFile(path, all);
  }, dirty);
}

function counted(source: ByteSource, place: Reference): ByteSource {
  const count = (piece: Uint8Array | null) => {
    place.at += piece?.length ?? 0;
    return piece;
  };
  return {
    read() {
      const piece = source.read();
      return piece instanceof Promise ? piece.then(count) : count(piece);
    },
    unread(bytes) {
      place.at -= bytes.length;
      source.unread(bytes);
    },
    close: () => source.close(),
  };
}

function* write(shell: Shell, path: string, name: string): Task<void> {
  yield* guarded(name, () => shell.files.writeFile(path, ''));
}

/** Fails as opening does where the file may not be written. What is written goes out later, when it is too late to say so. */
function* checkWritable(shell: Shell, path: string, name: string): Task<void> {
  yield* guarded(name, () => shell.files.appendFile(path, ''));
}

function* guarded<T>(name: string, work: () => Promise<T>): Task<T> {
  try {
    return yield* wait(work());
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new ShellError(`${name}: ${fileError(error)}`);
  }
}

function* statOf(shell: Shell, path: string, name: string, mustExist: boolean) {
  try {
    return yield* wait(shell.world.files.stat(path));
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (mustExist || !/^ENOENT/.test(error.message)) throw new ShellError(`${name}: ${fileError(error)}`);
    return undefined;
  }
}

function deviceOf(shell: Shell, name: string, operator: string): OpenFile | undefined {
  if (!name.startsWith('/dev/')) return undefined;
  const fd = streamNumber(name);
  if (fd !== undefined) {
    const file = shell.fds.get(fd);
    if (!file) throw new ShellError(`${name}: No such file or directory`);
    return file;
  }
  switch (name) {
    case '/dev/null':
      return new OpenFile({ source: nothing, sink: { write: () => {} } });
    case '/dev/tty':
      if (shell.world.terminal) return new OpenFile({ ...ends(shell) }, undefined, true);
      throw new ShellError('/dev/tty: No such device or address');
    case '/dev/full':
      return new OpenFile({
        source: zeros(),
        sink: {
          write: () => {
            throw new ShellError('write error: No space left on device');
          },
        },
      });
    case '/dev/zero':
      return new OpenFile({ source: zeros(), sink: { write: () => {} } });
    case '/dev/random':
    case '/dev/urandom':
      return new OpenFile({
        source: noise(),
        sink: { write: () => {} },
      });
  }
  if (/^\/dev\/(?:tcp|udp)\//.test(name) && operator !== '')
    throw new ShellError(`${name}: No such file or directory`);
  return undefined;
}

function ends(shell: Shell) {
  const source = shell.fds.get(0)?.source;
  const sink = shell.fds.get(1)?.sink;
  return { ...(source && { source }), ...(sink && { sink }) };
}

/** Closes the descriptors of the process substitutions from this one on. */
export function closeSubstituted(shell: Shell, mark: number): void {
  while (shell.substituted.length > mark) {
    const fd = shell.substituted.pop();
    if (fd !== undefined) shell.fds.set(fd, undefined);
  }
}
