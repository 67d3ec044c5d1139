import { describe } from 'vitest';
import { filesContract } from './contract/files.contract.ts';
import { processContract } from './contract/process.contract.ts';
import { lockedFilesContract } from './contract/locked-files.contract.ts';
import { readLimitsContract } from './contract/read-limits.contract.ts';
import { searchContract } from './contract/search.contract.ts';
import { durabilityContract } from './contract/durability.contract.ts';
import { serversContract } from './contract/servers.contract.ts';
import { typedShellContract } from './contract/typed-shell.contract.ts';
import type { Fixture } from './contract/fixture.ts';

/** The tests that every kind of workspace must pass. They run in Node and in the browser. */
export function workspaceContract(name: string, make: () => Promise<Fixture>): void {
  describe(name, () => {
    filesContract(make);
    searchContract(make);
    processContract(make);
    typedShellContract(make);
    serversContract(make);
    readLimitsContract(make);
    lockedFilesContract(make);
    durabilityContract(make);
  });
}
