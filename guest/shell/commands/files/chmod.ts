import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { complain, optionsOf, writing, type Writer } from '../../kit/io.ts';
import { bitsOf, changedMode, modeText } from '../../kit/mode.ts';
import { valueOf } from '../../kit/options.ts';
import { entriesOf } from '../../kit/walk.ts';

/** The umask that every shell starts with. */
const UMASK = 0o022;

/** Applies a mode to `before`: a clause without a user class leaves the bits of the umask alone. */
function moded(mode: string, before: number, isDirectory: boolean): number | undefined {
  if (/^\d/.test(mode)) return changedMode(mode, before, isDirectory);
  let bits = before;
  for (const clause of mode.split(',')) {
    const after = changedMode(clause, bits, isDirectory);
    if (after === undefined) return undefined;
    if (/^[ugoa]/.test(clause)) bits = after;
    else bits = (after & ~UMASK) | (clause.startsWith('=') ? 0 : bits & UMASK);
  }
  return bits;
}

const isMode = (arg: string) => /^-[rwxXstugo]/.test(arg);

export const chmod = writing(async (call, out) => {
  const end = call.args.indexOf('--');
  const at = call.args.findIndex((arg, index) => isMode(arg) && (end < 0 || index < end));
  const options = optionsOf(
    call,
    {
      short: 'Rcfv',
      long: [
        'recursive=R',
        'changes=c',
        'silent=f',
        'quiet=f',
        'verbose=v',
        'reference:',
        'no-preserve-root',
        'preserve-root',
      ],
    },
    1,
    false,
    call.args.filter((_arg, index) => index !== at),
  );
  const operands = [...options.operands];
  const reference = valueOf(options, 'reference');
  const hint = "\nTry 'chmod --help' for more information.";
  let mode = at >= 0 ? call.args[at] : undefined;
  if (reference !== undefined) {
    const stat = await call.files.stat(call.path(reference)).catch((error: unknown) => {
      throw new Complaint(`failed to get attributes of '${reference}': ${fileError(error)}`, 1);
    });
    mode = bitsOf(stat).toString(8);
  } else mode ??= operands.shift();
  if (mode === undefined) throw new Complaint(`missing operand${hint}`, 1);
  if (moded(mode, 0, false) === undefined) throw new Complaint(`invalid mode: '${mode}'${hint}`, 1);
  if (operands.length === 0) throw new Complaint(`missing operand after '${mode}'${hint}`, 1);
  const { has } = options;
  const changing = new Changing(call, out, mode, {
    recursive: has.has('R'),
    quiet: has.has('f'),
    tells: has.has('v') ? 'all' : has.has('c') ? 'changes' : 'nothing',
  });
  for (const name of operands) await changing.change(name, true);
  return changing.code;
});

interface ChangeOptions {
  readonly recursive: boolean;
  readonly quiet: boolean;
  readonly tells: 'all' | 'changes' | 'nothing';
}

class Changing {
  readonly #call: ProgramCall;
  readonly #out: Writer;
  readonly #mode: string;
  readonly #options: ChangeOptions;
  code = 0;

  constructor(call: ProgramCall, out: Writer, mode: string, options: ChangeOptions) {
    this.#call = call;
    this.#out = out;
    this.#mode = mode;
    this.#options = options;
  }

  async change(name: string, isTop: boolean): Promise<void> {
    const { files } = this.#call;
    const path = this.#call.path(name);
    try {
      const found = await files.lstat(path);
      if (found.isSymbolicLink && !isTop) return;
      const stat = found.isSymbolicLink ? await files.stat(path).catch(() => undefined) : found;
      if (!stat) return await this.#complain(`cannot operate on dangling symlink '${name}'`);
      const before = bitsOf(stat);
      const after = moded(this.#mode, before, stat.isDirectory) ?? before;
      if (after !== before)
        await files.chmod(found.isSymbolicLink ? await files.realpath(path) : path, after);
      const shown = (bits: number) =>
        `${bits.toString(8).padStart(4, '0')} (${modeText({ ...stat, mode: bits }).slice(1)})`;
      if (after !== before && this.#options.tells !== 'nothing')
        await this.#out.write(`mode of '${name}' changed from ${shown(before)} to ${shown(after)}\n`);
      else if (this.#options.tells === 'all')
        await this.#out.write(`mode of '${name}' retained as ${shown(after)}\n`);
      if (!this.#options.recursive || !stat.isDirectory) return;
      for (const entry of await entriesOf(files, path))
        await this.change(`${name.replace(/\/+$/, '')}/${entry.name}`, false);
    } catch (error) {
      await this.#complain(`cannot access '${name}': ${fileError(error)}`);
    }
  }

  async #complain(message: string): Promise<void> {
    this.code = 1;
    if (this.#options.quiet) return;
    await this.#out.flush();
    await complain(this.#call, message);
  }
}
