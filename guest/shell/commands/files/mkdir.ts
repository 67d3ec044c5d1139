import type { ShellFs } from '../../shell-fs.ts';
import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, encode, optionsOf, writing } from '../../kit/io.ts';
import { changedMode } from '../../kit/mode.ts';
import { valueOf } from '../../kit/options.ts';

export const mkdir = writing(async (call, out) => {
  const options = optionsOf(call, { short: 'pm:v', long: ['parents=p', 'mode=m', 'verbose=v'] });
  const { has, operands } = options;
  if (operands.length === 0)
    throw new Complaint("missing operand\nTry 'mkdir --help' for more information.", 1);
  const mode = valueOf(options, 'm');
  const bits = mode === undefined ? undefined : changedMode(mode, 0o777, true);
  if (mode !== undefined && bits === undefined) throw new Complaint(`invalid mode '${mode}'`, 1);
  let code = 0;
  for (const name of operands) {
    try {
      const wanted = has.has('p') ? await missingOf(call.files, call.path, name) : [name];
      for (const each of wanted) {
        await call.files.mkdir(call.path(each));
        if (has.has('v')) await out.write(`mkdir: created directory '${each}'\n`);
      }
      if (bits !== undefined && wanted.length > 0) await call.files.chmod(call.path(name), bits);
    } catch (error) {
      await out.flush();
      const isTold = error instanceof Complaint;
      await complain(call, isTold ? error.message : `cannot create directory '${name}': ${fileError(error)}`);
      code = 1;
    }
  }
  return code;
});

/** The missing folders of a path, including its last one, from the outermost inwards. */
async function missingOf(files: ShellFs, pathOf: (name: string) => string, name: string): Promise<string[]> {
  const missing: string[] = [];
  let at = name.replace(/(?<=.)\/+$/, '');
  for (;;) {
    const stat = await files.stat(pathOf(at)).catch(() => undefined);
    if (stat?.isDirectory) return missing;
    if (stat) {
      const why = missing.length > 0 ? 'Not a directory' : 'File exists';
      throw new Complaint(`cannot create directory '${at}': ${why}`, 1);
    }
    missing.unshift(at);
    const slash = at.lastIndexOf('/');
    if (slash <= 0) return missing;
    at = at.slice(0, slash).replace(/(?<=.)\/+$/, '');
  }
}

export const rmdir = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, {
    short: 'pv',
    long: ['parents=p', 'verbose=v', 'ignore-fail-on-non-empty'],
  });
  if (operands.length === 0)
    throw new Complaint("missing operand\nTry 'rmdir --help' for more information.", 1);
  let code = 0;
  for (const operand of operands) {
    for (let name = operand; ; name = name.slice(0, name.lastIndexOf('/'))) {
      const path = call.path(name);
      try {
        if (has.has('v')) await out.write(`rmdir: removing directory, '${name}'\n`);
        if (!(await call.files.lstat(path)).isDirectory) throw new Error('ENOTDIR: not a directory');
        if ((await call.files.readdir(path)).length > 0) {
          if (has.has('ignore-fail-on-non-empty')) break;
          throw new Error('ENOTEMPTY: directory not empty');
        }
        await call.files.rm(path, { recursive: true });
      } catch (error) {
        await out.flush();
        const what = name === operand ? '' : 'directory ';
        await call.stderr.write(encode(`rmdir: failed to remove ${what}'${name}': ${fileError(error)}\n`));
        code = 1;
        break;
      }
      if (!has.has('p') || name.lastIndexOf('/') <= 0) break;
    }
  }
  return code;
});
