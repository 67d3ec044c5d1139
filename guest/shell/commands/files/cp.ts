import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import type { FsEntry, FsStat } from '../../shell-fs.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, open, optionsOf, readAll, save, writing, type Writer } from '../../kit/io.ts';
import { lastOf, valueOf, type Options } from '../../kit/options.ts';
import { entriesOf } from '../../kit/walk.ts';
import { agrees, needFolderOf, pairsOf } from './places.ts';

const SPEC = {
  short: 'adfHilLnpPrRst:TuvxZ',
  long: [
    ...['archive=a', 'force=f', 'interactive=i', 'link=l', 'dereference=L', 'no-clobber=n'],
    ...['no-dereference=P', 'recursive=r', 'symbolic-link=s', 'target-directory=t', 'no-target-directory=T'],
    ...['update?=u', 'verbose=v', 'one-file-system=x', 'preserve?', 'no-preserve:', 'parents'],
    ...['remove-destination', 'strip-trailing-slashes', 'attributes-only', 'reflink?', 'sparse:'],
  ],
};

interface CopyOptions {
  readonly recursive: boolean;
  /** Whether links on the command line are followed, and links below a folder. */
  readonly follows: boolean;
  readonly followsBelow: boolean;
  readonly keepsMode: boolean;
  readonly keepsTimes: boolean;
  readonly overwrites: 'always' | 'older' | 'never' | 'asked';
  readonly removes: boolean;
  readonly verbose: boolean;
  readonly as: 'copy' | 'link' | 'symlink';
}

function copyOptionsOf(options: Options): CopyOptions {
  const { has } = options;
  const archive = has.has('a');
  const recursive = archive || has.has('r') || has.has('R');
  const kept =
    archive || has.has('p')
      ? 'all'
      : has.has('preserve')
        ? valueOf(options, 'preserve') || 'mode,timestamps'
        : '';
  const deref = lastOf(options, 'L', 'P', 'H', 'd', 'a');
  const never = deref === 'P' || deref === 'd' || deref === 'a';
  const asked = lastOf(options, 'n', 'i');
  const updates = has.has('u') ? valueOf(options, 'u') || 'older' : 'all';
  return {
    recursive,
    follows: deref === 'L' || deref === 'H' || (!recursive && !never),
    followsBelow: deref === 'L',
    keepsMode: /all|mode/.test(kept),
    keepsTimes: /all|timestamps/.test(kept),
    overwrites:
      asked === 'n' || updates.startsWith('none')
        ? 'never'
        : updates === 'older'
          ? 'older'
          : asked
            ? 'asked'
            : 'always',
    removes: has.has('remove-destination'),
    verbose: has.has('v'),
    as: has.has('l') ? 'link' : has.has('s') ? 'symlink' : 'copy',
  };
}

export const cp = writing(async (call, out) => {
  const options = optionsOf(call, SPEC);
  const parents = options.has.has('parents');
  const folder = options.operands.at(-1);
  if (parents && !options.has.has('t') && options.operands.length > 1 && folder !== undefined) {
    const there = await call.files.stat(call.path(folder)).catch(() => undefined);
    if (!there?.isDirectory)
      throw new Complaint(
        "with --parents, the destination must be a directory\nTry 'cp --help' for more information.",
        1,
      );
  }
  const pairs = await pairsOf(call, options, parents ? (from) => from.replace(/^\/+/, '') : undefined);
  const copier = new Copier(call, out, copyOptionsOf(options));
  for (const { from, to } of pairs) {
    if (parents) await call.files.mkdir(folderOf(call.path(to)), { recursive: true });
    await copier.copy(from, to, true);
  }
  return copier.code;
});

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** The number of files whose copies start together, before the next check for an abort. */
const AT_ONCE = 64;

class Copier {
  readonly #call: ProgramCall;
  readonly #out: Writer;
  readonly #options: CopyOptions;
  code = 0;

  constructor(call: ProgramCall, out: Writer, options: CopyOptions) {
    this.#call = call;
    this.#out = out;
    this.#options = options;
  }

