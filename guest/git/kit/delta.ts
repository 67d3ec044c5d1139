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
    let [from, start, length] = [delta, at, code];
    if (code & 0x80) {
      [from, start, length] = [base, 0, 0];
      for (let bit = 0; bit < 4; bit++) if (code & (1 << bit)) start += (delta[at++] ?? 0) * 256 ** bit;
      for (let bit = 0; bit < 3; bit++) if (code & (16 << bit)) length |= (delta[at++] ?? 0) << (8 * bit);
      length ||= 0x10000;
    } else at += code;
    if (length === 0 || start + length > from.length || filled + length > result.length) return undefined;
    // A view costs more to make than a few bytes do to copy.
    if (length < 32)
      for (let byte = 0; byte < length; byte++) result[filled + byte] = from[start + byte] ?? 0;
    else result.set(from.subarray(start, start + length), filled);
    filled += length;
  }
  return filled === result.length ? result : undefined;
}
