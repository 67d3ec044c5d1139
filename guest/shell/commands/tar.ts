import { gzipSync } from 'fflate';
import picomatch from 'picomatch';
import { Complaint, fileError, textOf, type Call, type Output } from './command.ts';
import { globRegex } from './glob.ts';
import { expand, isGzip } from './gzip.ts';
import { joined } from './io.ts';
import { modeText } from './mode.ts';
import { substitute } from './sed/replace.ts';
import { parseScript } from './sed/script.ts';
import { countOf, parseOptions, valueOf, type Options } from './options.ts';
import { readTar, tarEntry, TAR_END, type Member } from './tar-format.ts';
import { filesBelow } from './walk.ts';

const SPEC = {
  short: 'cxtrudf:zvC:OpkhPaT:jJX:mS',
  long: [
    'create=c',
    'extract=x',
    'get=x',
    'list=t',
    'append=r',
    'update=u',
    'diff=d',
    'compare=d',
    'files-from=T',
    'exclude-from=X',
    'touch=m',
    'wildcards',
    'no-wildcards',
    'transform:',
    'xform:',
    'totals',
    'null',
    'overwrite',
    'one-top-level?',
    'anchored',
    'no-recursion',
    'file=f',
    'gzip=z',
    'gunzip=z',
    'verbose=v',
    'directory=C',
    'to-stdout=O',
    'preserve-permissions=p',
    'keep-old-files=k',
    'dereference=h',
    'auto-compress=a',
    'exclude:',
    'strip-components:',
    'no-same-owner',
    'owner:',
    'group:',
    'sort:',
    'mtime:',
    'numeric-owner',
  ],
};

