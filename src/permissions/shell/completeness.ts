import type { SyntaxNode } from 'unbash';

/** Whether a shell would run this now, because no quote, loop or here-document is left open. */
export async function isComplete(command: string): Promise<boolean> {
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(command)) return false;
  const { parse, forEachChild } = await import('unbash');
  const script = parse(command);
  const [first, ...others] = script.errors ?? [];
  if (first) {
    const isOpen = ({ message, pos }: typeof first) =>
      message.startsWith('unterminated') || (message.startsWith('expected') && pos >= command.length);
    // The parser misses the first commands of a brace group that has only just begun.
    const isBegun = isOpen(first) || /^expected command in/.test(first.message);
    return !(
      isBegun &&
      [first, ...others].some(isOpen) &&
      others.every(({ message }) => !/^unexpected/.test(message))
    );
  }
  let isClosed = true;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'HereDoc' && !node.closing) isClosed = false;
    forEachChild(node, visit);
  };
  visit(script);
  return isClosed;
}
