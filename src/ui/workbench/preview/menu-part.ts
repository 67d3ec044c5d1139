/** Something that a menu does. */
export interface MenuAction {
  readonly title: string;
  readonly disabled: boolean;
  run(): void;
}

/** Several things of which one is chosen. */
export interface MenuChoice {
  readonly title: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  choose(value: string): void;
}
