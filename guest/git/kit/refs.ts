import { NO_ID } from './objects.ts';
import { comparePaths } from './bytes.ts';
import { Fatal } from './fatal.ts';
import type { Files } from './files.ts';
import { parsePerson, personText, type Person } from './person.ts';

export interface Head {
  /** The full name of the branch; undefined where HEAD is detached. */
  readonly ref: string | undefined;
  /** Undefined before the first commit. */
  readonly oid: string | undefined;
}

export interface LogEntry {
  readonly from: string;
  readonly to: string;
  readonly who: Person;
  readonly message: string;
}

/** The names of commits in one repository, and the log of where each has pointed. */
export class Refs {
  readonly #files: Files;
  readonly #gitdir: string;
  /** Returns the person who is named in new entries of the logs. */
  readonly #who: () => Promise<Person>;
  #packed: Promise<Map<string, string>> | undefined;

  constructor(files: Files, gitdir: string, who: () => Promise<Person>) {
    this.#files = files;
    this.#gitdir = gitdir;
    this.#who = who;
  }

  #path(name: string): string {
    return `${this.#gitdir}/${name}`;
  }

  /** The text of a ref: an id, or `ref: ` and the name of another. */
  async raw(name: string): Promise<string | undefined> {
    const text = await this.#files.text(this.#path(name));
    if (text !== undefined && /^(ref: |[0-9a-f]{40})/.test(text)) return text.trimEnd();
    return (await this.packed()).get(name);
  }

  packed(): Promise<Map<string, string>> {
    this.#packed ??= this.#files.text(this.#path('packed-refs')).then((text = '') => {
      const found = new Map<string, string>();
      for (const line of text.split('\n')) {
        const [, oid, name] = /^([0-9a-f]{40}) (.+)$/.exec(line) ?? [];
        if (oid !== undefined && name !== undefined) found.set(name, oid);
      }
      return found;
    });
    return this.#packed;
  }

  async resolve(name: string): Promise<string | undefined> {
    for (let at = name, depth = 0; depth < 6; depth++) {
      const text = await this.raw(at);
      const target = text?.startsWith('ref: ') ? text.slice(5).trim() : undefined;
      if (target === undefined) return text?.slice(0, 40);
      at = target;
    }
    return undefined;
  }

  async symbolicTarget(name: string): Promise<string | undefined> {
    const text = await this.raw(name);
    return text?.startsWith('ref: ') ? text.slice(5).trim() : undefined;
  }

  async head(): Promise<Head> {
    const ref = await this.symbolicTarget('HEAD');
    return { ref, oid: await this.resolve(ref ?? 'HEAD') };
  }

  /** All refs below a prefix that ends with a slash, by full name, in order, with their ids. */
  async list(prefix = 'refs/'): Promise<(readonly [name: string, oid: string])[]> {
    const names = new Set([...(await this.packed()).keys()].filter((name) => name.startsWith(prefix)));
    const visit = async (folder: string): Promise<void> => {
      const entries = await this.#files.list(this.#path(folder));
      await Promise.all(
        entries.map(({ name, isDirectory }) => {
          if (isDirectory) return visit(`${folder}/${name}`);
          if (!name.endsWith('.lock')) names.add(`${folder}/${name}`);
          return undefined;
        }),
      );
    };
    await visit(prefix.replace(/\/$/, ''));
    const all = await Promise.all(
      [...names].sort(comparePaths).map(async (name) => [name, await this.resolve(name)] as const),
    );
    return all.flatMap(([name, oid]) => (oid === undefined ? [] : [[name, oid] as const]));
  }

  /** Points a ref at an id and logs it, for HEAD too where HEAD is on that ref. A symbolic ref is followed. */
  async update(name: string, oid: string, message: string): Promise<void> {
    const target = (await this.symbolicTarget(name)) ?? name;
    const before = (await this.resolve(target)) ?? NO_ID;
    await this.#expectFree(target);
    await this.#files.write(this.#path(target), `${oid}\n`);
    await this.log(target, before, oid, message);
    if (target !== 'HEAD' && (await this.symbolicTarget('HEAD')) === target)
      await this.log('HEAD', before, oid, message);
  }

  /** A branch cannot be in the place of a folder of branches, and the other way round. */
  async #expectFree(name: string): Promise<void> {
    const parts = name.split('/');
    for (let length = 3; length < parts.length; length++) {
      const above = parts.slice(0, length).join('/');
      if ((await this.raw(above)) !== undefined)
        throw new Fatal(`cannot lock ref '${name}': '${above}' exists; cannot create '${name}'`);
    }
    const [below] = name.startsWith('refs/') ? await this.list(`${name}/`) : [];
    if (below) throw new Fatal(`cannot lock ref '${name}': '${below[0]}' exists; cannot create '${name}'`);
    if (await this.#files.isFolder(this.#path(name))) await this.#files.remove(this.#path(name));
  }

  async symbolic(name: string, target: string): Promise<void> {
    await this.#files.write(this.#path(name), `ref: ${target}\n`);
  }

  /** Moves HEAD to a branch, or to a commit where `to` is an id, and logs it. */
  async moveHead(to: string, oid: string | undefined, message: string): Promise<void> {
    const before = (await this.resolve('HEAD')) ?? NO_ID;
    if (to.startsWith('refs/')) await this.symbolic('HEAD', to);
    else await this.#files.write(this.#path('HEAD'), `${to}\n`);
    if (oid !== undefined) await this.log('HEAD', before, oid, message);
  }

  async delete(name: string): Promise<void> {
    await this.#files.remove(this.#path(name));
    await this.#files.remove(this.#path(`logs/${name}`));
    await this.#removeEmptyFolders(name);
    const packed = await this.packed();
    if (!packed.delete(name)) return;
    const text = await this.#files.text(this.#path('packed-refs'));
    const lines = (text ?? '').split('\n');
    const at = lines.findIndex((line) => line.endsWith(` ${name}`));
    // The line after a tag may have the id of the commit that it names.
    lines.splice(at, lines[at + 1]?.startsWith('^') ? 2 : 1);
    await this.#files.write(this.#path('packed-refs'), lines.join('\n'));
  }

  async #removeEmptyFolders(name: string): Promise<void> {
    for (const root of ['', 'logs/']) {
      const parts = name.split('/').slice(0, -1);
      for (; parts.length > 2; parts.pop()) {
        const folder = this.#path(root + parts.join('/'));
        if (!(await this.#files.isFolder(folder)) || (await this.#files.list(folder)).length > 0) break;
        await this.#files.remove(folder);
      }
    }
  }

  async log(name: string, from: string, to: string, message: string): Promise<void> {
    if (!/^(HEAD|refs\/(heads|remotes|notes)\/.*|refs\/stash)$/.test(name)) return;
    const who = personText(await this.#who());
    const text = message === '' ? '' : `\t${message.replace(/\s+/g, ' ').trimEnd()}`;
    await this.#files.append(this.#path(`logs/${name}`), `${from} ${to} ${who}${text}\n`);
  }

  /** The log of a ref, the newest entry first. */
  async entries(name: string): Promise<LogEntry[]> {
    const text = (await this.#files.text(this.#path(`logs/${name}`))) ?? '';
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const tab = line.indexOf('\t');
        const head = tab < 0 ? line : line.slice(0, tab);
        return {
          from: head.slice(0, 40),
          to: head.slice(41, 81),
          who: parsePerson(head.slice(82)),
          message: tab < 0 ? '' : line.slice(tab + 1),
        };
      })
      .reverse();
  }

  /** Replaces the log of a ref; `entries` has the newest first. */
  async writeLog(name: string, entries: readonly LogEntry[]): Promise<void> {
    const lines = [...entries]
      .reverse()
      .map(({ from, to, who, message }) => `${from} ${to} ${personText(who)}\t${message}\n`);
    await this.#files.write(this.#path(`logs/${name}`), lines.join(''));
  }

  async renameLog(from: string, to: string): Promise<void> {
    const text = await this.#files.text(this.#path(`logs/${from}`));
    if (text === undefined) return;
    await this.#files.remove(this.#path(`logs/${from}`));
    await this.#files.write(this.#path(`logs/${to}`), text);
  }
}

/** Whether git allows this as the name of a branch or tag. */
export function isGoodRefName(name: string): boolean {
  return (
    name !== '' &&
    name !== '@' &&
    !/(^|\/)\.|\.\.|[\0-\x20\x7f~^:?*[\\]|@\{|\/\/|^\/|\/$|\.$|\.lock(\/|$)/.test(name)
  );
}
