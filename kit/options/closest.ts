/** The name that was probably meant: one that differs by one slip, or by two if it is long. `undefined` if none does. */
export function closest(given: string, names: readonly string[]): string | undefined {
  const slips = names.map((name) => ({ name, slips: slipsBetween(given, name) }));
  const [best] = slips.toSorted((one, other) => one.slips - other.slips);
  return best && best.slips <= (best.name.length < LONG ? 1 : 2) ? best.name : undefined;
}

const LONG = 8;

/** How many letters are wrong, missing, too many or changed round with their neighbour. */
function slipsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const least = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
      rows[row]?.push(least);
    }
  }
  return at(one.length, other.length);
}
