import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { decode, encode } from '../../kit/io.ts';
import { valueOf, type Options } from '../../kit/options.ts';

/** A source name and its destination, both as they appear in messages. */
export interface Pair {
  readonly from: string;
  readonly to: string;
}

/**
 * Pairs the operands of `cp` and `mv` with destinations, with respect to `-t` and `-T`. Throws a {@link
 * Complaint}.
 */
export async function pairsOf(
  call: ProgramCall,
  options: Options,
  nameIn: (from: string) => string = lastPart,
): Promise<Pair[]> {
  const { has } = options;
  const operands = [...options.operands];
  const hint = `\nTry '${call.name} --help' for more information.`;
  const [first] = operands;
  if (first === undefined) throw new Complaint(`missing file operand${hint}`, 1);
  const into = (names: readonly string[], folder: string): Pair[] =>
    names.map((from) => ({
      from,
      to: `${folder.replace(/(?<=.)\/+$/, '').replace(/^\/$/, '')}/${nameIn(from)}`,
    }));
  const folder = valueOf(options, 't');
  if (folder !== undefined) {
    if (!(await isFolder(call, folder, `target directory '${folder}': `)))
      throw new Complaint(`target directory '${folder}': Not a directory`, 1);
    return into(operands, folder);
  }
  if (operands.length === 1)
    throw new Complaint(`missing destination file operand after '${first}'${hint}`, 1);
  const last = operands.at(-1) ?? '';
  if (has.has('T')) {
    if (operands.length > 2) throw new Complaint(`extra operand '${operands[2] ?? ''}'${hint}`, 1);
    return [{ from: first, to: last }];
  }
  if (operands.length > 2) {
    if (!(await isFolder(call, last, `target '${last}': `)))
      throw new Complaint(`target '${last}': Not a directory`, 1);
    return into(operands.slice(0, -1), last);
  }
  return (await isFolder(call, last)) ? into([first], last) : [{ from: first, to: last }];
}

/**
 * Where nothing has this name, throws a {@link Complaint} that begins with `complaint`; without one, answers
 * false.
 */
async function isFolder(call: ProgramCall, name: string, complaint?: string): Promise<boolean> {
  try {
    return (await call.files.stat(call.path(name))).isDirectory;
  } catch (error) {
    if (complaint === undefined) return false;
    throw new Complaint(`${complaint}${fileError(error)}`, 1);
  }
}

export function lastPart(name: string): string {
  return (
    name
      .replace(/(?<=.)\/+$/, '')
      .split('/')
      .at(-1) ?? name
  );
}

/** Fails where the folder of a file is missing: files in memory would create it, but real ones fail. */
export async function needFolderOf(call: ProgramCall, path: string): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  if (!(await call.files.stat(folder)).isDirectory) throw new Error(`ENOTDIR: not a directory, '${folder}'`);
}

/** Asks on standard error and reads the answer from standard input. */
export async function agrees(call: ProgramCall, question: string): Promise<boolean> {
  await call.stderr.write(encode(`${question} `));
  let line = '';
  for (let piece = await call.stdin.read(); piece; piece = await call.stdin.read()) {
    const end = piece.indexOf(10) + 1;
    line += decode(piece.subarray(0, end || piece.length));
    if (end === 0) continue;
    if (end < piece.length) call.stdin.unread(piece.subarray(end));
    break;
  }
  return /^[yY]/.test(line);
}
