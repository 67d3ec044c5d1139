import { Opaque, type ShellCommand } from './opaque.ts';

/**
 * `${!x}` expands to the variable that `x` names, and the shell evaluates that name again. It is known only if every
 * mention of `x` in the script is such an expansion or assigns a plain name to it.
 */
export class IndirectNames {
  readonly #used = new Set<string>();
  /** How many mentions of a name are of a known kind. */
  readonly #known = new Map<string, number>();
  readonly #named = new Set<string>();

  expansion(name: string): void {
    // Variables in capitals may be the shell's own, which it sets by itself.
    if (!/^[A-Za-z_]\w*$/.test(name) || !/[a-z]/.test(name))
      throw new Opaque(`an indirect expansion of ${name}`);
    this.#used.add(name);
    this.mention(name);
  }

  /** Records a mention that only reads the variable. */
  mention(name: string): void {
    this.#known.set(name, (this.#known.get(name) ?? 0) + 1);
  }

  /** Records that the variable becomes one of these words; null for a word known only at run time. */
  names(name: string, values: readonly (string | null)[]): void {
    if (values.length === 0 || !values.every((value) => value !== null && /^[A-Za-z_]\w*$/.test(value)))
      return;
    this.#named.add(name);
    this.mention(name);
  }

  /**
   * Throws if the target of an indirect expansion is not written in `source`. `commands` are its commands, whose
   * words may spell the name in another way.
   */
  check(source: string, commands: readonly ShellCommand[], isWhole: boolean): void {
    for (const name of this.#used) {
      const mention = new RegExp(`(?<![\\w])${name}(?!\\w)`, 'g');
      const mentions = source.match(mention) ?? [];
      const isGiven = commands.some(({ words }) =>
        words.some(({ value, assigns }) => assigns === undefined && (value?.search(mention) ?? -1) >= 0),
      );
      if (isGiven || !isWhole || !this.#named.has(name) || mentions.length !== this.#known.get(name))
        throw new Opaque(`an indirect expansion: what ${name} names is not plainly written here`);
    }
  }
}
