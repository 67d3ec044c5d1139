import type { FsStat, ShellFs } from '../../shell-fs.ts';
import { fileError } from '../../files.ts';
import type { ProgramCall } from '../../program.ts';
import { complain, encode, save, sourceOf, writing, type Writer } from '../../kit/io.ts';
import { bitsOf, kindLetter, modeText, OWNER } from '../../kit/mode.ts';
import { momentOfDate, strftime } from '../../kit/strftime.ts';
import { entriesOf } from '../../kit/walk.ts';
import { parseFind } from './parse.ts';
import type { Comparison, Node, Plan } from './plan.ts';

interface Entry {
  readonly shown: string;
  readonly path: string;
  readonly depth: number;
  /** The starting point of the search, as given. */
  readonly from: string;
  stat(): Promise<FsStat>;
}

export const find = writing(async (call, out) => {
  const plan = parseFind(call.args, call.env.get('TZ') ?? '');
  return new Search(call, out, plan).run();
});

class Search {
  readonly #call: ProgramCall;
  readonly #out: Writer;
  readonly #plan: Plan;
  readonly #files: ShellFs;
  readonly #now = Date.now() / 1000;
  readonly #gathered = new Map<Node, Map<string, string[]>>();
  readonly #written = new Map<string, string[]>();
  readonly #references = new Map<string, number>();
  #code = 0;
  #over = false;
  #pruned = false;

  constructor(call: ProgramCall, out: Writer, plan: Plan) {
    this.#call = call;
    this.#out = out;
    this.#plan = plan;
    this.#files = call.files;
  }

