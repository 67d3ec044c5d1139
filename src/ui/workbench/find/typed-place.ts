/** The text that the person typed to open a file, taken apart: a part of its name, and perhaps a line. */
export interface TypedPlace {
  readonly name: string;
  /** From 1. */
  readonly line?: number;
}

/** Reads `name:12`, and `name:12:5` as compilers print it. Spaces in the name do not count. */
export function typedPlace(text: string): TypedPlace {
  const [, name = '', line] = /^(.*?)(?::(\d{0,7})(?::\d*)?)?$/.exec(text.replace(/\s+/g, '')) ?? [];
  return line === undefined || Number(line) === 0 ? { name } : { name, line: Number(line) };
}
