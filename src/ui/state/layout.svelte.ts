import type { Preferences } from './preferences.ts';

export type Theme = 'system' | 'light' | 'dark';
/** The tabs of the workbench. */
export const TABS = ['files', 'changes', 'terminal', 'preview', 'inspector', 'log'] as const;
export type Tab = (typeof TABS)[number];
/** A narrow page shows one of these at a time. On a wide page, only the tabs of the workbench are chosen. */
export type Pane = 'sessions' | 'chat' | 'lesson' | Tab;

/** The layout of the page, as the person left it on this device. */
export class Layout {
  readonly #preferences: Preferences;
  readonly #hasServers: () => boolean;
  #theme = $state.raw<Theme>('system');
  #pane = $state.raw<Pane>('chat');
  #tab = $state.raw<Tab>('files');
  #sidebar = $state.raw(true);
  #bench = $state.raw(true);
  #typedInto = $state(0);

  /** `hasServers` tells whether the shown workspace can have servers. It is reactive. */
  constructor(preferences: Preferences, hasServers: () => boolean) {
    this.#preferences = preferences;
    this.#hasServers = hasServers;
    this.#theme = oneOf(preferences.get('theme'), ['system', 'light', 'dark']);
    this.#tab = oneOf(preferences.get('tab'), TABS);
    this.#sidebar = preferences.get('sidebar') !== 'off';
    this.#bench = preferences.get('workbench') !== 'off';
  }

  get theme(): Theme {
    return this.#theme;
  }
  /** The tabs that the shown workspace has. */
  readonly tabs: readonly Tab[] = $derived.by(() =>
    this.#hasServers() ? TABS : TABS.filter((tab) => tab !== 'preview'),
  );
  /** The pane that a narrow page shows. */
  get pane(): Pane {
    return this.#pane === 'preview' ? this.#shown(this.#pane) : this.#pane;
  }
  get tab(): Tab {
    return this.#shown(this.#tab);
  }
  get sidebar(): boolean {
    return this.#sidebar;
  }
  get bench(): boolean {
    return this.#bench;
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#preferences.set('theme', theme);
  }

  show(pane: Pane): void {
    this.#pane = pane;
    if (pane === 'sessions' || pane === 'chat' || pane === 'lesson') return;
    this.#tab = pane;
    this.#preferences.set('tab', pane);
    if (!this.#bench) this.toggleBench();
  }

  /** A counter that grows each time the person asks for the terminal in order to type. */
  get typedInto(): number {
    return this.#typedInto;
  }

  /**
   * Shows the terminal, which then takes the keyboard focus, unless the focus moves elsewhere before the
   * terminal has loaded.
   */
  typeInTerminal(): void {
    this.show('terminal');
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && !activeElement.closest('.xterm')) activeElement.blur();
    this.#typedInto++;
  }

  /** Lessons take the place of the sidebar, so the sidebar must be open. */
  showLesson(): void {
    if (!this.#sidebar) this.toggleSidebar();
    this.show('lesson');
  }

  toggleSidebar(): void {
    this.#sidebar = !this.#sidebar;
    this.#preferences.set('sidebar', this.#sidebar ? 'on' : 'off');
  }

  toggleBench(): void {
    this.#bench = !this.#bench;
    this.#preferences.set('workbench', this.#bench ? 'on' : 'off');
  }

  #shown(tab: Tab): Tab {
    return this.tabs.includes(tab) ? tab : 'files';
  }
}

function oneOf<T extends string>(value: string | null, choices: readonly [T, ...T[]]): T {
  return choices.find((choice) => choice === value) ?? choices[0];
}
