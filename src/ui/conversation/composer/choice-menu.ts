/** The properties of a button at the message box that opens a list of choices. */
export interface ChoiceMenuProps {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  /** The name of the list, for screen readers. */
  readonly hint: string;
  /** The style sheet gives each mark its colour. */
  readonly mark?: string;
  readonly disabled: boolean;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string; readonly says: string }[];
  choose(value: string): Promise<void>;
}