  async run(): Promise<number> {
    for (const given of this.#plan.paths) {
      if (this.#over) break;
      const path = this.#call.path(given);
      try {
        await this.#files.lstat(path);
      } catch (error) {
        await this.#fail(given, error);
        continue;
      }
      await this.#visit(this.#entry(given, path, 0, given));
    }
    for (const [node, folders] of this.#gathered) {
      if (node.t !== 'exec') continue;
      for (const [folder, names] of folders) {
        if ((await this.#start([...node.words.slice(0, -1), ...names], folder || undefined)) !== 0)
          this.#code = 1;
      }
    }
    for (const [file, parts] of this.#written) await save(this.#call, file, encode(parts.join('')));
    return this.#code;
  }

  async #fail(name: string, error: unknown): Promise<void> {
    await this.#out.flush();
    await complain(this.#call, `‘${name}’: ${fileError(error)}`);
    this.#code = 1;
  }

  #entry(shown: string, path: string, depth: number, from: string, listed?: FsStat): Entry {
    const isKnown = listed && !(this.#plan.follows && listed.isSymbolicLink);
    let stat: Promise<FsStat> | undefined = isKnown ? Promise.resolve(listed) : undefined;
    const read = async () => {
      if (!this.#plan.follows) return this.#files.lstat(path);
      return this.#files.stat(path).catch(() => this.#files.lstat(path));
    };
    return { shown, path, depth, from, stat: () => (stat ??= read()) };
  }

  async #visit(entry: Entry): Promise<void> {
    if (this.#over || this.#call.signal.aborted) return;
    const { least, most, depthFirst } = this.#plan;
    const applies = entry.depth >= least;
    this.#pruned = false;
    if (applies && !depthFirst) await this.#test(this.#plan.root, entry);
    const pruned = this.#pruned && !depthFirst;
    if (entry.depth < most && !pruned && !this.#over && (await entry.stat()).isDirectory)
      await this.#below(entry);
    if (applies && depthFirst && !this.#over) await this.#test(this.#plan.root, entry);
  }

  async #below(folder: Entry): Promise<void> {
    const { shown, path, depth, from } = folder;
    let entries;
    try {
      entries = await entriesOf(this.#files, path);
    } catch (error) {
      return this.#fail(shown, error);
    }
    for (const { name, stat } of entries) {
      const below = shown.endsWith('/') ? shown + name : `${shown}/${name}`;
      const at = path === '/' ? `/${name}` : `${path}/${name}`;
      // A command that ran before may have changed the listed files.
      await this.#visit(this.#entry(below, at, depth + 1, from, this.#plan.runs ? undefined : stat));
    }
  }

  async #test(node: Node, entry: Entry): Promise<boolean> {
    switch (node.t) {
      case 'and':
        return (await this.#test(node.a, entry)) && !this.#over && (await this.#test(node.b, entry));
      case 'or':
        return (await this.#test(node.a, entry)) || (!this.#over && (await this.#test(node.b, entry)));
      case 'list':
        await this.#test(node.a, entry);
        return this.#test(node.b, entry);
      case 'not':
        return !(await this.#test(node.a, entry));
      case 'constant':
        return node.value;
      case 'text':
        if (node.of === 'path') return node.regex.test(entry.shown);
        if (node.of === 'name') return node.regex.test(baseOf(entry.shown));
        return (await entry.stat()).isSymbolicLink && node.regex.test(await this.#files.readlink(entry.path));
      case 'type': {
        const letter = kindLetter(await entry.stat());
        return node.letters.includes(letter === '-' ? 'f' : letter);
      }
      case 'empty': {
        const stat = await entry.stat();
        if (stat.isDirectory) return (await this.#files.readdir(entry.path)).length === 0;
        return stat.isFile && stat.size === 0;
      }
      case 'size':
        return compared(node.compare, Math.ceil((await entry.stat()).size / node.unit));
      case 'age':
        return this.#isOfAge(node.compare, node.unit, await entry.stat());
      case 'newer':
        return (await entry.stat()).mtime.getTime() > (await this.#timeOf(node.file));
      case 'after':
        return (await entry.stat()).mtime.getTime() / 1000 > node.seconds;
      case 'perm': {
        const bits = bitsOf(await entry.stat());
        if (node.how === '-') return (bits & node.bits) === node.bits;
        return node.how === '/' ? node.bits === 0 || (bits & node.bits) !== 0 : bits === node.bits;
      }
      case 'same':
        return this.#isSame(entry, this.#call.path(node.file));
      case 'can':
        return ((bitsOf(await entry.stat()) >> 6) & node.bit) !== 0;
      case 'links':
        return compared(node.compare, (await entry.stat()).names ?? 1);
      case 'owner':
        return compared(node.compare, OWNER.id);
      case 'prune':
        this.#pruned = true;
        return true;
      case 'quit':
        this.#over = true;
        return true;
      case 'delete':
        return this.#delete(entry);
      case 'print':
        await this.#write(node.file, entry.shown + node.end);
        return true;
      case 'printf':
        await this.#write(node.file, await formatted(node.format, entry, this.#call));
        return true;
      case 'ls':
        await this.#write(undefined, await listed(entry, this.#call));
        return true;
      case 'exec':
        return this.#exec(node, entry);
    }
  }

  async #timeOf(file: string): Promise<number> {
    const known = this.#references.get(file);
    if (known !== undefined) return known;
    try {
      const time = (await this.#files.stat(this.#call.path(file))).mtime.getTime();
      this.#references.set(file, time);
      return time;
    } catch (error) {
      await this.#fail(file, error);
      this.#over = true;
      return Infinity;
    }
  }

  #isOfAge({ sign, amount }: Comparison, unit: number, stat: FsStat): boolean {
    const age = (this.#now - stat.mtime.getTime() / 1000) / unit;
    if (unit === 60)
      return sign === '+' ? age > amount : sign === '-' ? age < amount : Math.ceil(age) === amount;
    return compared({ sign, amount }, Math.floor(age));
  }

  async #isSame(entry: Entry, other: string): Promise<boolean> {
    if (entry.path === other) return true;
    const { inode, names = 1 } = await entry.stat();
    return names > 1 && inode === (await this.#call.files.stat(other)).inode;
  }

  async #write(file: string | undefined, text: string): Promise<void> {
    if (file === undefined) {
      await this.#out.write(text);
      return;
    }
    const parts = this.#written.get(file);
    if (parts) parts.push(text);
    else this.#written.set(file, [text]);
  }

  async #delete(entry: Entry): Promise<boolean> {
    try {
      const { isDirectory } = await entry.stat();
      if (isDirectory && (await this.#files.readdir(entry.path)).length > 0)
        throw new Error('ENOTEMPTY: directory not empty');
      await this.#files.rm(entry.path, { recursive: isDirectory });
      return true;
    } catch (error) {
      await this.#out.flush();
      await complain(this.#call, `cannot delete ‘${entry.shown}’: ${fileError(error)}`);
      this.#code = 1;
      return false;
    }
  }

  async #exec(node: Extract<Node, { t: 'exec' }>, entry: Entry): Promise<boolean> {
    // Nobody can answer a question, so the answer is no.
    if (node.asks) return false;
    const folder = node.inFolder ? entry.path.slice(0, entry.path.lastIndexOf('/')) || '/' : '';
    const name = node.inFolder ? `./${baseOf(entry.path)}` : entry.shown;
    if (node.all) {
      let folders = this.#gathered.get(node);
      if (!folders) this.#gathered.set(node, (folders = new Map()));
      const names = folders.get(folder);
      if (names) names.push(name);
      else folders.set(folder, [name]);
      return true;
    }
    const code = await this.#start(
      node.words.map((word) => word.replaceAll('{}', () => name)),
      folder || undefined,
    );
    return code === 0;
  }

  async #start(words: readonly string[], cwd: string | undefined): Promise<number> {
    await this.#out.flush();
    return this.#call.run(words, { stdin: sourceOf(new Uint8Array()), ...(cwd !== undefined && { cwd }) });
  }
}

function baseOf(path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path;
  return trimmed.slice(trimmed.lastIndexOf('/') + 1) || '/';
}

function compared({ sign, amount }: Comparison, value: number): boolean {
  return sign === '+' ? value > amount : sign === '-' ? value < amount : value === amount;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  '0': '\0',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  r: '\r',
  v: '\v',
};

async function formatted(format: string, entry: Entry, call: ProgramCall): Promise<string> {
  const stat = await entry.stat();
  let text = '';
  for (const hit of format.matchAll(
    /\\([0-7]{3}|[\s\S])|%([-+ #0]*\d*(?:\.\d+)?)([ACT].|[a-zA-Z%])|[^\\%]+|[\s\S]/g,
  )) {
    const [all, escape, width = '', letter] = hit;
    if (escape !== undefined) {
      if (escape === 'c') return text;
      text += ESCAPES[escape] ?? (escape.length === 3 ? String.fromCharCode(parseInt(escape, 8)) : all);
    } else if (letter === undefined) text += all;
    else {
      const value = letter === '%' ? '%' : await detail(letter, entry, stat, call);
      const wanted = Number(/\d+/.exec(width)?.[0] ?? 0);
      text += width.includes('-')
        ? value.padEnd(wanted)
        : value.padStart(wanted, /^0/.test(width) ? '0' : ' ');
    }
  }
  return text;
}

async function detail(letter: string, entry: Entry, stat: FsStat, call: ProgramCall): Promise<string> {
  const { shown, from, depth } = entry;
  switch (letter) {
    case 'p':
      return shown;
    case 'f':
      return baseOf(shown);
    case 'h': {
      const slash = shown.lastIndexOf('/');
      return slash < 0 ? '.' : shown.slice(0, slash);
    }
    case 'H':
      return from;
    case 'P':
      return depth === 0 ? '' : shown.slice(from.length).replace(/^\//, '');
    case 's':
      return String(stat.isDirectory ? 4096 : stat.size);
    case 'k':
      return String(Math.ceil(stat.size / 4096) * 4);
    case 'b':
      return String(Math.ceil(stat.size / 4096) * 8);
    case 'm':
      return bitsOf(stat).toString(8);
    case 'M':
      return modeText(stat);
    case 'y':
    case 'Y': {
      const kind = kindLetter(stat);
      return kind === '-' ? 'f' : kind;
    }
    case 'l':
      return stat.isSymbolicLink ? call.files.readlink(entry.path) : '';
    case 'd':
      return String(depth);
    case 'u':
      return OWNER.user;
    case 'g':
      return OWNER.group;
    case 'U':
    case 'G':
      return String(OWNER.id);
    case 'n':
      return '1';
    case 'i':
      return '1';
    case 't':
    case 'a':
    case 'c':
      return timeText('c', stat, call).replace(/(\d\d:\d\d:\d\d)/, `$1.${nanoseconds(stat)}0`);
  }
  return /^[ACT]/.test(letter) ? timeText(letter.slice(1), stat, call) : `%${letter}`;
}

function nanoseconds(stat: FsStat): string {
  return String(momentOfDate(stat.mtime).nanoseconds).padStart(9, '0');
}

function timeText(letter: string, stat: FsStat, call: ProgramCall): string {
  const moment = momentOfDate(stat.mtime);
  const zone = call.env.get('TZ') ?? '';
  if (letter === '@') return `${moment.seconds}.${nanoseconds(stat)}0`;
  if (letter === '+') return strftime('%Y-%m-%d+%T', moment, zone) + `.${nanoseconds(stat)}0`;
  if (letter === 'S' || letter === 'T')
    return strftime(`%${letter}`, moment, zone) + `.${nanoseconds(stat)}0`;
  return strftime(`%${letter}`, moment, zone);
}

async function listed(entry: Entry, call: ProgramCall): Promise<string> {
  const stat = await entry.stat();
  const blocks = String(Math.ceil(stat.size / 4096) * 4).padStart(6);
  const time = strftime('%b %e %H:%M', momentOfDate(stat.mtime), call.env.get('TZ') ?? '');
  const target = stat.isSymbolicLink ? ` -> ${await call.files.readlink(entry.path)}` : '';
  const owner = `${OWNER.user.padEnd(8)} ${OWNER.group.padEnd(8)}`;
  return `${'1'.padStart(9)} ${blocks} ${modeText(stat)}   1 ${owner} ${String(stat.size).padStart(8)} ${time} ${entry.shown}${target}\n`;
}
