/** The text of the call that a stack's frame stands at: `assert.ok(a === b)`. `read`: a file's text, or undefined. */
export function callText(stack: string, read: (path: string) => string | undefined): string | undefined {
  const frame = /^\s*at (?:.*?\()?((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/m.exec(stack);
  if (!frame) return undefined;
  const [, place = '', row = '', column = ''] = frame;
  const path = place.startsWith('file://') ? decodeURIComponent(place.slice(7)) : place;
  const text = read(path.replace(/\?.*$/, ''));
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const line = lines[Number(row) - 1];
  if (line === undefined) return undefined;
  const start = calleeStart(line, Number(column) - 1);
  if (start === undefined) return undefined;
  const from = lines.slice(0, Number(row) - 1).reduce((length, each) => length + each.length + 1, 0) + start;
  const end = closing(text, from);
  if (end === undefined) return undefined;
  return outdented(text.slice(from, end), start);
}

/** A frame stands at the name that is called, or at the start of what it is called on. */
function calleeStart(line: string, column: number): number | undefined {
  for (const { index, 0: found } of line.matchAll(
    /[\p{ID_Continue}$]+(?:\s*\.\s*[\p{ID_Continue}$]+)*\s*\(/gu,
  ))
    if (index <= column && column < index + found.length) return index;
  return undefined;
}

/** The place after the parenthesis that closes the first one. */
function closing(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"' || char === "'" || char === '`') at = stringEnd(text, at);
    else if (char === '/' && text.charAt(at + 1) === '/')
      at = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    else if (char === '/' && text.charAt(at + 1) === '*') at = text.indexOf('*/', at) + 1;
    else if (char === '/' && /[(,=:[!&|?{};\n]\s*$/.test(text.slice(Math.max(0, at - 20), at)))
      at = regexEnd(text, at);
    else if (char === '(' || char === '[' || char === '{') depth++;
    else if (char === ')' || char === ']' || char === '}') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

function regexEnd(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '\n' || (char === '/' && !inClass)) return at;
  }
  return text.length;
}

/** Lines after the first lose the indentation that the call itself has. */
function outdented(call: string, indent: number): string {
  return call
    .split('\n')
    .map((line, at) =>
      at === 0 ? line : line.slice(Math.min(indent, line.length - line.trimStart().length)),
    )
    .join('\n');
}
