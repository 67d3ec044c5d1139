import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complaining, optionsOf } from '../../kit/io.ts';

/** Removes one name of a file. */
export const unlink = complaining(async (call) => {
  const [name, extra] = optionsOf(call, { short: '' }).operands;
  const hint = "\nTry 'unlink --help' for more information.";
  if (name === undefined) throw new Complaint(`missing operand${hint}`, 1);
  if (extra !== undefined) throw new Complaint(`extra operand '${extra}'${hint}`, 1);
  try {
    const path = call.path(name);
    if ((await call.files.lstat(path)).isDirectory) throw new Error('EISDIR: is a directory');
    await call.files.rm(path);
    return 0;
  } catch (error) {
    throw new Complaint(`cannot unlink '${name}': ${fileError(error)}`, 1);
  }
});
