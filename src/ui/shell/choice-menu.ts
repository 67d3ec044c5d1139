/** A button at the message box that opens a list of which one is chosen. */
export interface ChoiceMenuProps {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  /** What the list is of, for who hears it. */
  readonly hint: string;
  /** Shown in colour by the styles. */
  readonly mark?: string;
  readonly disabled: boolean;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string; readonly says: string }[];
  choose(value: string): Promise<void>;
}
