/**
 * Returns a function that folds lists which mostly grow at their end, such as the messages of a session: of a list that
 * begins with the last one with the same first item, only what is new is folded. Items are compared by identity, so
 * they must not change in place. `add` may change the result that it is given; the caller must not, nor keep it.
 */
export function growingFold<Item extends object, Result>(
  start: () => Result,
  add: (result: Result, item: Item) => Result,
): (items: readonly Item[]) => Result {
  const known = new WeakMap<Item, { readonly items: readonly Item[]; readonly result: Result }>();
  return (items) => {
    const [first] = items;
    if (!first) return start();
    const last = known.get(first);
    // If `add` throws, it may have changed the result half.
    known.delete(first);
    const goesOn = last && beginsWith(items, last.items);
    let result = goesOn ? last.result : start();
    for (const item of goesOn ? items.slice(last.items.length) : items) result = add(result, item);
    known.set(first, { items, result });
    return result;
  };
}

/** Whether a list begins with exactly these items. */
export function beginsWith<Item>(items: readonly Item[], start: readonly Item[]): boolean {
  return start.length <= items.length && start.every((item, index) => item === items[index]);
}
