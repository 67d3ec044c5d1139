import { Gzip } from 'fflate';
import { isFileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { fileError } from '../../files.ts';
import { expanded, isPacked } from './gzip.ts';
import {
  complain,
  decode,
  encode,
  joined,
  open,
  optionsOf,
  readAll,
  save,
  writing,
  type Writer,
} from '../../kit/io.ts';
import { parseDate } from '../../kit/date-text.ts';
import { modeText } from '../../kit/mode.ts';
import { countOf, valueOf, type Options } from '../../kit/options.ts';
import { readTar, tarEntry, TAR_END, type Member } from './tar-format.ts';
import {
  asks,
  basesOf,
  dashed,
  excluded,
  excludedTooLate,
  memberFilter,
  renamed,
  SPEC,
} from './tar-names.ts';
import { now } from '../../kit/strftime.ts';
import { filesBelow, readAhead } from '../../kit/walk.ts';
import type { FsStat } from '../../shell-fs.ts';

export const tar = writing(async (call, out) => {
  const options = optionsOf(call, SPEC, 2, false, dashed(call.args));
  if (options.has.has('j') || options.has.has('J'))
    throw new Complaint('only gzip compression is there (-z)');
  const [mode, more] = ['c', 'x', 't', 'r', 'u', 'd', 'delete'].filter((name) => options.has.has(name));
  if (!mode || more)
    throw new Complaint(
      `${mode ? 'You may not specify more than one' : 'You must specify one of the'} '-Acdtrux', '--delete' or '--test-label' option${mode ? '' : 's'}\nTry 'tar --help' or 'tar --usage' for more information.`,
    );
  const named = await withLists(call, options);
  switch (mode) {
    case 'd':
      return compare(call, named, out);
    case 'x':
    case 't':
      return read(call, named, mode === 't', out);
    case 'delete':
      return leaveOut(call, named, out);
    default:
      return create(call, named, out);
  }
});

/** Adds the names and patterns from the files of `-T` and `-X` to the options. */
async function withLists(call: ProgramCall, options: Options): Promise<Options> {
  const all = async (option: string) => {
    const lists = options.values.get(option) ?? [];
    return (await Promise.all(lists.map((list) => namesIn(call, list)))).flat();
  };
  const left = [...(options.values.get('exclude') ?? []), ...(await all('X'))];
  return {
    ...options,
    operands: [...options.operands, ...(await all('T'))],
    values: new Map([...options.values, ['exclude', left]]),
  };
}

async function namesIn(call: ProgramCall, list: string): Promise<string[]> {
  return decode(await readAll(await open(call, list)))
    .split(/[\n\0]/)
    .filter(Boolean);
}

/** Prints, for `-d`, the files that differ from the archive. */
async function compare(call: ProgramCall, options: Options, out: Writer): Promise<number> {
  const base = call.path(valueOf(options, 'C') ?? '.');
  const wanted = memberFilter(options);
  let code = 0;
  for await (const { name, type, content } of membersOf(call, archiveOf(options), out)) {
    if (!wanted(name) || type !== 'file') continue;
    const now = await call.files.readFileBuffer(call.files.resolvePath(base, name)).catch(() => undefined);
    const isSame = now?.length === content.length && now.every((byte, at) => byte === content[at]);
    if (isSame) continue;
    code = 1;
    if (!now) await complain(call, `${name}: Warning: Cannot stat: No such file or directory`);
    else await out.write(`${name}: ${now.length === content.length ? 'Contents differ' : 'Size differs'}\n`);
  }
  return code;
}

/** Yields the members of an archive as they arrive. */
async function* membersOf(
  call: ProgramCall,
  archive: string,
  out: Writer,
): AsyncGenerator<Member, void, undefined> {
  const source = await open(call, archive).catch((error: unknown) => {
    if (!(error instanceof Complaint)) throw error;
    const reason = error.message.slice(archive.length + 2);
    throw new Complaint(`${archive}: Cannot open: ${reason}\ntar: Error is not recoverable: exiting now`);
  });
  yield* readTar((await isPacked(source, out)) ? expanded(source, out) : source, out);
}

/** Writes the archive without some members, for `--delete`. */
async function leaveOut(call: ProgramCall, options: Options, out: Writer): Promise<number> {
  const archive = archiveOf(options);
  const wanted = memberFilter(options);
  const parts: Uint8Array[] = [];
  const missing = new Set(options.operands.map((name) => name.replace(/\/$/, '')));
  for await (const member of membersOf(call, archive, out)) {
    if (wanted(member.name)) missing.delete(member.name.replace(/\/$/, ''));
    else parts.push(...tarEntry(member));
  }
  await save(call, archive === '-' ? '/dev/stdout' : archive, joined([...parts, TAR_END]));
  return notFound(call, missing);
}

async function notFound(call: ProgramCall, names: Iterable<string>): Promise<number> {
  let code = 0;
  for (const name of names) {
    await complain(call, `${name}: Not found in archive`);
    code = 2;
  }
  if (code !== 0) await complain(call, FAILED);
  return code;
}

const FAILED = 'Exiting with failure status due to previous errors';

function archiveOf(options: Options): string {
  return valueOf(options, 'f') ?? '-';
}

/**
 * The number of bytes written at a time. Writing a header alone would cost as much as writing all of them.
 */
const PIECE = 65_536;

/** Receives the archive as it is made: packs it, and writes it to a file or to standard output. */
function archiveTo(call: ProgramCall, archive: string, packs: boolean, out: Writer) {
  const made: Uint8Array[] = [];
  let size = 0;
  const make = (bytes: Uint8Array) => {
    made.push(bytes);
    size += bytes.length;
  };
  const packer = packs ? new Gzip({ mtime: 0 }, make) : undefined;
  const take = async (bytes: Uint8Array, isLast: boolean) => {
    if (packer) packer.push(bytes, isLast);
    else make(bytes);
    if (archive !== '-' || (size < PIECE && !isLast)) return;
    size = 0;
    await out.bytes(joined(made.splice(0)));
  };
  return {
    async add(parts: readonly Uint8Array[]) {
      for (const part of parts) await take(part, false);
    },
    async end() {
      await take(TAR_END, true);
      if (archive !== '-') await save(call, archive, joined(made));
    },
  };
}

async function create(call: ProgramCall, options: Options, out: Writer): Promise<number> {
  const { has } = options;
  if (options.operands.length === 0) throw new Complaint('Cowardly refusing to create an empty archive');
  const archive = archiveOf(options);
  const baseOf = basesOf(call);
  const target = archive === '-' ? '' : call.path(archive);
  const late = excludedTooLate(call, options);
  const isLeftOut = excluded(options, late);
  const rename = renamed(options);
  const modified = modifiedOf(call, options);
  const packs = has.has('z') || (has.has('a') && /gz$/.test(archive));
  const sink = archiveTo(call, archive, packs, out);
  const earlier = new Map<string, Date>();
  if ((has.has('r') || has.has('u')) && (await call.files.exists(target)))
    for await (const member of membersOf(call, archive, out)) {
      earlier.set(member.name, member.modified);
      await sink.add(tarEntry(member));
    }
  const add = async ({ shown, path, stat: known }: SourceFile, content?: Uint8Array | Error) => {
    if (path === target || isLeftOut(shown)) return;
    const stat = has.has('h') ? await call.files.stat(path) : (known ?? (await call.files.lstat(path)));
    const name = `${rename(shown.replace(/^\/+/, ''))}${stat.isDirectory && !shown.endsWith('/') ? '/' : ''}`;
    const before = earlier.get(name);
    if (has.has('u') && before && Math.floor(stat.mtime.getTime() / 1000) * 1000 <= before.getTime()) return;
    if (content instanceof Error) throw content;
    const member: Member = {
      name,
      mode: stat.mode & 0o7777,
      modified: modified ?? stat.mtime,
      type: stat.isDirectory ? 'folder' : stat.isSymbolicLink ? 'link' : 'file',
      link: stat.isSymbolicLink ? await call.files.readlink(path) : '',
      content:
        stat.isFile && !stat.isSymbolicLink ? (content ?? (await call.files.readFileBuffer(path))) : EMPTY,
    };
    await sink.add(tarEntry(member));
    if (!has.has('v')) return;
    if (archive === '-') await call.stderr.write(encode(`${name}\n`));
    else await out.write(`${name}\n`);
  };
  const readEarly = ({ path, stat }: SourceFile) =>
    stat?.isFile && path !== target ? call.files.readFileBuffer(path) : Promise.resolve(EMPTY);
  let code = 0;
  for (const glob of late) {
    await complain(call, `--exclude '${glob}' has no effect: it stands after the names of files`);
    code = 2;
  }
  for (const [at, operand] of options.operands.entries()) {
    const path = call.files.resolvePath(baseOf(at), operand);
    try {
      await add({ shown: operand, path });
      if (!(await call.files.lstat(path)).isDirectory || has.has('no-recursion')) continue;
      const places = await everythingBelow(call, path, operand.replace(/\/$/, ''), isLeftOut);
      for await (const { item, content } of readAhead(readEarly, places)) {
        if (call.signal.aborted) break;
        await add(item, item.stat?.isFile ? content : undefined);
      }
    } catch (error) {
      if (!isFileError(error)) throw error;
      await out.flush();
      await complain(call, `${operand}: Cannot stat: ${fileError(error)}`);
      code = 2;
    }
  }
  await sink.end();
  if (code !== 0) await complain(call, FAILED);
  return code;
}

const EMPTY = new Uint8Array();

interface SourceFile {
  readonly shown: string;
  readonly path: string;
  readonly stat?: FsStat | undefined;
}

async function everythingBelow(
  call: ProgramCall,
  path: string,
  shown: string,
  isLeftOut: (name: string) => boolean,
): Promise<SourceFile[]> {
  const places: SourceFile[] = [];
  for await (const found of filesBelow(call.files, path, shown, {
    enter(found) {
      if (isLeftOut(found.shown)) return false;
      if (found.isDirectory) places.push(found);
      return true;
    },
    links: true,
  })) {
    places.push(found);
  }
  return places;
}

async function read(call: ProgramCall, options: Options, lists: boolean, out: Writer): Promise<number> {
  const { has } = options;
  const rename = renamed(options);
  const wanted = memberFilter(options);
  const strip = countOf(options, 'strip-components') ?? 0;
  const top = topLevel(options);
  const base = call.files.resolvePath(call.path(valueOf(options, 'C') ?? '.'), top);
  const missing = new Set(options.operands.map((name) => name.replace(/\/$/, '')));
  let failed = false;
  const fail = async (message: string) => {
    failed = true;
    await out.flush();
    await complain(call, message);
  };
  for await (const member of membersOf(call, archiveOf(options), out)) {
    if (!wanted(member.name)) continue;
    for (const asked of missing) if (asks(asked, member.name, has)) missing.delete(asked);
    const name = rename(member.name.replace(/^\/+/, '').split('/').slice(strip).join('/'));
    if (lists) await out.write(has.has('v') ? longLine(member) : `${member.name}\n`);
    else if (name.split('/').includes('..')) await fail(`${member.name}: Member name contains '..'`);
    else if (has.has('O')) await out.bytes(member.content);
    else if (name !== '') {
      if (has.has('v')) await out.write(`${member.name}\n`);
      const reason = await extract(call, member, call.files.resolvePath(base, name), base, options);
      if (reason !== undefined) await fail(`${member.name}: Cannot open: ${reason}`);
    }
  }
  for (const name of missing) await fail(`${name}: Not found in archive`);
  if (failed) await complain(call, FAILED);
  return failed ? 2 : 0;
}

/** Extracts one member. Returns the reason where it fails. */
async function extract(
  call: ProgramCall,
  member: Member,
  path: string,
  base: string,
  options: Options,
): Promise<string | undefined> {
  const { files } = call;
  try {
    if (member.type === 'folder') {
      await files.mkdir(path, { recursive: true });
      return undefined;
    }
    await files.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true });
    if (options.has.has('k') && (await files.exists(path))) return 'File exists';
    // The file is removed first, so that nothing is written through a link that an earlier entry has made.
    await files.rm(path, { force: true });
    if (member.type === 'link') await files.symlink(member.link, path);
    else if (member.type === 'hardLink') await files.cp(files.resolvePath(base, member.link), path);
    else {
      await files.writeFile(path, member.content);
      await files.chmod(path, member.mode);
      if (!options.has.has('m')) await files.utimes(path, member.modified, member.modified);
    }
    return undefined;
  } catch (error) {
    return fileError(error);
  }
}

/** The folder for `--one-top-level`, named after the archive where no name is given. */
function topLevel(options: Options): string {
  if (!options.has.has('one-top-level')) return '.';
  const archive = archiveOf(options);
  return (
    valueOf(options, 'one-top-level') ||
    archive.slice(archive.lastIndexOf('/') + 1).replace(/\.(?:tar(?:\.gz)?|tgz|taz)$/, '')
  );
}

/** The modification time that `--mtime` gives to every member. */
function modifiedOf(call: ProgramCall, options: Options): Date | undefined {
  const given = valueOf(options, 'mtime');
  if (given === undefined) return undefined;
  const moment = parseDate(given, now(), call.env.get('TZ') ?? '');
  if (!moment) throw new Complaint(`Invalid time stamp '${given}'`);
  return new Date(moment.seconds * 1000);
}

function longLine({ name, mode, type, content, modified, link }: Member): string {
  const shown = modeText({ mode, isDirectory: type === 'folder', isSymbolicLink: type === 'link' });
  const date = modified.toISOString().slice(0, 16).replace('T', ' ');
  return `${shown} user/user ${String(content.length).padStart(9)} ${date} ${name}${type === 'link' ? ` -> ${link}` : ''}\n`;
}
