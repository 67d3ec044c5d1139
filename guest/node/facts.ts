import { NEED_THE_REGISTRY, VERBS } from '../shell/commands/npm/verbs.ts';
import { lacks, type Lack } from './lacks.ts';
import { VERSION } from './versions.ts';

/** What `node` and npm are here: told to the model and in the documentation. */
export interface NodeFacts {
  readonly version: string;
  /** Modules that are there in part or, `whole`, not at all, and what to know of that. */
  readonly lacks: readonly {
    readonly modules: readonly string[];
    readonly why: string;
    readonly whole: boolean;
  }[];
  /** npm's commands, those that work and those that cannot. */
  readonly npm: { readonly works: readonly string[]; readonly lacks: readonly string[] };
}

export const nodeFacts: NodeFacts = {
  version: VERSION,
  lacks: byReason(lacks),
  npm: { works: VERBS, lacks: NEED_THE_REGISTRY },
};

/** What has the same reason stands together. */
function byReason(all: Readonly<Record<string, Lack>>): NodeFacts['lacks'] {
  const groups = new Map<string, { modules: string[]; why: string; whole: boolean }>();
  for (const [module, { why, whole = false }] of Object.entries(all)) {
    const key = `${whole} ${why}`;
    const group = groups.get(key) ?? { modules: [], why, whole };
    group.modules.push(module);
    groups.set(key, group);
  }
  return [...groups.values()];
}
