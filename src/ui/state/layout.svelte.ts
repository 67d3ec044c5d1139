import type { Preferences } from './preferences.ts';

export type Theme = 'system' | 'light' | 'dark';
/** What the workbench shows. */
export const TABS = ['files', 'terminal', 'preview', 'inspector', 'log'] as const;
export type Tab = (typeof TABS)[number];
/** On a narrow page one of these fills it; on a wide one only the tabs of the workbench are chosen. */
export type Pane = 'sessions' | 'chat' | 'lesson' | Tab;

/** How the page is laid out, as the person left it on this device. */
export class Layout {
  readonly #preferences: Preferences;
  readonly #hasServers: () => boolean;
  #theme = $state.raw<Theme>('system');
  #pane = $state.raw<Pane>('chat');
  #tab = $state.raw<Tab>('files');
  #sidebar = $state.raw(true);
  #bench = $state.raw(true);

  /** `hasServers`: whether the workspace on the page can have some; reactive. */
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
  /** What this workspace has of them. */
  readonly tabs: readonly Tab[] = $derived.by(() =>
    this.#hasServers() ? TABS : TABS.filter((tab) => tab !== 'preview'),
  );
  /** What a narrow page shows. */
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

  /** It stands where the sidebar does. */
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
