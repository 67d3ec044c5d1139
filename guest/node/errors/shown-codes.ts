/** The codes that stand in the first lines of the stacks of node's own errors: `TypeError [ERR_INVALID_ARG_TYPE]: …`. */
const codes = new WeakMap<object, string>();

/** Shows a code in the stack of an error, which is written when it is first read, since most stacks never are. */
export function showCode(error: object, code: string): void {
  codes.set(error, code);
}

export function shownCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? codes.get(error) : undefined;
}
