const ALWAYS = `y - stage this hunk
n - do not stage this hunk
q - quit; do not stage this hunk or any of the remaining ones
a - stage this hunk and all later hunks in the file
d - do not stage this hunk or any of the later hunks in the file
`;

const SOMETIMES: readonly (readonly [letter: string, text: string])[] = [
  ['j', 'leave this hunk undecided, see next undecided hunk'],
  ['J', 'leave this hunk undecided, see next hunk'],
  ['k', 'leave this hunk undecided, see previous undecided hunk'],
  ['K', 'leave this hunk undecided, see previous hunk'],
  ['g', 'select a hunk to go to'],
  ['/', 'search for a hunk matching the given regex'],
  ['s', 'split the current hunk into smaller hunks'],
  ['e', 'manually edit the current hunk'],
  ['?', 'print help'],
];

/** Explains the answers that are there for a hunk. */
export function helpFor(offers: readonly string[]): string {
  const lines = SOMETIMES.filter(([letter]) => letter === '?' || offers.includes(letter));
  return ALWAYS + lines.map(([letter, text]) => `${letter} - ${text}\n`).join('');
}
