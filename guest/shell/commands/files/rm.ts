import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complainAtEnd, writing } from '../../kit/io.ts';
import { parseOptions } from '../../kit/options.ts';
import { entriesOf } from '../../kit/walk.ts';
import type { ProgramCall } from '../../program.ts';

/** Removes links, not their targets. Nobody can be asked, so `-i` and `-I` have no effect. */
export const rm = writing(async (call, out) => {
  const { has, operands } = parse(call.args);
  if (operands.length === 0) {
    if (has.has('f')) return 0;
    throw new Complaint("missing operand\nTry 'rm --help' for more information.", 1);
  }
  const recursive = has.has('r') || has.has('R');
  const complaints: string[] = [];
  for (const name of operands) {
    try {
      await out.write(await remove(call, name, { recursive, empty: has.has('d'), verbose: has.has('v') }));
    } catch (error) {
      if (error instanceof Complaint) complaints.push(error.message);
      else if (!has.has('f') || !isMissing(error))
        complaints.push(`cannot remove '${name}': ${fileError(error)}`);
    }
  }
  return complainAtEnd(call, out, complaints);
});

function parse(args: readonly string[]) {
  try {
    return parseOptions(args, {
      short: 'frRdviI',
      long: [
        ...['force=f', 'recursive=r', 'dir=d', 'verbose=v', 'interactive?'],
        ...['one-file-system', 'preserve-root?', 'no-preserve-root'],
      ],
    });
  } catch (error) {
    throw error instanceof Complaint ? new Complaint(error.message, 1) : error;
  }
}

interface RemoveOptions {
  readonly recursive: boolean;
  /** Removes empty folders too. */
  readonly empty: boolean;
  readonly verbose: boolean;
}

/**
 * Removes a file or folder and returns the output. Throws a {@link Complaint} or an error of the file system.
 */
async function remove(call: ProgramCall, name: string, options: RemoveOptions): Promise<string> {
  const path = call.path(name);
  if (options.recursive && path === '/') throw new Complaint("it is dangerous to operate recursively on '/'");
  if (/(?:^|\/)\.{1,2}\/*$/.test(name))
    throw new Complaint(`refusing to remove '.' or '..' directory: skipping '${name}'`);
  const { isDirectory, isSymbolicLink } = await call.files.lstat(path);
  if (!isDirectory) {
    if (name.endsWith('/')) throw new Complaint(`cannot remove '${name}': Not a directory`);
    await call.files.rm(path);
    return options.verbose ? `removed '${name}'\n` : '';
  }
  if (!options.recursive && !(options.empty && !isSymbolicLink))
    throw new Complaint(`cannot remove '${name}': Is a directory`);
  if (!options.recursive && (await call.files.readdir(path)).length > 0)
    throw new Complaint(`cannot remove '${name}': Directory not empty`);
  const said = options.verbose ? await allBelow(call, path, name) : '';
  await call.files.rm(path, { recursive: true });
  return said;
}

async function allBelow(call: ProgramCall, path: string, name: string): Promise<string> {
  let said = '';
  const shown = name.replace(/\/+$/, '');
  for (const entry of await entriesOf(call.files, path)) {
    const below = `${shown}/${entry.name}`;
    said +=
      entry.isDirectory && !entry.isSymbolicLink
        ? await allBelow(call, `${path}/${entry.name}`, below)
        : `removed '${below}'\n`;
  }
  return `${said}removed directory '${shown}'\n`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && /ENOENT|ENOTDIR/.test(error.message);
}
