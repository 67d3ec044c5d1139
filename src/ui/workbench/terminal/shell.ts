import type { KeyboardMode } from '../../../workspace/typed-shell.ts';
import { isInside } from '../../../protocol/paths.ts';
import { ROOT, WorkspaceError, type Workspace } from '../../../workspace/workspace.ts';
import type { AgentRun } from '../agent-runs.ts';
import { showName } from '../show-name.ts';
import { AgentBlocks } from './agent-blocks.ts';
import { CommandShell } from './command-shell.ts';
import { AFTER_PROGRAM, cyan, dim, red } from './ansi.ts';
import { complete, type CompletionSource } from './completion.ts';
import { isComplete } from '../../../permissions/shell/completeness.ts';
import { CommandHistory, type HistoryStore } from './history.ts';
import { readKeys, type Key } from './keys.ts';
import { editLine, EMPTY_LINE, insert, lineOf, type Line, type Request } from './line-editor.ts';
import { LastingShell } from './lasting-shell.ts';
import { NO_NAMES, type LineOutcome, type LineShell } from './line-shell.ts';
import type { Screen } from './screen.ts';

const CANDIDATES_SHOWN = 100;

interface Search {
  readonly text: string;
  readonly found: { readonly command: string; readonly at: number } | undefined;
  /** The line from before the search, to return to. */
  readonly before: Line;
}

const BY_LINES: KeyboardMode = { raw: false, echo: true };

/**
 * The person's own shell: reads keys, keeps a history, and runs one line at a time in the workspace. While a
 * line runs, typed input goes to its standard input, by lines or, if a program asks for that, key by key.
 */
export class Shell {
  readonly #workspace: Workspace;
  readonly #screen: Screen;
  readonly #store: HistoryStore;
  readonly #history = new CommandHistory();
  readonly #blocks = new AgentBlocks();
  #line: Line = EMPTY_LINE;
  /**
   * The runner is chosen with the first line, since until then the workspace may still change into another
   * kind.
   */
  #runner: LineShell | undefined;
  #cwd = ROOT;
  #failed = 0;
  #running = false;
  #mode = BY_LINES;
  #shellNames = NO_NAMES;
  /** Input at the start of the line that arrived too late for a program. */
  #late = '';
  /** Output of the agent's runs from while a program had the whole screen. */
  #held = '';
  #search: Search | null = null;
  /** Keys are handled one after the other, although completing a word waits for the workspace. */
  #keys: Promise<void> = Promise.resolve();

