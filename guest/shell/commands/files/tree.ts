import type { ProgramCall } from '../../program.ts';
import type { FsStat } from '../../shell-fs.ts';
import { Complaint } from '../../kit/complaint.ts';
import { globRegex } from '../../kit/glob.ts';
import { optionsOf, writing, type Writer } from '../../kit/io.ts';
import { humanSize, modeText } from '../../kit/mode.ts';
import { valueOf, type Options } from '../../kit/options.ts';

const SPEC = {
  short: 'adfFhilnNpqrstCL:P:I:U',
  long: ['noreport', 'dirsfirst', 'prune', 'charset:', 'ignore-case', 'sort:'],
};

interface Item {
  readonly name: string;
  readonly path: string;
  readonly stat: FsStat;
  readonly target: string | undefined;
  readonly isFolder: boolean;
}

export const tree = writing(async (call, out) => {
  const options = optionsOf(call, SPEC);
  const level = valueOf(options, 'L');
  if (level !== undefined && !(Number(level) > 0))
    throw new Complaint('Invalid level, must be greater than 0.', 1);
  const drawing = new Drawing(call, out, options, level === undefined ? Infinity : Number(level));
  let code = 0;
  for (const name of options.operands.length > 0 ? options.operands : ['.']) {
    const path = call.path(name);
    const stat = await call.files.stat(path).catch(() => undefined);
    if (!stat?.isDirectory) {
      await out.write(`${name}  [error opening dir]\n`);
      code = 2;
      continue;
    }
    const mark = options.has.has('F') && !name.endsWith('/') ? '/' : '';
    await out.write(`${drawing.info(stat)}${name}${mark}\n`);
    await drawing.below(path, name.replace(/(?<=.)\/+$/, ''), '', 1);
  }
  if (!options.has.has('noreport')) {
    const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
    const files = options.has.has('d') ? '' : `, ${counted(drawing.files, 'file', 'files')}`;
    await out.write(`\n${counted(drawing.folders, 'directory', 'directories')}${files}\n`);
  }
  return code;
});

function patternsOf(options: Options, letter: string): RegExp[] {
  const texts = (options.values.get(letter) ?? []).flatMap((text) => text.split('|'));
  return texts.map((text) => globRegex(text.replace(/(?<=.)\/$/, ''), options.has.has('ignore-case')));
}

class Drawing {
  readonly #call: ProgramCall;
  readonly #out: Writer;
  readonly #options: Options;
  readonly #depth: number;
  readonly #ignored: readonly RegExp[];
  readonly #wanted: readonly RegExp[];
  folders = 0;
  files = 0;

  constructor(call: ProgramCall, out: Writer, options: Options, depth: number) {
    this.#call = call;
    this.#out = out;
    this.#options = options;
    this.#depth = depth;
    this.#ignored = patternsOf(options, 'I');
    this.#wanted = patternsOf(options, 'P');
  }

  async below(path: string, shown: string, indent: string, depth: number): Promise<void> {
    if (depth > this.#depth || this.#call.signal.aborted) return;
    const { has } = this.#options;
    const items = await this.#itemsOf(path);
    if (depth === 1 && items.length > 0) this.folders++;
    for (const [at, item] of items.entries()) {
      const isLast = at === items.length - 1;
      if (item.isFolder) this.folders++;
      else this.files++;
      const lines = has.has('i') ? '' : `${indent}${isLast ? '└── ' : '├── '}`;
      const name = has.has('f') ? `${shown}/${item.name}` : item.name;
      const arrow = item.target === undefined ? '' : ` -> ${item.target}`;
      await this.#out.write(`${lines}${this.info(item.stat)}${name}${arrow}${this.#mark(item)}\n`);
      if (!item.isFolder || (item.target !== undefined && !has.has('l'))) continue;
      await this.below(
        item.path,
        `${shown}/${item.name}`,
        indent + (isLast ? '    ' : '│\u00a0\u00a0 '),
        depth + 1,
      );
    }
  }

  /** The mode and size in brackets, where the options ask for them. */
  info(stat: FsStat): string {
    const { has } = this.#options;
    const size = stat.isDirectory ? 4096 : stat.size;
    const parts = [
      ...(has.has('p') ? [modeText(stat)] : []),
      ...(has.has('h') ? [humanSize(size).padStart(4)] : has.has('s') ? [String(size).padStart(11)] : []),
    ];
    return parts.length > 0 ? `[${parts.join(' ')}]  ` : '';
  }

  #mark({ isFolder, stat, target }: Item): string {
    if (!this.#options.has.has('F')) return '';
    if (isFolder) return '/';
    return target === undefined && (stat.mode & 0o111) !== 0 ? '*' : '';
  }

  async #itemsOf(path: string): Promise<Item[]> {
    const { has } = this.#options;
    const names = (await this.#call.files.readdir(path)).filter(
      (name) =>
        (has.has('a') || !name.startsWith('.')) && !this.#ignored.some((pattern) => pattern.test(name)),
    );
    const found = await Promise.all(names.map((name) => this.#itemOf(path, name)));
    const items = found.filter(
      (item) =>
        item !== undefined &&
        (item.isFolder ||
          (!has.has('d') &&
            (this.#wanted.length === 0 || this.#wanted.some((pattern) => pattern.test(item.name))))),
    ) as Item[];
    const byTime = has.has('t') || valueOf(this.#options, 'sort') === 'mtime';
    items.sort(
      (a, b) =>
        (byTime ? a.stat.mtime.getTime() - b.stat.mtime.getTime() : 0) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
    );
    if (has.has('r')) items.reverse();
    return has.has('dirsfirst')
      ? [...items.filter(({ isFolder }) => isFolder), ...items.filter(({ isFolder }) => !isFolder)]
      : items;
  }

  async #itemOf(folder: string, name: string): Promise<Item | undefined> {
    const { files } = this.#call;
    const path = folder === '/' ? `/${name}` : `${folder}/${name}`;
    try {
      const stat = await files.lstat(path);
      if (!stat.isSymbolicLink) return { name, path, stat, target: undefined, isFolder: stat.isDirectory };
      const leads = await files.stat(path).catch(() => undefined);
      return { name, path, stat, target: await files.readlink(path), isFolder: leads?.isDirectory ?? false };
    } catch {
      return undefined;
    }
  }
}
