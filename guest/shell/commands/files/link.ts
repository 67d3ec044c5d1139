import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, complaining, optionsOf } from '../../kit/io.ts';

/** Gives a file a second name. */
export const link = complaining(async (call) => {
  const [from, to, extra] = optionsOf(call, { short: '' }).operands;
  const hint = "\nTry 'link --help' for more information.";
  if (from === undefined) throw new Complaint(`missing operand${hint}`, 1);
  if (to === undefined) throw new Complaint(`missing operand after '${from}'${hint}`, 1);
  if (extra !== undefined) throw new Complaint(`extra operand '${extra}'${hint}`, 1);
  try {
    await call.files.link(call.path(from), call.path(to));
    return 0;
  } catch (error) {
    throw new Complaint(`cannot create link '${to}' to '${from}': ${fileError(error)}`, 1);
  }
});

/** The file system has no named pipes, so the message names a substitute. */
export const mkfifo = complaining(async (call) => {
  const { operands } = optionsOf(call, { short: 'm:Z', long: ['mode=m'] });
  if (operands.length === 0)
    throw new Complaint("missing operand\nTry 'mkfifo --help' for more information.", 1);
  for (const name of operands) {
    const isThere = await call.files.lstat(call.path(name)).then(
      () => true,
      () => false,
    );
    const why = isThere
      ? 'File exists'
      : 'Operation not supported (this workspace has no named pipes: use a pipeline, <(command) or a file)';
    await complain(call, `cannot create fifo '${name}': ${why}`);
  }
  return 1;
});
