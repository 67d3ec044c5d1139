import type { LoadBuiltin } from '../builtins/builtin.ts';
import { FileCalls, type CallsLink } from './calls.ts';
import { ContentCodec } from './content-codec.ts';
import { Contents } from './contents.ts';
import { Deprecations } from './deprecations.ts';
import { Descriptors } from './descriptors.ts';
import { Folders } from './folders.ts';
import { Links } from './links.ts';
import { Status } from './status.ts';

export interface CoreOptions {
  readonly link: CallsLink;
  readonly load: LoadBuiltin;
  readonly cwd: () => string;
  readonly umask: () => number;
}

/**
 * The synchronous operations of `fs`. The forms with callbacks and promises are built on these. Programs take
 * them out of the module, so each is bound; the order is the one in which the module lists them.
 */
export function makeCore({ link, load, cwd, umask }: CoreOptions) {
  const calls = new FileCalls(link, cwd);
  const codec = new ContentCodec(load('buffer').Buffer);
  const deprecations = new Deprecations(load);
  const status = new Status(calls);
  const links = new Links(calls, codec, status);
  const descriptors = new Descriptors(calls, codec, umask);
  const contents = new Contents({ calls, codec, descriptors, deprecations, umask });
  const folders = new Folders({ calls, codec, status, deprecations, umask });
  return {
    access: status.access.bind(status),
    appendFile: contents.appendFile.bind(contents),
    chmod: status.chmod.bind(status),
    chown: status.chown.bind(status),
    close: descriptors.close.bind(descriptors),
    copyFile: contents.copyFile.bind(contents),
    exists: status.exists.bind(status),
    fchmod: descriptors.fchmod.bind(descriptors),
    fchown: descriptors.fchown.bind(descriptors),
    fdatasync: descriptors.fdatasync.bind(descriptors),
    fstat: descriptors.fstat.bind(descriptors),
    fsync: descriptors.fsync.bind(descriptors),
    ftruncate: descriptors.ftruncate.bind(descriptors),
    futimes: descriptors.futimes.bind(descriptors),
    lchown: status.lchown.bind(status),
    link: links.link.bind(links),
    lstat: status.lstat.bind(status),
    lutimes: status.lutimes.bind(status),
    mkdir: folders.mkdir.bind(folders),
    mkdtemp: folders.mkdtemp.bind(folders),
    open: descriptors.open.bind(descriptors),
    read: descriptors.read.bind(descriptors),
    readFile: contents.readFile.bind(contents),
    readdir: folders.readdir.bind(folders),
    readlink: links.readlink.bind(links),
    readv: descriptors.readv.bind(descriptors),
    realpath: links.realpath.bind(links),
    rename: links.rename.bind(links),
    rm: folders.rm.bind(folders),
    rmdir: folders.rmdir.bind(folders),
    stat: status.stat.bind(status),
    statfs: status.statfs.bind(status),
    symlink: links.symlink.bind(links),
    truncate: contents.truncate.bind(contents),
    unlink: links.unlink.bind(links),
    utimes: status.utimes.bind(status),
    write: descriptors.write.bind(descriptors),
    writeFile: contents.writeFile.bind(contents),
    writev: descriptors.writev.bind(descriptors),
    absolute: calls.absolute.bind(calls),
    bytesOf: codec.bytesOf.bind(codec),
    check: calls.check.bind(calls),
    addPending: calls.pending.add.bind(calls.pending),
    runPending: calls.pending.run.bind(calls.pending),
    nativeRealpath: links.nativeRealpath.bind(links),
    entriesOf: folders.entriesOf.bind(folders),
    lookAt: calls.statAt.bind(calls),
    isInput: descriptors.isInput.bind(descriptors),
    hasInputLeft: descriptors.hasInputLeft.bind(descriptors),
    takeInput: descriptors.takeInput.bind(descriptors),
  };
}

export type FsCore = ReturnType<typeof makeCore>;
