import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { globRegex } from '../../kit/glob.ts';
import { decode, encode, optionsOf, readAll, readBytes, writing, type Writer } from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';
import { filesBelow } from '../../kit/walk.ts';
import { readZip, writeZip, type NewMember, type ZipMember } from './zip-format.ts';

const LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

export const zip = writing(async (call, out) => {
  const { args, left, taken } = patternsIn(call.args);
  const options = optionsOf(
    call,
    {
      short: 'rqjdmufyTvoX@0123456789DlgF',
      long: ['recurse-paths=r', 'quiet=q', 'junk-paths=j', 'delete=d', 'move=m', 'update=u', 'symlinks=y'],
    },
    16,
    false,
    args,
  );
  const { has } = options;
  const [archive, ...given] = options.operands;
  if (archive === undefined) throw new Complaint('error: Nothing to do!', 12);
  if (has.has('@'))
    given.push(
      ...decode(await readAll(call.stdin, out))
        .split('\n')
        .filter(Boolean),
    );
  const file = archive === '-' || /\.[^/]+$/.test(archive) ? archive : `${archive}.zip`;
  const path = call.path(file);
  const before =
    archive !== '-' && (await call.files.exists(path)) ? readZip(await call.files.readFileBuffer(path)) : [];
  const members = new Map<string, NewMember>(before.map((member) => [member.name, member]));
  const say = async (text: string) => {
    if (!has.has('q') && archive !== '-') await out.write(text);
  };
  if (has.has('d')) {
    const globs = given.map((glob) => globRegex(glob));
    for (const name of [...members.keys()]) {
      if (!globs.some((glob) => glob.test(name))) continue;
      members.delete(name);
      await say(`deleting: ${name}\n`);
    }
    await (members.size === 0
      ? call.files.rm(path)
      : call.files.writeFile(path, writeZip([...members.values()], 6)));
    return 0;
  }
  const level = LEVELS.findLast((one) => has.has(String(one))) ?? 6;
  const places = await sourceFilesOf(call, out, given, has.has('r'));
  const moved: string[] = [];
  for (const { shown, path: from, isFolder } of places.found) {
    const inside = shown.replace(/^(?:\.?\/)+/, '');
    const name = has.has('j') ? inside.slice(inside.lastIndexOf('/') + 1) : inside;
    if (from === path || name === '' || (isFolder && (has.has('j') || has.has('D')))) continue;
    if (
      left.some((glob) => glob.test(inside)) ||
      (taken.length > 0 && !taken.some((glob) => glob.test(inside)))
    )
      continue;
    const member = await memberOf(call, isFolder ? `${name}/` : name, from, isFolder);
    const known = members.get(member.name);
    if (known && has.has('u') && known.modified >= member.modified) continue;
    members.set(member.name, member);
    moved.push(from);
    await say(`${known ? 'updating' : '  adding'}: ${member.name}${packing(member, level)}\n`);
  }
  if (moved.length === 0) {
    await out.flush();
    await call.stderr.write(encode(`\nzip error: Nothing to do! (${file})\n`));
    return 12;
  }
  const packed = writeZip([...members.values()], level);
  if (archive === '-') await out.bytes(packed);
  else await call.files.writeFile(path, packed);
  if (has.has('m')) for (const from of moved) await call.files.rm(from, { recursive: true, force: true });
  return places.missing ? 18 : 0;
});

/** Separates `-x` and `-i` with their patterns from the other arguments. */
function patternsIn(given: readonly string[]) {
  const args: string[] = [];
  const lists: Record<'x' | 'i', RegExp[]> = { x: [], i: [] };
  for (let at = 0; at < given.length; at++) {
    const arg = given[at] ?? '';
    const kind =
      arg === '-x' || arg === '--exclude' ? 'x' : arg === '-i' || arg === '--include' ? 'i' : undefined;
    const attached = /^-([xi])(.+)$/.exec(arg);
    if (attached) lists[attached[1] === 'x' ? 'x' : 'i'].push(globRegex(attached[2] ?? ''));
    else if (!kind) args.push(arg);
    else
      while (at + 1 < given.length && !/^-./.test(given[at + 1] ?? ''))
        lists[kind].push(globRegex(given[++at] ?? ''));
  }
  return { args, left: lists.x, taken: lists.i };
}

