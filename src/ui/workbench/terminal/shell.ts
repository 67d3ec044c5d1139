import {
  ROOT,
  WorkspaceError,
  type Exit,
  type Process,
  type Workspace,
} from '../../../workspace/workspace.ts';
import type { AgentRun } from '../agent-runs.ts';
import { showName } from '../show-name.ts';
import { AgentBlocks } from './agent-blocks.ts';
import { AFTER_PROGRAM, cyan, dim, red } from './ansi.ts';
import { complete, type CompletionSource } from './completion.ts';
import { isComplete } from './completeness.ts';
import { CommandHistory, type HistoryStore } from './history.ts';
import { readKeys, type Key } from './keys.ts';
import { editLine, EMPTY_LINE, lineOf, type Line, type Request } from './line-editor.ts';
import type { Screen } from './screen.ts';

const CANDIDATES_SHOWN = 100;

interface Search {
  readonly text: string;
  readonly found: { readonly command: string; readonly at: number } | undefined;
  /** What was typed before, to come back to. */
  readonly before: Line;
}

/**
 * The person's own shell: reads keys, keeps a directory and a history, and runs one command at a time in the
 * workspace. While a command runs, lines go to its standard input.
 */
export class Shell {
  readonly #workspace: Workspace;
  readonly #screen: Screen;
  readonly #store: HistoryStore;
  readonly #history = new CommandHistory();
  readonly #blocks = new AgentBlocks();
  #line: Line = EMPTY_LINE;
  #cwd = ROOT;
  #failed = 0;
  #running: Process | null = null;
  /** Ctrl-C was pressed while it runs: the next one ends it for certain. */
  #interrupted = false;
  #search: Search | null = null;
  /** Keys are taken one after the other, though completing a word waits for the workspace. */
  #keys: Promise<void> = Promise.resolve();

  constructor(workspace: Workspace, screen: Screen, store: HistoryStore) {
    this.#workspace = workspace;
    this.#screen = screen;
    this.#store = store;
  }

  get cwd(): string {
    return this.#cwd;
  }

  /** Shows the prompt; resolves when the stored history is there too. */
  async start(): Promise<void> {
    this.#show();
    this.#history.prepend(await this.#store.load().catch(() => []));
  }

  /** Bytes from the keyboard. Resolves when they have had their effect; a command may still run then. */
  feed(data: string): Promise<void> {
    for (const key of readKeys(data)) this.#keys = this.#keys.then(() => this.#take(key));
    return this.#keys;
  }

  /** Shows something that the agent runs. */
  mirror(run: AgentRun): void {
    const text = this.#blocks.add(run);
    if (text) void this.#screen.printLines(text);
  }

  /** Ends what runs. */
  close(): void {
    this.#running?.kill();
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
        return this.#running?.closeInput();
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

  /** Looks back through the history for what is typed. False where the key ends that and means what it always does. */
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
    if (!this.#running) return this.#show();
    if (this.#running.interrupt && !this.#interrupted) this.#running.interrupt();
    else this.#running.kill();
    this.#interrupted = true;
  }

  #submit(): void {
    const { text } = this.#line;
    if (this.#running) {
      this.#commit();
      this.#running.write(`${text}\n`);
      return;
    }
    if (!isComplete(text)) {
      this.#line = lineOf(`${text}\n`, this.#line.killed);
      this.#show();
      return;
    }
    this.#commit();
    this.#history.add(text);
    if (text.trim() === '') {
      this.#show();
      return;
    }
    void this.#store.save(this.#history.commands).catch(() => {});
    void this.#run(text);
  }

  #commit(): void {
    // What follows on the screen begins at the end of the typed text, wherever the cursor stood in it.
    this.#screen.edit({ prompt: this.#prompt(), text: this.#line.text, cursor: this.#line.text.length });
    this.#screen.commit();
    this.#line = { ...EMPTY_LINE, killed: this.#line.killed };
  }

  async #run(command: string): Promise<void> {
    const process = this.#workspace.spawn(command, { cwd: this.#cwd, terminal: this.#screen.size() });
    this.#running = process;
    this.#interrupted = false;
    for await (const chunk of process.output) await this.#screen.print(chunk);
    const exit = await process.exited;
    this.#running = null;
    this.#failed = exit.exitCode;
    await this.#screen.print(AFTER_PROGRAM);
    const notes = [...notesOn(exit), ...(await this.#move(exit.cwd))];
    await this.#screen.printLines(notes.map((note) => `${dim(note)}\n`).join(''));
    this.#show();
  }

  /** Commands start inside the workspace only: a shell that ended elsewhere, or in a folder that is gone, starts at the root. */
  async #move(cwd: string): Promise<readonly string[]> {
    const inside = cwd === ROOT || cwd.startsWith(`${ROOT}/`);
    const there = inside && (await this.#workspace.files.stat(cwd).catch(() => null))?.type === 'directory';
    this.#cwd = there ? cwd : ROOT;
    return there || cwd === ROOT ? [] : [`${showName(cwd)} cannot be kept as the directory; back in ${ROOT}`];
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
    commands: async () => (await this.#workspace.capabilities()).commands,
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
    this.#screen.edit({ prompt: this.#prompt(), text: this.#line.text, cursor: this.#line.cursor });
  }

  #prompt(): string {
    if (this.#running) return '';
    if (this.#search) {
      const failed = this.#search.text !== '' && !this.#search.found;
      return `${dim(`(${failed ? 'not found' : 'search'}) ${showName(this.#search.text)}:`)} `;
    }
    const place = showName(this.#cwd.slice(ROOT.lastIndexOf('/') + 1));
    return `${this.#failed === 0 ? '' : `${red(String(this.#failed))} `}${cyan(place)} $ `;
  }
}

function notesOn(exit: Exit): readonly string[] {
  return [
    ...(exit.reason === 'lost' ? ['The workspace stopped while this ran.'] : []),
    ...(exit.reason === 'timeout' ? ['Ended: it ran out of time.'] : []),
    ...(exit.outputMayBeCut ? ['Some of its output may be missing.'] : []),
  ];
}

function table(names: readonly string[]): string {
  const shown = names.slice(0, CANDIDATES_SHOWN).map(showName).join('  ');
  const rest = names.length - CANDIDATES_SHOWN;
  return rest > 0 ? `${shown}  … and ${rest} more` : shown;
}
