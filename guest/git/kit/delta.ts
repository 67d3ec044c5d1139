/** Makes an object of the one that it was stored as a change of. Undefined where the change does not fit. */
export function patched(base: Uint8Array, delta: Uint8Array): Uint8Array | undefined {
  let at = 0;
  const size = () => {
    let [value, scale] = [0, 1];
    for (let byte = 0x80; byte & 0x80; scale *= 128) {
      byte = delta[at++] ?? 0;
      value += (byte & 0x7f) * scale;
    }
    return value;
  };
  if (size() !== base.length) return undefined;
  const result = new Uint8Array(size());
  let filled = 0;
  while (at < delta.length) {
    const code = delta[at++] ?? 0;
    let [from, length] = [delta, code];
    let start = at;
    if (code & 0x80) {
      const number = (bits: number, count: number) => {
        let value = 0;
        for (let bit = 0; bit < count; bit++) if (bits & (1 << bit)) value += (delta[at++] ?? 0) * 256 ** bit;
        return value;
      };
      start = number(code & 0x0f, 4);
      length = number((code >> 4) & 0x07, 3) || 0x10000;
      from = base;
    } else at += code;
    if (length === 0 || start + length > from.length || filled + length > result.length) return undefined;
    result.set(from.subarray(start, start + length), filled);
    filled += length;
  }
  return filled === result.length ? result : undefined;
}
