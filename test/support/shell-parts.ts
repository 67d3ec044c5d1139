import { loadPartsBy, type Programs } from '../../guest/shell/commands/from-part.ts';
import type { ShellPart } from '../../src/protocol/frame.ts';

const parts: { readonly [Name in ShellPart]: () => Promise<{ readonly programs: Programs }> } = {
  archives: () => import('../../guest/shell/commands/archives/part.ts'),
  awk: () => import('../../guest/shell/commands/awk/part.ts'),
  compare: () => import('../../guest/shell/commands/diff/part.ts'),
  git: async () => ({ programs: { git: (await import('../../guest/git/git.ts')).git } }),
  jq: () => import('../../guest/shell/commands/jq/part.ts'),
  less: () => import('../../guest/shell/commands/less/part.ts'),
  math: () => import('../../guest/shell/commands/math/part.ts'),
  npm: () => import('../../guest/shell/commands/npm/part.ts'),
  rare: () => import('../../guest/shell/commands/rare/part.ts'),
  rg: () => import('../../guest/shell/commands/rg/part.ts'),
  sed: () => import('../../guest/shell/commands/sed/part.ts'),
  sums: () => import('../../guest/shell/commands/sums/part.ts'),
};

// A test has the code of the whole shell at hand. In a workspace each part is a script that the app fetches.
loadPartsBy(async (part) => (await parts[part]()).programs);
