import type { Workspace } from '../../../workspace/workspace.ts';
import type { AgentRunStream } from '../agent-runs.ts';
import type { HistoryStore } from './history.ts';
import type { OpenTerminal } from './open-terminal.ts';
import { Shell } from './shell.ts';
import type { TouchKeys } from './touch-keys.svelte.ts';

/** The parts that the terminal of a workspace is built from. */
export interface TerminalParts {
  readonly workspace: Workspace;
  readonly agentRuns: AgentRunStream | undefined;
  readonly history: HistoryStore;
}

/** A terminal with a shell in it. */
export interface JoinedTerminal {
  readonly touchKeys: TouchKeys;
  focus(): void;
  /** Runs a line as if the person had typed it, unless something runs. */
  run(line: string): Promise<void>;
}

/**
 * The terminal of a workspace. Its screen, its scrollback and its shell continue while it is hidden, until
 * the workspace is closed.
 */
export class KeptTerminal {
  /** The element that is put on the page wherever the terminal is shown. */
  readonly host = document.createElement('div');
  readonly #parts: TerminalParts;
  #opened: JoinedTerminal | undefined;
  #shell: Shell | undefined;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    this.host.style.blockSize = '100%';
  }

  /**
   * Opens the terminal the first time. Resolves to undefined while the host has no size; the caller then
   * tries again, as after a failure.
   */
  async open(): Promise<JoinedTerminal | undefined> {
    const { openTerminal } = await import('./open-terminal.ts');
    if (this.#opened || this.host.clientWidth === 0 || this.host.clientHeight === 0) return this.#opened;
    const terminal = openTerminal(this.host);
    const shell = this.#join(terminal);
    this.#shell = shell;
    const { touchKeys } = terminal;
    this.#opened = { touchKeys, focus: () => terminal.focus(), run: (line) => shell.run(line) };
    return this.#opened;
  }

  /** True while a command runs in it. */
  get busy(): boolean {
    return this.#shell?.running ?? false;
  }

  /** Connects a shell to the terminal; both end with the workspace. */
  #join(terminal: OpenTerminal): Shell {
    const { workspace, agentRuns, history } = this.#parts;
    const shell = new Shell(workspace, terminal.screen, history);
    terminal.onKeys((data) => void shell.feed(data));
    const unlistenRuns = agentRuns?.((run) => shell.mirror(run));
    const unlistenStatus = workspace.onStatus(({ state }) => {
      if (state !== 'closed') return;
      unlistenStatus();
      unlistenRuns?.();
      shell.close();
      terminal.dispose();
    });
    void shell.start();
    return shell;
  }
}

const kept = new WeakMap<Workspace, KeptTerminal>();

/** The only terminal of this workspace, created on first use. */
export function terminalOf(parts: TerminalParts): KeptTerminal {
  const known = kept.get(parts.workspace);
  if (known) return known;
  const made = new KeptTerminal(parts);
  kept.set(parts.workspace, made);
  return made;
}

/** Whether a command runs in the terminal of this workspace. */
export function isTerminalBusy(workspace: Workspace): boolean {
  return kept.get(workspace)?.busy ?? false;
}
