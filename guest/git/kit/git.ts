import { encode, sourceOf, Writer } from '../../shell/kit/io.ts';
import type { ProgramCall } from '../../shell/program.ts';
import { Config, readSettings, type Setting } from './config.ts';
import { nowIn, readDate } from './dates.ts';
import { Fatal } from './fatal.ts';
import { Files } from './files.ts';
import { Painter } from './paint.ts';
import type { Person } from './person.ts';
import { findRepo, isGitFolder, Repo, type Place } from './repo.ts';

export interface Globals {
  readonly cwd: string;
  readonly settings: readonly Setting[];
  readonly gitDir: string | undefined;
  readonly workTree: string | undefined;
  readonly isBare: boolean;
  readonly usesPager: boolean;
}

export interface Command {
  (git: Git, args: readonly string[]): Promise<number>;
}

const UNKNOWN_IDENTITY = `
*** Please tell me who you are.

Run

  git config --global user.email "you@example.com"
  git config --global user.name "Your Name"

to set your account's default identity.
Omit --global to set the identity only in this repository.

`;

/** One run of the command: what it was called with, where it writes, and the repository that it works on. */
export class Git {
  readonly call: ProgramCall;
  readonly cwd: string;
  readonly globals: Globals;
  readonly files: Files;
  readonly #writer: Writer;
  #paged: string[] | undefined;
  /** The file that `--output` names. */
  #file: string | undefined;
  #behind: Promise<void> | undefined;
  #place: Promise<Place | undefined> | undefined;
  #config: Promise<Config> | undefined;
  #repo: Promise<Repo> | undefined;

  constructor(call: ProgramCall, globals: Globals) {
    this.call = call;
    this.globals = globals;
    this.cwd = globals.cwd;
    this.files = new Files(call.files);
    this.#writer = new Writer(call.stdout);
  }

  env(name: string): string | undefined {
    return this.call.env.get(name);
  }

  get home(): string {
    return this.env('HOME') ?? '/home';
  }

  get zone(): string {
    return this.env('TZ') ?? 'UTC';
  }

  /** Long output waits for its reader in between, by {@link ready}. */
  out(text: string): void {
    if (this.#paged) {
      this.#paged.push(text);
      return;
    }
    const behind = this.#writer.write(text);
    if (!behind) return;
    this.#behind = behind;
    // The failure is for whoever waits.
    behind.catch(() => {});
  }

  /** Waits until the reader has taken what was written. */
  async ready(): Promise<void> {
    const behind = this.#behind;
    this.#behind = undefined;
    await behind;
  }

  async outBytes(bytes: Uint8Array): Promise<void> {
    await this.#writer.bytes(bytes);
  }

  async err(text: string): Promise<void> {
    await this.#writer.flush();
    await this.call.stderr.write(encode(text));
  }

  /** Holds the output back for the pager, where it goes to a terminal. */
  page(): void {
    if (this.globals.usesPager && this.call.terminal(1)) this.#paged ??= [];
  }

  /** Lets the output go to a file. */
  writeTo(path: string): void {
    this.#paged ??= [];
    this.#file = path;
  }

  /** Passes on all that was written, through the pager where {@link page} was called. */
  async finish(): Promise<void> {
    const text = this.#paged?.join('');
    this.#paged = undefined;
    if (this.#file !== undefined) return this.files.fs.writeFile(this.#file, encode(text ?? ''));
    await this.ready();
    if (text === undefined) return this.#writer.flush();
    const config = await this.config();
    const pager = this.env('GIT_PAGER') ?? config.get('core.pager') ?? this.env('PAGER') ?? 'less';
    if (text === '') return;
    if (pager === '' || pager === 'cat') {
      await this.call.stdout.write(encode(text));
      return;
    }
    const env = new Map(this.call.env);
    if (!env.has('LESS')) env.set('LESS', 'FRX');
    await this.call.run(['sh', '-c', pager], { stdin: sourceOf(encode(text)), env });
  }

  /** Paints where the output goes to a terminal, or where it was asked for. */
  async painter(section: string, asked?: string): Promise<Painter> {
    const config = await this.config();
    const said = asked ?? config.get(`color.${section}`) ?? config.get('color.ui') ?? 'auto';
    const isTerminal = this.#file === undefined && this.call.terminal(1) !== undefined;
    const isOn = said === 'always' || (/^(auto|true|)$/.test(said) && isTerminal);
    return new Painter(isOn && this.env('NO_COLOR') === undefined);
  }

  /** The width of the terminal, or what COLUMNS says. */
  get columns(): number {
    return this.call.terminal(1)?.columns ?? (Number(this.env('COLUMNS') ?? 0) || 80);
  }

  place(): Promise<Place | undefined> {
    this.#place ??= this.#find();
    return this.#place;
  }

  async #find(): Promise<Place | undefined> {
    const { files, cwd, globals } = this;
    const dir = globals.gitDir ?? this.env('GIT_DIR');
    const tree = globals.workTree ?? this.env('GIT_WORK_TREE');
    const top = tree === undefined ? undefined : files.fs.resolvePath(cwd, tree);
    if (dir === undefined) {
      const found = await findRepo(files, cwd);
      return found && top !== undefined ? { ...found, top } : found;
    }
    const gitdir = files.fs.resolvePath(cwd, dir);
    if (!(await isGitFolder(files, gitdir))) throw new Fatal(`not a git repository: '${dir}'`);
    return { gitdir, top: top ?? (globals.isBare ? undefined : cwd) };
  }