  constructor(workspace: Workspace, screen: Screen, store: HistoryStore) {
    this.#workspace = workspace;
    this.#screen = screen;
    this.#store = store;
    screen.onResize(() => this.#runner?.resize());
  }

  /** Shows the prompt; resolves when the stored history has loaded too. */
  async start(): Promise<void> {
    this.#show();
    this.#history.prepend(await this.#store.load().catch(() => []));
  }

  /**
   * Takes bytes from the keyboard. Resolves when they have had their effect; a command may still run then.
   */
  feed(data: string): Promise<void> {
    if (this.#mode.raw) this.#keys = this.#keys.then(() => this.#pass(data));
    else for (const key of readKeys(data)) this.#keys = this.#keys.then(() => this.#take(key));
    return this.#keys;
  }

  /** True while a line runs. */
  get running(): boolean {
    return this.#running;
  }

  /**
   * Runs a line that the person chose elsewhere. What is half typed here goes where cut text goes. While another line
   * runs, it would be read as input of that one, so it is not run, and that is said.
   */
  run(text: string): Promise<void> {
    this.#keys = this.#keys.then(async () => {
      if (this.#running)
        return this.#screen.printLines(`${dim('Not run, because something runs: ')}${showName(text)}\n`);
      this.#search = null;
      this.#line = lineOf(text, this.#line.text || this.#line.killed);
      this.#show();
      await this.#submit();
    });
    return this.#keys;
  }

  /** Shows an event of the agent's shell runs. */
  mirror(run: AgentRun): void {
    const text = this.#blocks.add(run);
    if (this.#mode.raw) this.#held += text;
    else if (text) void this.#screen.printLines(text);
  }

  /** Ends whatever is running. */
  close(): void {
    this.#runner?.close();
  }

  /** Passes keys to a program that has the keyboard to itself, except Ctrl-C, which always interrupts. */
  #pass(data: string): void {
    if (!data.includes('\x03')) this.#runner?.write(data.replaceAll('\r', '\n'));
    else this.#runner?.interrupt();
  }

  async #take(key: Key): Promise<void> {
    if (this.#search && this.#takeSearching(this.#search, key)) return;
    const { line, request } = editLine(this.#line, key);
    this.#line = line;
    if (request) await this.#handle(request);
    else this.#show();
  }

  async #handle(request: Request): Promise<void> {
    switch (request) {
      case 'submit':
        return this.#submit();
      case 'complete':
        return this.#complete();
      case 'older':
        return this.#recall(this.#history.older(this.#line.text));
      case 'newer':
        return this.#recall(this.#history.newer());
      case 'interrupt':
        return this.#interrupt();
      case 'end-of-input':
        if (this.#running) return this.#runner?.closeInput();
        if (!this.#runner?.takesNothing) return;
        this.#line = lineOf('exit', this.#line.killed);
        this.#show();
        return this.#start('exit');
      case 'clear':
        return this.#screen.clear();
      case 'search':
        if (this.#running) return;
        this.#search = { text: '', found: undefined, before: this.#line };
        return this.#show();
      case 'leave':
        return;
    }
  }

  /**
   * Searches the history for the typed text. Returns false if the key ends the search and keeps its usual
   * meaning.
   */
  #takeSearching(search: Search, key: Key): boolean {
    const look = (text: string, before?: number) => {
      const found = this.#history.find(text, before) ?? (before === undefined ? undefined : search.found);
      this.#search = { ...search, text, found };
      if (found) this.#line = lineOf(found.command, this.#line.killed);
    };
    if (key.type !== 'key') look(search.text + key.text.replaceAll('\n', ' '));
    else if (key.name === 'search') look(search.text, search.found?.at);
    else if (key.name === 'backspace') look([...search.text].slice(0, -1).join(''));
    else {
      this.#search = null;
      if (key.name !== 'leave') return false;
      this.#line = search.before;
    }
    this.#show();
    return true;
  }

  #recall(command: string | undefined): void {
    if (command === undefined || this.#running) return;
    this.#line = lineOf(command, this.#line.killed);
    this.#show();
  }

  #interrupt(): void {
    this.#line = { ...lineOf(`${this.#line.text}^C`), killed: this.#line.killed };
    this.#show();
    this.#commit();
    this.#history.rest();
    if (!this.#running) this.#show();
    this.#runner?.interrupt();
  }

  async #submit(): Promise<void> {
    const { text } = this.#line;
    if (this.#running) {
      this.#commit();
      this.#runner?.write(`${text}\n`);
      return;
    }
    if (!(await isComplete(text))) {
      this.#line = lineOf(`${text}\n`, this.#line.killed);
      this.#show();
      return;
    }
    this.#history.add(text);
    if (text.trim() !== '') void this.#store.save(this.#history.commands).catch(() => {});
    this.#start(text);
  }

  #start(text: string): void {
    this.#commit();
    this.#late = '';
    if (text.trim() === '' && !this.#runner?.takesNothing) return this.#show();
    this.#running = true;
    this.#runner ??= this.#chooseRunner();
    this.#runner.run(text);
  }

  #chooseRunner(): LineShell {
    const events = {
      print: (text: string) => this.#screen.print(text),
      done: (outcome: LineOutcome, isOver: () => boolean) => this.#done(outcome, isOver),
      keyboard: (mode: KeyboardMode) => this.#setMode(mode),
    };
    const size = () => this.#screen.size();
    const open = this.#workspace.openShell?.bind(this.#workspace);
    return open ? new LastingShell(open, events, size) : new CommandShell(this.#workspace, events, size);
  }

  #commit(): void {
    if (this.#running && !this.#mode.echo) {
      // Nothing typed without echo is shown, not even where it ended.
      this.#screen.drop();
      this.#line = EMPTY_LINE;
      return;
    }
    // Later output begins at the end of the typed text, wherever the cursor was in it.
    const text = this.#shown();
    this.#screen.edit({ prompt: this.#prompt(), more: this.#more(), text, cursor: text.length });
    this.#screen.commit();
    this.#line = { ...EMPTY_LINE, killed: this.#line.killed };
  }

  /**
   * Queues the end of a line among the keys, so that no line begins or is half typed while late input is put
   * in front.
   */
  #done(outcome: LineOutcome, isOver: () => boolean): Promise<void> {
    this.#keys = this.#keys.then(() => {
      if (isOver()) return this.#finish(outcome);
      // Another line is running by now, so input that came too late for the previous line goes to it.
      if (outcome.unread !== '') this.#runner?.write(outcome.unread);
    });
    return this.#keys;
  }

  async #finish({ exitCode, cwd, notes, unread, names }: LineOutcome): Promise<void> {
    const ran = this.#running;
    this.#running = false;
    this.#failed = exitCode;
    this.#cwd = cwd;
    this.#shellNames = names;
    if (ran) await this.#screen.print(AFTER_PROGRAM);
    await this.#setMode(BY_LINES);
    if (notes.length > 0) await this.#screen.printLines(notes.map((note) => `${dim(note)}\n`).join(''));
    await this.#typeLate(unread);
  }

  /** Input that no program read was meant for the prompt, and was typed before the current text. */
  async #typeLate(unread: string): Promise<void> {
    const { text, cursor, killed } = this.#line;
    if (/[\x00-\x1f\x7f]/.test(unread)) {
      this.#line = { ...EMPTY_LINE, killed };
      for (const key of readKeys(unread)) await this.#take(key);
      this.#line = insert(this.#line, text);
    } else if (unread !== '') {
      // The input goes after earlier late input.
      const at = text.startsWith(this.#late) ? this.#late.length : 0;
      this.#late = text.slice(0, at) + unread;
      this.#line = { text: this.#late + text.slice(at), cursor: cursor + unread.length, killed };
    }
    this.#show();
  }

  async #setMode(mode: KeyboardMode): Promise<void> {
    const wasRaw = this.#mode.raw;
    this.#mode = mode;
    // The program draws the whole screen, so the edited line has to go.
    if (mode.raw) this.#screen.drop();
    if (mode.raw || !wasRaw || this.#held === '') return;
    const held = this.#held;
    this.#held = '';
    await this.#screen.printLines(held);
  }

  async #complete(): Promise<void> {
    if (this.#running) return;
    const { text, cursor } = this.#line;
    const found = await complete(text, cursor, this.#cwd, this.#names).catch(() => null);
    if (!found) return;
    const before = text.slice(0, found.from) + found.text;
    this.#line = { ...this.#line, text: before + text.slice(cursor), cursor: before.length };
    if (found.candidates.length > 0) await this.#screen.printLines(dim(table(found.candidates)) + '\n');
    this.#show();
  }

  readonly #names: CompletionSource = {
    commands: async () => [
      ...new Set([...(await this.#workspace.capabilities()).commands, ...this.#shellNames.commands]),
    ],
    variables: () => this.#shellNames.variables,
    list: async (path) => {
      try {
        const entries = await this.#workspace.files.list(path);
        return entries.map(({ name, type }) => ({ name, directory: type === 'directory' }));
      } catch (error) {
        if (error instanceof WorkspaceError) return [];
        throw error;
      }
    },
  };

  #show(): void {
    const text = this.#shown();
    const cursor = Math.min(this.#line.cursor, text.length);
    this.#screen.edit({ prompt: this.#prompt(), more: this.#more(), text, cursor });
  }

  /** Text is hidden while a program asks for it in secret. */
  #shown(): string {
    return this.#running && !this.#mode.echo ? '' : this.#line.text;
  }

  #prompt(): string {
    if (this.#running) return '';
    if (this.#search) {
      const failed = this.#search.text !== '' && !this.#search.found;
      return `${dim(`(${failed ? 'not found' : 'search'}) ${showName(this.#search.text)}:`)} `;
    }
    const place = showName(
      isInside(this.#cwd, ROOT) ? this.#cwd.slice(ROOT.lastIndexOf('/') + 1) : this.#cwd,
    );
    return `${this.#failed === 0 ? '' : `${red(String(this.#failed))} `}${cyan(place)} $ `;
  }

  /** The prefix for each further row of a line. */
  #more(): string {
    return this.#running ? '' : `${dim('>')} `;
  }
}

function table(names: readonly string[]): string {
  const shown = names.slice(0, CANDIDATES_SHOWN).map(showName).join('  ');
  const rest = names.length - CANDIDATES_SHOWN;
  return rest > 0 ? `${shown}  … and ${rest} more` : shown;
}
