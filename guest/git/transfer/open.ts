import { gitHubName } from '../github/address.ts';
import { Api } from '../github/api.ts';
import { GitHubRemote } from '../github/remote.ts';
import type { Git } from '../kit/git.ts';
import { isAddress, openOther } from './other.ts';
import { PathRemote } from './path-remote.ts';
import type { Remote } from './remote.ts';
import { SmartRemote } from './smart-remote.ts';

/** Opens the repository at an address, or at a path relative to a folder. */
export async function openRemote(git: Git, url: string, from: string): Promise<Remote> {
  const name = gitHubName(url);
  if (name) return new GitHubRemote(git, new Api(name, git.call.fetch), url);
  if (isAddress(url)) return new SmartRemote(git, url);
  return new PathRemote(url, await openOther(git, url, from));
}
