import { FaultError } from '../base/fault.ts';
import { shellWord } from '../base/shell-word.ts';
import type { AppRepositories, RepositoryOpening, RepositoryRequest } from '../ui/app.ts';
import type { HostSettings } from './host-settings.ts';
import { GITHUB } from './host-settings.ts';
import type { Workspaces } from './workspaces.ts';

export interface RepositoriesDeps {
  readonly workspaces: Pick<Workspaces, 'create' | 'open' | 'delete'>;
  readonly hosts: Pick<HostSettings, 'addHosts'>;
}

/** Opens repositories of GitHub in new workspaces, by the workspace's own git. */
export class RepositoriesOfApp implements AppRepositories {
  readonly #deps: RepositoriesDeps;

  constructor(deps: RepositoriesDeps) {
    this.#deps = deps;
  }

  opening(request: RepositoryRequest): RepositoryOpening {
    return new Opening(request, this.#deps);
  }
}

class Opening implements RepositoryOpening {
  readonly #request: RepositoryRequest;
  readonly #deps: RepositoriesDeps;
  #workspaceID: string | undefined;

  constructor(request: RepositoryRequest, deps: RepositoriesDeps) {
    this.#request = request;
    this.#deps = deps;
  }

  async run(report: (percent: number) => void, signal: AbortSignal): Promise<string> {
    const { repository, ref } = this.#request;
    const { workspaces, hosts } = this.#deps;
    await hosts.addHosts(GITHUB);
    // Another try goes on in the same workspace, with what has come.
    this.#workspaceID ??= (
      await workspaces.create({ kind: 'embedded', name: repository.slice(repository.indexOf('/') + 1) })
    ).id;
    const workspace = await workspaces.open(this.#workspaceID);
    signal.throwIfAborted();
    const branch = ref === undefined ? '' : `--branch=${shellWord(ref)} `;
    const command = `git clone --progress ${branch}-- ${shellWord(`https://github.com/${repository}`)} .`;
    const process = workspace.spawn(command, { stdin: '', signal });
    let output = '';
    for await (const chunk of process.output) {
      output += chunk;
      const newest = output.slice(Math.max(0, output.lastIndexOf('Receiving objects:')));
      const [, percent] = /^Receiving objects: +(\d+)%/.exec(newest) ?? [];
      if (percent !== undefined) report(Number(percent));
    }
    const { exitCode } = await process.exited;
    signal.throwIfAborted();
    if (exitCode !== 0) throw new FaultError(faultIn(output));
    await workspace.durable();
    return this.#workspaceID;
  }

  async discard(): Promise<void> {
    const id = this.#workspaceID;
    this.#workspaceID = undefined;
    if (id !== undefined) await this.#deps.workspaces.delete(id);
  }
}

/** Makes a fault of what git printed, leaving out its progress. */
function faultIn(output: string): { readonly code: string; readonly what: string } {
  const lines = output
    .split(/[\r\n]+/)
    .filter((line) => line !== '' && !/^(Cloning into|note:|Receiving objects)/.test(line));
  const text = lines.join(' ').replace(/\b(fatal|error): /g, '');
  return { code: 'clone-failed', what: text.trim() || 'git ended without saying why.' };
}
