/** The stack without its innermost function. V8 puts the message above the functions; Firefox and Safari begin with them. */
export function callersIn(stack: string): string {
  const lines = stack.split('\n');
  return lines.slice(lines.findIndex((line) => firstAddress(line) !== '') + 1).join('\n');
}

/** The first place in a stack, with its address as it stands there; empty if there is none. */
export function firstAddress(stack: string): string {
  return /(?:https?|blob):[^\s()]+:\d+:\d+|\/[^\s()]*:\d+:\d+/.exec(stack)?.[0] ?? '';
}

/**
 * Where an error happened. Firefox tells of a script that came as a blob by the blob's address, and the name that its
 * `sourceURL` gives stands only in the stack.
 */
export function addressOfError(told: string, stack: string): string {
  return (told.startsWith('blob:') && firstAddress(stack)) || told;
}
