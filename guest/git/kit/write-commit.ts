import { encode } from '../../shell/kit/io.ts';
import type { Objects } from './objects.ts';
import { personText, type Person } from './person.ts';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

export function writeCommit(
  objects: Objects,
  { tree, parents, author, committer, message }: NewCommit,
): Promise<string> {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${personText(author)}`,
    `committer ${personText(committer)}`,
  ];
  return objects.write('commit', encode(`${lines.join('\n')}\n\n${message}`));
}