  /** The settings of all files that apply here; outside of a repository those of the person. */
  config(): Promise<Config> {
    this.#config ??= this.#readConfig();
    return this.#config;
  }

  async #readConfig(): Promise<Config> {
    const place = await this.place();
    const paths = this.globalConfigPaths().map((path) => readSettings(this.files, path, `file:${path}`));
    const local = place ? readSettings(this.files, `${place.gitdir}/config`, 'file:.git/config') : [];
    const read = await Promise.all([...paths, local]);
    return new Config([...read.flat(), ...this.globals.settings]);
  }

  globalConfigPaths(): string[] {
    const named = this.env('GIT_CONFIG_GLOBAL');
    if (named !== undefined) return [named];
    return [`${this.env('XDG_CONFIG_HOME') ?? `${this.home}/.config`}/git/config`, `${this.home}/.gitconfig`];
  }

  repo(): Promise<Repo> {
    this.#repo ??= this.#openRepo();
    return this.#repo;
  }

  async #openRepo(): Promise<Repo> {
    const place = await this.place();
    if (!place) throw new Fatal('not a git repository (or any of the parent directories): .git');
    const config = await this.config();
    const isBare =
      place.top !== undefined && config.flag('core.bare') === true && this.globals.workTree === undefined;
    const indexFile = this.env('GIT_INDEX_FILE');
    return new Repo(isBare ? { ...place, top: undefined } : place, {
      files: this.files,
      config,
      cwd: this.cwd,
      home: this.home,
      indexFile: indexFile === undefined ? undefined : this.files.fs.resolvePath(this.cwd, indexFile),
      who: () => this.person('COMMITTER', false),
    });
  }

  /** Reads the settings anew, after they were changed. */
  forget(): void {
    this.#place = undefined;
    this.#config = undefined;
    this.#repo = undefined;
  }

  /** Returns the person who makes a commit, with the time. Fails where nobody has been named, unless `isStrict` is false. */
  async person(role: 'AUTHOR' | 'COMMITTER', isStrict = true): Promise<Person> {
    const config = await this.config();
    const own = role.toLowerCase();
    const name = this.env(`GIT_${role}_NAME`) ?? config.get(`${own}.name`) ?? config.get('user.name');
    const email =
      this.env(`GIT_${role}_EMAIL`) ??
      config.get(`${own}.email`) ??
      config.get('user.email') ??
      this.env('EMAIL');
    if (isStrict && (!name?.trim() || email === undefined)) {
      await this.err(`${role === 'AUTHOR' ? 'Author' : 'Committer'} identity unknown\n${UNKNOWN_IDENTITY}`);
      if (email !== undefined && name?.trim() === '')
        throw new Fatal(`empty ident name (for <${email}>) not allowed`);
      throw new Fatal(`no ${email === undefined ? 'email address' : 'name'} is known, and none is invented`);
    }
    const given = this.env(`GIT_${role}_DATE`);
    const when = given === undefined || given === '' ? nowIn(this.zone) : readDate(given, this.zone);
    return { name: cleaned(name ?? 'user'), email: cleaned(email ?? 'user@localhost'), ...when };
  }
}

/** Characters that would end a name or an address in a commit are left out. */
function cleaned(text: string): string {
  return text.replace(/[<>\n]/g, '').replace(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
}
