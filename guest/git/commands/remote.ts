import { ConfigFile } from '../kit/config.ts';
import { Fatal, problem } from '../kit/fatal.ts';
import type { Command, Git } from '../kit/git.ts';
import { parse } from '../kit/options.ts';
import type { Repo } from '../kit/repo.ts';
import { remoteAddress, remotePushAddress } from '../transfer/addresses.ts';

export const remote: Command = async (git, args) => {
  const repo = await git.repo();
  const [verb, ...rest] = args.filter((arg) => arg !== '-v' && arg !== '--verbose');
  const file = new ConfigFile(repo.files, `${repo.gitdir}/config`);
  switch (verb) {
    case undefined:
      return list(git, repo, args.length > 0);
    case 'add':
      return add(git, repo, file, rest);
    case 'remove':
    case 'rm':
      return remove(repo, file, rest[0] ?? '');
    case 'rename':
      return rename(repo, file, rest[0] ?? '', rest[1] ?? '');
    case 'set-url':
      return setUrl(repo, file, rest);
    case 'get-url':
      return getUrl(git, repo, rest);
    case 'show':
      return rest.length === 0 ? list(git, repo, false) : show(git, repo, rest.at(-1) ?? '');
    case 'prune':
    case 'update':
    case 'set-head':
    case 'set-branches':
      return 0;
  }
  throw problem(`Unknown subcommand: ${verb}`, 129);
};

function expectRemote(repo: Repo, name: string): void {
  if (repo.config.get(`remote.${name}.url`) === undefined) throw problem(`No such remote: '${name}'`, 2);
}

function addressesOf({ config }: Repo, name: string): { readonly fetched: string; readonly pushed: string } {
  const fetched = remoteAddress(config, name) ?? '';
  return { fetched, pushed: remotePushAddress(config, name) ?? fetched };
}

async function list(git: Git, repo: Repo, isVerbose: boolean): Promise<number> {
  for (const name of repo.config.names('remote').sort()) {
    const { fetched, pushed } = addressesOf(repo, name);
    git.out(isVerbose ? `${name}\t${fetched} (fetch)\n${name}\t${pushed} (push)\n` : `${name}\n`);
  }
  return 0;
}

async function add(git: Git, repo: Repo, file: ConfigFile, args: readonly string[]): Promise<number> {
  const given = parse('remote add', args, 'f|fetch');
  const [name, url] = given.operands;
  if (name === undefined || url === undefined)
    throw new Fatal('git remote add [<options>] <name> <url>', 129, 'usage: ');
  if (!/^[\w][\w./-]*$/.test(name)) throw new Fatal(`'${name}' is not a valid remote name`);
  if (repo.config.get(`remote.${name}.url`) !== undefined) throw problem(`remote ${name} already exists.`, 3);
  await file.set(`remote.${name}.url`, url);
  await file.set(`remote.${name}.fetch`, `+refs/heads/*:refs/remotes/${name}/*`);
  if (given.has('fetch')) throw problem(`run git fetch ${name} next`);
  git.forget();
  return 0;
}

async function remove(repo: Repo, file: ConfigFile, name: string): Promise<number> {
  expectRemote(repo, name);
  await file.section(`remote.${name}`, undefined);
  for (const branch of repo.config.names('branch'))
    if (repo.config.get(`branch.${branch}.remote`) === name) {
      await file.unset(`branch.${branch}.remote`);
      await file.unset(`branch.${branch}.merge`);
    }
  for (const [ref] of await repo.refs.list(`refs/remotes/${name}/`)) await repo.refs.delete(ref);
  return 0;
}

async function rename(repo: Repo, file: ConfigFile, from: string, to: string): Promise<number> {
  expectRemote(repo, from);
  if (repo.config.get(`remote.${to}.url`) !== undefined) throw problem(`remote ${to} already exists.`, 3);
  await file.section(`remote.${from}`, `remote.${to}`);
  await file.set(`remote.${to}.fetch`, `+refs/heads/*:refs/remotes/${to}/*`);
  for (const branch of repo.config.names('branch'))
    if (repo.config.get(`branch.${branch}.remote`) === from) await file.set(`branch.${branch}.remote`, to);
  for (const [ref, oid] of await repo.refs.list(`refs/remotes/${from}/`)) {
    const target = await repo.refs.symbolicTarget(ref);
    const moved = ref.replace(`refs/remotes/${from}/`, `refs/remotes/${to}/`);
    await repo.refs.delete(ref);
    if (target === undefined) await repo.refs.update(moved, oid, `remote: renamed ${ref} to ${moved}`);
    else await repo.refs.symbolic(moved, target.replace(`refs/remotes/${from}/`, `refs/remotes/${to}/`));
  }
  return 0;
}

async function setUrl(repo: Repo, file: ConfigFile, args: readonly string[]): Promise<number> {
  const given = parse('remote set-url', args, 'push add delete');
  const [name = '', url = ''] = given.operands;
  expectRemote(repo, name);
  await file.set(
    `remote.${name}.${given.has('push') ? 'pushurl' : 'url'}`,
    url,
    given.has('add') ? 'add' : 'one',
  );
  return 0;
}

async function getUrl(git: Git, repo: Repo, args: readonly string[]): Promise<number> {
  const given = parse('remote get-url', args, 'push all');
  const [name = ''] = given.operands;
  expectRemote(repo, name);
  const { fetched, pushed } = addressesOf(repo, name);
  git.out(`${given.has('push') ? pushed : fetched}\n`);
  return 0;
}

async function show(git: Git, repo: Repo, name: string): Promise<number> {
  expectRemote(repo, name);
  const { fetched, pushed } = addressesOf(repo, name);
  const branches = await repo.refs.list(`refs/remotes/${name}/`);
  git.out(`* remote ${name}\n  Fetch URL: ${fetched}\n  Push  URL: ${pushed}\n`);
  git.out(`  Remote branch${branches.length === 1 ? '' : 'es'}: (as fetched)\n`);
  for (const [ref] of branches) git.out(`    ${ref.slice(`refs/remotes/${name}/`.length)}\n`);
  return 0;
}
