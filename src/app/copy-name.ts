import { words } from '../ui/words.ts';

const suffixed = (name: string, number: number): string => `${name} (${words.copyNumber(number)})`;

/** The name itself if no other workspace has it, or else one that says that it is a copy. */
export function copyName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  const numbers = Array.from({ length: taken.length + 1 }, (_, at) => at + 1);
  // The copy of a copy is another copy of the first one.
  const suffix = numbers.map((number) => suffixed('', number)).find((each) => name.endsWith(each));
  const base = suffix === undefined ? name : name.slice(0, -suffix.length);
  const free = numbers.map((number) => suffixed(base, number)).find((each) => !taken.includes(each));
  return free ?? name;
}
