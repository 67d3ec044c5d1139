import { unsupported, type Unsupported } from '../unsupported.ts';
import { VERSION } from './versions.ts';

/** Facts about `node` here, for the system prompt and the documentation. */
export interface NodeFacts {
  readonly version: string;
  /** Modules that are partly missing, or entirely with `whole`, and why. */
  readonly unsupported: readonly {
    readonly modules: readonly string[];
    readonly why: string;
    readonly whole: boolean;
  }[];
}

export const nodeFacts: NodeFacts = {
  version: VERSION,
  unsupported: byReason(unsupported),
};

/** Groups modules that are missing for the same reason. */
function byReason(all: Readonly<Record<string, Unsupported>>): NodeFacts['unsupported'] {
  const groups = new Map<string, { modules: string[]; why: string; whole: boolean }>();
  for (const [module, { why, whole = false }] of Object.entries(all)) {
    const key = `${whole} ${why}`;
    const group = groups.get(key) ?? { modules: [], why, whole };
    group.modules.push(module);
    groups.set(key, group);
  }
  return [...groups.values()];
}