export async function tar(call: Call): Promise<Output> {
  const options = parseOptions(dashed(call.args), SPEC);
  if (options.has.has('j') || options.has.has('J'))
    throw new Complaint('only gzip compression is there (-z)');
  const [mode, more] = ['c', 'x', 't', 'r', 'u', 'd'].filter((name) => options.has.has(name));
  if (!mode || more)
    throw new Complaint("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
  const list = valueOf(options, 'T');
  const named =
    list === undefined
      ? options
      : { ...options, operands: [...options.operands, ...(await namesIn(call, list))] };
  if (mode === 'd') return compare(call, named);
  return mode === 'x' || mode === 't' ? read(call, named, mode === 't') : create(call, named);
}

/** `tar czf` is `tar -c -z -f`, values following in order. */
function dashed(args: readonly string[]): string[] {
  const [first, ...rest] = args;
  if (first === undefined || first.startsWith('-')) return [...args];
  return [...first]
    .flatMap((letter) => ('fCTX'.includes(letter) ? [`-${letter}`, rest.shift() ?? ''] : [`-${letter}`]))
    .concat(rest);
}

async function namesIn(call: Call, list: string): Promise<string[]> {
  const bytes = list === '-' ? call.stdin() : await call.files.readFileBuffer(call.path(list));
  return textOf(bytes)
    .split(/[\n\0]/)
    .filter(Boolean);
}

/** `-d`: files that are not as the archive has them. */
async function compare(call: Call, options: Options): Promise<Output> {
  const base = call.path(valueOf(options, 'C') ?? '.');
  const wanted = memberFilter(options);
  let stdout = '';
  for (const { name, type, content } of readTar(await archived(call, archiveOf(options)))) {
    if (!wanted(name) || type !== 'file') continue;
    const now = await call.files.readFileBuffer(call.files.resolvePath(base, name)).catch(() => undefined);
    if (!now) stdout += `tar: ${name}: Warning: Cannot stat: No such file or directory\n`;
    else if (now.length !== content.length) stdout += `${name}: Size differs\n`;
    else if (now.some((byte, at) => byte !== content[at])) stdout += `${name}: Contents differ\n`;
  }
  return { stdout, code: stdout ? 1 : 0 };
}

async function archived(call: Call, archive: string): Promise<Uint8Array> {
  const packed =
    archive === '-'
      ? call.stdin()
      : await call.files.readFileBuffer(call.path(archive)).catch((error: unknown) => {
          throw new Complaint(
            `${archive}: Cannot open: ${fileError(error)}\ntar: Error is not recoverable: exiting now`,
          );
        });
  return isGzip(packed) ? expand(packed) : packed;
}

/** `--transform s/from/to/flags`. */
function renamed(options: Options): (name: string) => string {
  const given = valueOf(options, 'transform') ?? valueOf(options, 'xform');
  if (given === undefined) return (name) => name;
  const { commands } = parseScript(given, given.endsWith('x'));
  const substitution = commands[0]?.substitution;
  const regex = substitution?.regex;
  if (!substitution || !regex) throw new Complaint('Invalid transform expression');
  return (name) => substitute(name, regex, substitution) ?? name;
}

function archiveOf(options: Options): string {
  return valueOf(options, 'f') ?? '-';
}

async function create(call: Call, options: Options): Promise<Output> {
  if (options.operands.length === 0) throw new Complaint('Cowardly refusing to create an empty archive');
  const base = valueOf(options, 'C') ? call.path(valueOf(options, 'C') ?? '') : call.cwd;
  const archive = archiveOf(options);
  const target = archive === '-' ? '' : call.path(archive);
  const isLeftOut = excluded(options);
  const rename = renamed(options);
  const parts: Uint8Array[] = [];
  if ((options.has.has('r') || options.has.has('u')) && (await call.files.exists(target)))
    for (const member of readTar(await archived(call, archive))) parts.push(...tarEntry(member));
  const names: string[] = [];
  let stderr = '';
  const add = async (shown: string, path: string) => {
    if (path === target || isLeftOut(shown)) return;
    const stat = await call.files.lstat(path);
    const name = `${rename(shown.replace(/^\/+/, ''))}${stat.isDirectory && !shown.endsWith('/') ? '/' : ''}`;
    const member: Member = {
      name,
      mode: stat.mode & 0o7777,
      modified: stat.mtime,
      type: stat.isDirectory ? 'folder' : stat.isSymbolicLink ? 'link' : 'file',
      link: stat.isSymbolicLink ? await call.files.readlink(path) : '',
      content: stat.isFile && !stat.isSymbolicLink ? await call.files.readFileBuffer(path) : new Uint8Array(),
    };
    parts.push(...tarEntry(member));
    names.push(name);
  };
  for (const operand of options.operands) {
    const path = call.files.resolvePath(base, operand);
    try {
      await add(operand, path);
      if (!(await call.files.lstat(path)).isDirectory) continue;
      for (const folderOrFile of await everythingBelow(call, path, operand.replace(/\/$/, ''), isLeftOut)) {
        await add(folderOrFile.shown, folderOrFile.path);
      }
    } catch (error) {
      stderr += `tar: ${operand}: Cannot stat: ${fileError(error)}\n`;
    }
  }
  const whole = joined([...parts, TAR_END]);
  const packs = options.has.has('z') || (options.has.has('a') && /gz$/.test(archive));
  const content = packs ? gzipSync(whole, { mtime: 0 }) : whole;
  const listing = options.has.has('v') ? names.map((name) => `${name}\n`).join('') : '';
  const end = stderr ? `${stderr}tar: Exiting with failure status due to previous errors\n` : '';
  if (archive === '-') return { stdout: content, stderr: listing + end, code: end ? 2 : 0 };
  await call.files.writeFile(target, content);
  return { stdout: listing, stderr: end, code: end ? 2 : 0 };
}

interface Place {
  readonly shown: string;
  readonly path: string;
}

async function everythingBelow(
  call: Call,
  path: string,
  shown: string,
  isLeftOut: (name: string) => boolean,
): Promise<Place[]> {
  const places: Place[] = [];
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

function excluded(options: Options): (name: string) => boolean {
  const globs = options.values.get('exclude') ?? [];
  const tests = globs.map((glob) =>
    picomatch(glob.replace(/^\.\//, '').replace(/\/$/, ''), { dot: true, basename: !glob.includes('/') }),
  );
  return (name) => tests.some((test) => test(name.replace(/^\.\//, '').replace(/\/$/, '')));
}

async function read(call: Call, options: Options, lists: boolean): Promise<Output> {
  const archive = archiveOf(options);
  const members = readTar(await archived(call, archive));
  const rename = renamed(options);
  const wanted = memberFilter(options);
  const strip = countOf(options, 'strip-components') ?? 0;
  const base = valueOf(options, 'C') ? call.path(valueOf(options, 'C') ?? '') : call.cwd;
  const printed: string[] = [];
  const contents: Uint8Array[] = [];
  let stderr = '';
  for (const member of members) {
    if (!wanted(member.name)) continue;
    const name = rename(member.name.replace(/^\/+/, '').split('/').slice(strip).join('/'));
    if (lists) printed.push(options.has.has('v') ? longLine(member) : `${member.name}\n`);
    else if (name.split('/').includes('..')) stderr += `tar: ${member.name}: Member name contains '..'\n`;
    else if (options.has.has('O')) contents.push(member.content);
    else if (name !== '') {
      if (options.has.has('v')) printed.push(`${member.name}\n`);
      stderr += await extract(call, member, call.files.resolvePath(base, name), base, options);
    }
  }
  const stdout = options.has.has('O') && !lists ? joined(contents) : printed.join('');
  return { stdout, stderr, code: stderr ? 2 : 0 };
}

function memberFilter(options: Options): (name: string) => boolean {
  const isLeftOut = excluded(options);
  const asked = options.operands.map((name) => name.replace(/\/$/, ''));
  const globs = options.has.has('wildcards') ? asked.map((glob) => globRegex(glob)) : [];
  return (name) => {
    const bare = name.replace(/\/$/, '');
    return (
      !isLeftOut(bare) &&
      (asked.length === 0 ||
        globs.some((glob) => glob.test(bare)) ||
        asked.some((one) => bare === one || bare.startsWith(`${one}/`)))
    );
  };
}

async function extract(
  call: Call,
  member: Member,
  path: string,
  base: string,
  options: Options,
): Promise<string> {
  const { files } = call;
  try {
    if (member.type === 'folder') {
      await files.mkdir(path, { recursive: true });
      return '';
    }
    await files.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true });
    if (options.has.has('k') && (await files.exists(path)))
      return `tar: ${member.name}: Cannot open: File exists\n`;
    // An entry replaces what is there, so that nothing is written through a link made by an earlier entry.
    await files.rm(path, { force: true });
    if (member.type === 'link') await files.symlink(member.link, path);
    else if (member.type === 'hardLink') await files.cp(files.resolvePath(base, member.link), path);
    else {
      await files.writeFile(path, member.content);
      await files.chmod(path, member.mode);
      await files.utimes(path, member.modified, member.modified);
    }
    return '';
  } catch (error) {
    return `tar: ${member.name}: Cannot open: ${fileError(error)}\n`;
  }
}

function longLine({ name, mode, type, content, modified, link }: Member): string {
  const shown = modeText({ mode, isDirectory: type === 'folder', isSymbolicLink: type === 'link' });
  const date = modified.toISOString().slice(0, 16).replace('T', ' ');
  return `${shown} user/user ${String(content.length).padStart(9)} ${date} ${name}${type === 'link' ? ` -> ${link}` : ''}\n`;
}
