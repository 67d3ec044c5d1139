import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, complainAtEnd, optionsOf, writing } from '../../kit/io.ts';
import { parseOptions, valueOf } from '../../kit/options.ts';
import { realPath } from '../../kit/real-path.ts';
import { relative } from '../../kit/relative.ts';

const missing = (name: string) =>
  new Complaint(`missing operand\nTry '${name} --help' for more information.`, 1);

function baseOf(name: string): string {
  const bare = name.replace(/(?<=.)\/+$/, '');
  return bare === '/' ? bare : bare.slice(bare.lastIndexOf('/') + 1);
}

export const basename = writing(async (call, out) => {
  const options = optionsOf(call, { short: 'as:z', long: ['multiple=a', 'suffix=s', 'zero=z'] }, 1, true);
  const { has, operands } = options;
  const [first, second, third] = operands;
  if (first === undefined) throw missing('basename');
  const isMany = has.has('a') || has.has('s');
  if (!isMany && third !== undefined)
    throw new Complaint(`extra operand '${third}'\nTry 'basename --help' for more information.`, 1);
  const suffix = valueOf(options, 's') ?? (isMany ? '' : (second ?? ''));
  for (const name of isMany ? operands : [first]) {
    const base = baseOf(name);
    const shown =
      suffix !== '' && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
    await out.write(shown + (has.has('z') ? '\0' : '\n'));
  }
  return 0;
});

export const dirname = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, { short: 'z', long: ['zero=z'] });
  if (operands.length === 0) throw missing('dirname');
  for (const name of operands) {
    const bare = name.replace(/(?<=.)\/+$/, '');
    const slash = bare.lastIndexOf('/');
    const folder = slash < 0 ? '.' : bare.slice(0, slash).replace(/\/+$/, '') || '/';
    await out.write(folder + (has.has('z') ? '\0' : '\n'));
  }
  return 0;
});

export const readlink = writing(async (call, out) => {
  const { has, operands } = optionsOf(call, {
    short: 'efmnqsvz',
    long: [
      ...['canonicalize=f', 'canonicalize-existing=e', 'canonicalize-missing=m', 'no-newline=n'],
      ...['quiet=q', 'silent=s', 'verbose=v', 'zero=z'],
    ],
  });
  if (operands.length === 0) throw missing('readlink');
  const end = has.has('z') ? '\0' : has.has('n') && operands.length === 1 ? '' : '\n';
  let code = 0;
  for (const name of operands) {
    const path = call.path(name);
    try {
      if (name === '') throw new Error('ENOENT: no such file or directory');
      const shown = has.has('e')
        ? await realPath(call.files, path, 'none')
        : has.has('m')
          ? await realPath(call.files, path, 'all')
          : has.has('f')
            ? await realPath(call.files, path, 'last')
            : await call.files.readlink(path);
      await out.write(shown + end);
    } catch (error) {
      code = 1;
      const said =
        error instanceof Error && /EINVAL/.test(error.message) ? 'Invalid argument' : fileError(error);
      if (has.has('v')) await complain(call, `${name}: ${said}`);
    }
  }
  return code;
});

export const realpath = writing(async (call, out) => {
  const options = parseOptions(call.args, {
    short: 'emsqzLP',
    long: [
      'canonicalize-existing=e',
      'canonicalize-missing=m',
      'no-symlinks=s',
      'quiet=q',
      'zero=z',
      'relative-to:',
      'relative-base:',
    ],
  });
  if (options.operands.length === 0) throw new Complaint('missing operand', 1);
  const base = valueOf(options, 'relative-to');
  const complaints: string[] = [];
  for (const operand of options.operands) {
    try {
      const path = options.has.has('s')
        ? call.path(operand)
        : await realPath(
            call.files,
            call.path(operand),
            options.has.has('e') ? 'none' : options.has.has('m') ? 'all' : 'last',
          );
      const shown =
        base === undefined ? path : relative(await realPath(call.files, call.path(base), 'all'), path);
      await out.write(shown + (options.has.has('z') ? '\0' : '\n'));
    } catch (error) {
      if (!options.has.has('q')) complaints.push(`${operand}: ${fileError(error)}`);
    }
  }
  return complainAtEnd(call, out, complaints);
});
