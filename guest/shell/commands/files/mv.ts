import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, optionsOf, writing } from '../../kit/io.ts';
import { lastOf, valueOf, type Options } from '../../kit/options.ts';
import { agrees, needFolderOf, pairsOf, type Pair } from './places.ts';

export const mv = writing(async (call, out) => {
  const options = optionsOf(call, {
    short: 'finuvTt:',
    long: [
      ...['force=f', 'interactive=i', 'no-clobber=n', 'update?=u', 'verbose=v', 'no-target-directory=T'],
      ...['target-directory=t', 'strip-trailing-slashes'],
    ],
  });
  let code = 0;
  for (const pair of await pairsOf(call, options)) {
    try {
      const done = await move(call, options, pair);
      if (done && options.has.has('v')) await out.write(`renamed '${pair.from}' -> '${pair.to}'\n`);
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      await out.flush();
      await complain(call, error.message);
      code = 1;
    }
  }
  return code;
});

/** Moves a file. Answers false where an existing file has to stay. */
async function move(call: ProgramCall, options: Options, { from, to }: Pair): Promise<boolean> {
  const { files } = call;
  const source = call.path(from);
  const target = call.path(to);
  const stat = await files.lstat(source).catch((error: unknown) => {
    throw new Complaint(`cannot stat '${from}': ${fileError(error)}`);
  });
  if (from.endsWith('/') && !stat.isDirectory) throw new Complaint(`cannot stat '${from}': Not a directory`);
  if (source === target) throw new Complaint(`'${from}' and '${to}' are the same file`);
  if (stat.isDirectory && target.startsWith(`${source}/`))
    throw new Complaint(`cannot move '${from}' to a subdirectory of itself, '${to}'`);
  const there = await files.lstat(target).catch(() => undefined);
  if (there) {
    const asked = lastOf(options, 'f', 'i', 'n');
    const updates = options.has.has('u') ? valueOf(options, 'u') || 'older' : 'all';
    if (asked === 'n' || updates.startsWith('none')) return false;
    if (updates === 'older' && stat.mtime.getTime() <= there.mtime.getTime()) return false;
    if (asked === 'i' && !(await agrees(call, `mv: overwrite '${to}'?`))) return false;
    if (stat.isDirectory && !there.isDirectory)
      throw new Complaint(`cannot overwrite non-directory '${to}' with directory '${from}'`);
    if (!stat.isDirectory && there.isDirectory)
      throw new Complaint(`cannot overwrite directory '${to}' with non-directory`);
  }
  try {
    if (!there) {
      if (to.endsWith('/') && !stat.isDirectory) throw new Error('ENOTDIR: not a directory');
      await needFolderOf(call, target);
    } else if (there.isDirectory) {
      if ((await files.readdir(target)).length > 0) throw new Error('ENOTEMPTY: directory not empty');
      await files.rm(target, { recursive: true });
    }
    await files.mv(source, target);
  } catch (error) {
    throw new Complaint(`cannot move '${from}' to '${to}': ${fileError(error)}`);
  }
  return true;
}
