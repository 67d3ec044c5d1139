/** The target of a name: namerefs are followed, and the subscript of the last one is included. */
export interface Reference {
  readonly name: string;
  readonly subscript?: string | undefined;
}

const NAME = /^[A-Za-z_]\w*$/;

export function isName(text: string): boolean {
  return NAME.test(text);
}

/** Parses `name` or `name[subscript]`. */
export function parseReference(text: string): Reference | undefined {
  const [, name, subscript] = /^([A-Za-z_]\w*)(?:\[([\s\S]+)\])?$/.exec(text) ?? [];
  return name === undefined ? undefined : { name, subscript };
}
