import { fileError } from '../../files.ts';
import { Complaint } from '../../kit/command.ts';
import { complain, optionsOf, writing } from '../../kit/io.ts';
import { valueOf } from '../../kit/options.ts';
import { realPath } from '../../kit/real-path.ts';

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