interface SourceFile {
  readonly shown: string;
  readonly path: string;
  readonly isFolder: boolean;
}

async function sourceFilesOf(call: ProgramCall, out: Writer, names: readonly string[], recursive: boolean) {
  const found: SourceFile[] = [];
  let missing = false;
  for (const name of names) {
    if (name === '-') {
      found.push({ shown: '-', path: '-', isFolder: false });
      continue;
    }
    const path = call.path(name);
    const stat = await call.files.stat(path).catch(() => undefined);
    if (!stat) {
      await out.flush();
      await call.stderr.write(encode(`\tzip warning: name not matched: ${name}\n`));
      missing = true;
      continue;
    }
    found.push({ shown: name.replace(/\/+$/, ''), path, isFolder: stat.isDirectory });
    if (!stat.isDirectory || !recursive) continue;
    const shown = name === '.' ? '' : name.replace(/\/+$/, '');
    for await (const below of filesBelow(call.files, path, shown, {
      followLinks: true,
      enter(one) {
        if (one.isDirectory) found.push({ ...one, isFolder: true });
        return true;
      },
    }))
      found.push({ ...below, isFolder: false });
  }
  return { found, missing };
}

async function memberOf(
  call: ProgramCall,
  name: string,
  path: string,
  isFolder: boolean,
): Promise<NewMember> {
  if (path === '-') return { name, content: await readAll(call.stdin), modified: new Date(), mode: 0o600 };
  const { mtime, mode } = await call.files.stat(path);
  const content = isFolder ? new Uint8Array() : await call.files.readFileBuffer(path);
  return { name, content, modified: mtime, mode: mode & 0o7777 };
}

function packing(member: NewMember, level: (typeof LEVELS)[number]): string {
  const [packed] = readZip(writeZip([member], level));
  if (!packed || packed.stored) return ' (stored 0%)';
  return ` (deflated ${Math.round((1 - packed.packedSize / Math.max(1, packed.content.length)) * 100)}%)`;
}

export const unzip = writing(async (call, out) => {
  const args = call.args.flatMap((arg) => (/^-Z1?$/.test(arg) ? ['-Z'] : [arg]));
  const { args: rest, left } = patternsIn(args);
  const options = optionsOf(call, { short: 'lvpoqnjd:tZuxaCLX1bf' }, 10, false, rest);
  const { has } = options;
  const [archive, ...wanted] = options.operands;
  if (archive === undefined)
    throw new Complaint('usage: unzip [-l|-p|-t|-v|-Z1] [-ojnq] file[.zip] [list] [-x list] [-d folder]', 10);
  const members = readZip(await archiveBytes(call, archive));
  const globs = wanted.map((glob) => globRegex(glob));
  const chosen = members.filter(
    ({ name }) =>
      (globs.length === 0 || globs.some((glob) => glob.test(name))) && !left.some((glob) => glob.test(name)),
  );
  if (has.has('Z')) {
    for (const { name } of chosen) await out.write(`${name}\n`);
    return 0;
  }
  if (has.has('p')) {
    for (const { content } of chosen) await out.bytes(content);
    return chosen.length > 0 ? 0 : 11;
  }
  const quiet = options.order.filter(([name]) => name === 'q').length;
  if (quiet === 0 || has.has('l') || has.has('v')) await out.write(`Archive:  ${archive}\n`);
  if (has.has('l') || has.has('v'))
    return (await out.write(has.has('v') ? verbose(chosen) : short(chosen)), 0);
  if (has.has('t')) {
    if (quiet === 0) for (const { name } of chosen) await out.write(`    testing: ${name.padEnd(22)}   OK\n`);
    await out.write(`No errors detected in compressed data of ${archive}.\n`);
    return 0;
  }
  const code = await extract(call, out, options, chosen, quiet > 0);
  if (chosen.length > 0 || globs.length === 0) return code;
  await out.flush();
  await call.stderr.write(encode(wanted.map((name) => `caution: filename not matched:  ${name}\n`).join('')));
  return 11;
});