  /** Copies a file or folder, and complains where it cannot. */
  async copy(from: string, to: string, isTop: boolean): Promise<void> {
    try {
      await this.#copy(from, to, isTop);
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      await this.#out.flush();
      await complain(this.#call, error.message);
      this.code = 1;
    }
  }

  async #copy(from: string, to: string, isTop: boolean): Promise<void> {
    const { files } = this.#call;
    const options = this.#options;
    const source = this.#call.path(from);
    const target = this.#call.path(to);
    if (/^\/dev\/(?:stdin|null|fd\/\d+)$/.test(source) || target.startsWith('/dev/')) {
      await save(this.#call, to, await readAll(await open(this.#call, from)));
      return;
    }
    const follows = isTop ? options.follows : options.followsBelow;
    const stat = await (follows ? files.stat(source) : files.lstat(source)).catch((error: unknown) => {
      throw new Complaint(`cannot stat '${from}': ${fileError(error)}`);
    });
    if (from.endsWith('/') && !stat.isDirectory && !stat.isSymbolicLink)
      throw new Complaint(`cannot stat '${from}': Not a directory`);
    if (stat.isDirectory && !options.recursive)
      throw new Complaint(`-r not specified; omitting directory '${from}'`);
    const there = await files.lstat(target).catch(() => undefined);
    const leads = there?.isSymbolicLink ? await files.stat(target).catch(() => undefined) : there;
    if (stat.isDirectory) return this.#copyFolder(from, to, stat, leads);
    if (there && (await this.#isSame(source, target, stat))) {
      if (options.as === 'link') return;
      throw new Complaint(`'${from}' and '${to}' are the same file`);
    }
    if (leads?.isDirectory) throw new Complaint(`cannot overwrite directory '${to}' with non-directory`);
    if (there && !(await this.#mayOverwrite(to, stat, leads ?? there))) return;
    try {
      if (to.endsWith('/')) throw new Error('ENOTDIR: not a directory');
      if (!there) await needFolderOf(this.#call, target);
      else if (stat.isSymbolicLink || options.removes || options.as !== 'copy') await files.rm(target);
      await this.#make(source, target, stat, from, leads !== undefined);
    } catch (error) {
      const kind =
        stat.isSymbolicLink || options.as === 'symlink'
          ? 'symbolic link'
          : options.as === 'link'
            ? 'link'
            : 'regular file';
      throw new Complaint(`cannot create ${kind} '${to}': ${fileError(error)}`);
    }
    if (options.verbose) await this.#out.write(`'${from}' -> '${to}'\n`);
  }

  async #make(source: string, target: string, stat: FsStat, from: string, replaces: boolean): Promise<void> {
    const { files } = this.#call;
    if (this.#options.as === 'symlink') return files.symlink(from, target);
    if (this.#options.as === 'link') return files.link(source, target);
    if (stat.isSymbolicLink) return files.symlink(await files.readlink(source), target);
    await files.writeFile(target, await files.readFileBuffer(source));
    if (!replaces || this.#options.keepsMode) await files.chmod(target, this.#modeOf(stat));
    if (this.#options.keepsTimes) await files.utimes(target, stat.mtime, stat.mtime);
  }

  async #copyFolder(from: string, to: string, stat: FsStat, there: FsStat | undefined): Promise<void> {
    const { files } = this.#call;
    const source = this.#call.path(from);
    const target = this.#call.path(to);
    if (there && !there.isDirectory)
      throw new Complaint(`cannot overwrite non-directory '${to}' with directory '${from}'`);
    if (`${target}/`.startsWith(source === '/' ? '/' : `${source}/`)) {
      if (target === source) throw new Complaint(`'${from}' and '${to}' are the same file`);
      throw new Complaint(`cannot copy a directory, '${from}', into itself, '${to}'`);
    }
    if (!there) {
      try {
        await needFolderOf(this.#call, target);
        await files.mkdir(target);
      } catch (error) {
        throw new Complaint(`cannot create directory '${to}': ${fileError(error)}`);
      }
      if (this.#options.verbose) await this.#out.write(`'${from}' -> '${to}'\n`);
    }
    const [start, end] = [from, to].map((name) => name.replace(/\/+$/, ''));
    const entries = await entriesOf(files, source);
    for (let at = 0; at < entries.length; at += AT_ONCE) {
      const some = entries.slice(at, at + AT_ONCE);
      // A folder that was just created is empty, so nothing can be in the way.
      const copied = some.map((entry) => (there ? undefined : this.#copyPlain(source, target, entry)));
      for (const [index, { name }] of some.entries()) {
        if (this.#call.signal.aborted) return;
        const [below, to] = [`${start ?? ''}/${name}`, `${end ?? ''}/${name}`];
        if (!(await copied[index])) await this.copy(below, to, false);
        else if (this.#options.verbose) await this.#out.write(`'${below}' -> '${to}'\n`);
      }
    }
    if (!there || this.#options.keepsMode) await files.chmod(target, this.#modeOf(stat));
    if (this.#options.keepsTimes) await files.utimes(target, stat.mtime, stat.mtime);
  }

  /**
   * Copies a plain file inside the file system, without reading it out. Answers false where it has to be
   * copied step by step.
   */
  async #copyPlain(source: string, target: string, { name, stat }: FsEntry): Promise<boolean> {
    const { files } = this.#call;
    if (!stat?.isFile || this.#options.as !== 'copy' || source === '/' || source.startsWith('/dev'))
      return false;
    const to = `${target}/${name}`;
    try {
      await files.cp(`${source}/${name}`, to);
      if (this.#modeOf(stat) !== (stat.mode & 0o7777)) await files.chmod(to, this.#modeOf(stat));
      if (this.#options.keepsTimes) await files.utimes(to, stat.mtime, stat.mtime);
      return true;
    } catch {
      return false;
    }
  }

  #modeOf({ mode }: FsStat): number {
    return this.#options.keepsMode ? mode & 0o7777 : mode & 0o777 & ~this.#call.umask;
  }

  async #isSame(source: string, target: string, stat: FsStat): Promise<boolean> {
    if (source === target) return true;
    if (stat.isSymbolicLink || this.#options.removes) return false;
    const { files } = this.#call;
    const [a, b] = await Promise.all([source, target].map((path) => files.realpath(path).catch(() => path)));
    return a === b;
  }

  async #mayOverwrite(to: string, stat: FsStat, there: FsStat): Promise<boolean> {
    switch (this.#options.overwrites) {
      case 'never':
        return false;
      case 'older':
        return stat.mtime.getTime() > there.mtime.getTime();
      case 'asked':
        return agrees(this.#call, `cp: overwrite '${to}'?`);
      case 'always':
        return true;
    }
  }
}
