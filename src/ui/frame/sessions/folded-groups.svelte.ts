import { SvelteSet } from 'svelte/reactivity';
import type { Preferences } from '../../state/preferences.ts';

/** The groups of the list that the person folded, remembered on this device. */
export class FoldedGroups {
  readonly #preferences: Preferences;
  readonly #ids: SvelteSet<string>;

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
    this.#ids = new SvelteSet((preferences.get('folded-workspaces') ?? '').split(' ').filter(Boolean));
  }

  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  /** `known` are the ids of all groups: those that no longer exist are forgotten. */
  fold(id: string, folded: boolean, known: readonly string[]): void {
    if (folded) this.#ids.add(id);
    else this.#ids.delete(id);
    for (const each of [...this.#ids]) if (!known.includes(each)) this.#ids.delete(each);
    this.#preferences.set('folded-workspaces', [...this.#ids].join(' '));
  }
}
