export function isThing(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Draws rows and columns in a box. Undefined if there are none. */
export function tableOf(
  data: unknown,
  only: readonly string[] | undefined,
  show: (value: unknown) => string,
): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const isMap = data instanceof Map;
  const isSet = data instanceof Set;
  const index = isMap || isSet ? '(iteration index)' : '(index)';
  const rows: [string, unknown, unknown?][] = isMap
    ? [...data].map(([key, value], at) => [String(at), value, key])
    : isSet
      ? [...data].map((value, at) => [String(at), value])
      : Object.entries(data);
  const columns: string[] = [];
  let hasValues = false;
  const cells = rows.map(([name, value, key]) => {
    const row = new Map<string, string>();
    if (isMap) row.set('Key', show(key));
    if (isThing(value) && typeof value !== 'function' && !isMap) {
      for (const column of only ?? Object.keys(value)) {
        if (!columns.includes(column)) columns.push(column);
        if (Object.hasOwn(value, column)) row.set(column, show(Reflect.get(value, column)));
      }
    } else {
      hasValues = true;
      row.set('Values', show(value));
    }
    return { name, row };
  });
  const heads = [index, ...(isMap ? ['Key'] : []), ...(only ?? columns), ...(hasValues ? ['Values'] : [])];
  const lines = cells.map(({ name, row }) => [name, ...heads.slice(1).map((head) => row.get(head) ?? '')]);
  const widths = heads.map(
    (_head, at) => Math.max(...[heads, ...lines].map((line) => width(line[at] ?? ''))) + 2,
  );
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((each) => '─'.repeat(each)).join(middle) + right;
  const line = (texts: readonly string[]) =>
    `│${texts.map((text, at) => ` ${text}${' '.repeat(Math.max(0, (widths[at] ?? 0) - width(text) - 1))}`).join('│')}│`;
  return [
    rule('┌', '┬', '┐'),
    line(heads),
    rule('├', '┼', '┤'),
    ...lines.map(line),
    rule('└', '┴', '┘'),
  ].join('\n');
}

function width(text: string): number {
  let total = 0;
  for (const char of text)
    total +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
        char,
      )
        ? 2
        : 1;
  return total;
}
