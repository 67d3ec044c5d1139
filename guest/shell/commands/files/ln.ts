import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complainAtEnd, writing } from '../../kit/io.ts';
import { parseOptions, valueOf, type Options } from '../../kit/options.ts';
import { relative } from '../../kit/relative.ts';
import type { ProgramCall } from '../../program.ts';

/** Looks at a link in its way itself, not at the link's target. */
export const ln = writing(async (call, out) => {
  const options = parse(call.args);
  const { operands } = options;
  const [first] = operands;
  if (first === undefined)
    throw new Complaint("missing file operand\nTry 'ln --help' for more information.", 1);
  const pairs = await places(call, options, first);
  const complaints: string[] = [];
  for (const [target, name] of pairs) {
    try {
      await out.write(await link(call, options, target, name));
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      complaints.push(error.message);
    }
  }
  return complainAtEnd(call, out, complaints);
});

function parse(args: readonly string[]): Options {
  try {
    return parseOptions(args, {
      short: 'sfnvTrt:iLP',
      long: [
        ...['symbolic=s', 'force=f', 'no-dereference=n', 'verbose=v', 'no-target-directory=T', 'relative=r'],
        ...['target-directory=t', 'interactive=i', 'logical=L', 'physical=P'],
      ],
    });
  } catch (error) {
    throw error instanceof Complaint ? new Complaint(error.message, 1) : error;
  }
}

/** Pairs each target with the name of its link. */
async function places(call: ProgramCall, options: Options, first: string): Promise<[string, string][]> {
  const { operands, has } = options;
  const folder = valueOf(options, 't');
  if (folder !== undefined) return into(operands, folder);
  if (operands.length === 1) return into([first], '.');
  const last = operands.at(-1) ?? '';
  const isPair = operands.length === 2;
  if (has.has('T') && !isPair) throw new Complaint(`extra operand '${operands[2] ?? ''}'`, 1);
  if (!has.has('T') && (await isFolder(call, last, has.has('n')))) return into(operands.slice(0, -1), last);
  if (!isPair) throw new Complaint(`target '${last}': Not a directory`, 1);
  return [[first, last]];
}

function into(targets: readonly string[], folder: string): [string, string][] {
  const start = folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`;
  return targets.map((target) => [target, start + (target.replace(/\/+$/, '').split('/').at(-1) ?? target)]);
}

async function isFolder(call: ProgramCall, name: string, asItIs: boolean): Promise<boolean> {
  const path = call.path(name);
  try {
    return (await (asItIs ? call.files.lstat(path) : call.files.stat(path))).isDirectory;
  } catch {
    return false;
  }
}

async function link(call: ProgramCall, { has }: Options, target: string, name: string): Promise<string> {
  const isSymbolic = has.has('s');
  const path = call.path(name);
  const kind = isSymbolic ? 'symbolic link' : 'hard link';
  if (!isSymbolic) {
    const found = await call.files.lstat(call.path(target)).catch((error: unknown) => {
      throw new Complaint(`failed to access '${target}': ${fileError(error)}`);
    });
    if (found.isDirectory) throw new Complaint(`${target}: hard link not allowed for directory`);
  }
  const there = await call.files.lstat(path).catch(() => undefined);
  if (there && !has.has('f')) throw new Complaint(`failed to create ${kind} '${name}': File exists`);
  if (there?.isDirectory) throw new Complaint(`${name}: cannot overwrite directory`);
  if (there && !isSymbolic && path === call.path(target))
    throw new Complaint(`'${target}' and '${name}' are the same file`);
  const told = isSymbolic && has.has('r') ? relative(folderOf(path), call.path(target)) : target;
  try {
    if (there) await call.files.rm(path);
    if (isSymbolic) await call.files.symlink(told, path);
    else await call.files.link(call.path(target), path);
  } catch (error) {
    throw new Complaint(`failed to create ${kind} '${name}': ${fileError(error)}`);
  }
  return has.has('v') ? `'${name}' ${isSymbolic ? '->' : '=>'} '${told}'\n` : '';
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