async function archiveBytes(call: ProgramCall, archive: string): Promise<Uint8Array> {
  for (const name of [archive, `${archive}.zip`, `${archive}.ZIP`])
    if (await call.files.exists(call.path(name))) return readBytes(call, name, 9);
  throw new Complaint(` cannot find or open ${archive}, ${archive}.zip or ${archive}.ZIP.`, 9);
}

async function extract(
  call: ProgramCall,
  out: Writer,
  options: Options,
  members: readonly ZipMember[],
  quiet: boolean,
): Promise<number> {
  const { has } = options;
  const folder = valueOf(options, 'd');
  let code = 0;
  for (const { name, content, modified, mode, stored } of members) {
    const inside = has.has('j') ? name.slice(name.lastIndexOf('/', name.length - 2) + 1) : name;
    if (inside.split('/').includes('..') || (has.has('j') && name.endsWith('/'))) continue;
    const shown = folder === undefined ? inside : `${folder.replace(/\/$/, '')}/${inside}`;
    const path = call.path(shown);
    try {
      if (name.endsWith('/')) {
        if (!quiet && !(await call.files.exists(path))) await out.write(`   creating: ${shown}\n`);
        await call.files.mkdir(path, { recursive: true });
        continue;
      }
      if ((await call.files.exists(path)) && !has.has('o')) {
        if (has.has('n')) continue;
        await call.stderr.write(
          encode(
            `replace ${shown}? [y]es, [n]o, [A]ll, [N]one, [r]ename:  NULL\n(EOF or read error, treating as "[N]one" ...)\n`,
          ),
        );
        code = 1;
        continue;
      }
      await call.files.mkdir(path.slice(0, path.lastIndexOf('/')) || '/', { recursive: true });
      await call.files.rm(path, { force: true });
      await call.files.writeFile(path, content);
      if (mode !== 0) await call.files.chmod(path, mode);
      await call.files.utimes(path, modified, modified);
      if (!quiet) await out.write(`${stored ? ' extracting' : '  inflating'}: ${shown.padEnd(22)}  \n`);
    } catch (error) {
      await out.flush();
      await call.stderr.write(encode(`error:  cannot create ${shown}\n        ${fileError(error)}\n`));
      code = 50;
    }
  }
  return code;
}

function stamp(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function files(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}\n`;
}

function short(members: readonly ZipMember[]): string {
  const total = members.reduce((sum, { content }) => sum + content.length, 0);
  const lines = members.map(
    ({ name, content, modified }) => `${String(content.length).padStart(9)}  ${stamp(modified)}   ${name}\n`,
  );
  return `  Length      Date    Time    Name\n---------  ---------- -----   ----\n${lines.join('')}---------                     -------\n${String(total).padStart(9)}                     ${files(members.length)}`;
}

function verbose(members: readonly ZipMember[]): string {
  const ratio = (size: number, packed: number) =>
    `${size === 0 ? 0 : Math.round((1 - packed / size) * 100)}%`.padStart(4);
  const lines = members.map(
    ({ name, content, modified, stored, packedSize, crc }) =>
      `${String(content.length).padStart(8)}  ${stored ? 'Stored' : 'Defl:N'} ${String(packedSize).padStart(8)} ${ratio(content.length, packedSize)} ${stamp(modified)} ${crc.toString(16).padStart(8, '0')}  ${name}\n`,
  );
  const total = members.reduce((sum, { content }) => sum + content.length, 0);
  const packed = members.reduce((sum, { packedSize }) => sum + packedSize, 0);
  return ` Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n${lines.join('')}--------          -------  ---                            -------\n${String(total).padStart(8)}         ${String(packed).padStart(8)} ${ratio(total, packed)}                            ${files(members.length)}`;
}
