import type { Git } from './git.ts';
import { sourceOf, encode } from '../../shell/kit/io.ts';
import type { Repo } from './repo.ts';

/** Runs a hook of the repository through the shell, where it is there and executable. Answers its exit code. */
export async function runHook(
  git: Git,
  repo: Repo,
  name: string,
  args: readonly string[] = [],
  input = '',
): Promise<number> {
  const configured = repo.config.get('core.hookspath');
  const top = repo.isBare ? repo.gitdir : repo.worktree.top;
  const folder =
    configured === undefined ? `${repo.gitdir}/hooks` : repo.files.fs.resolvePath(top, configured);
  const path = `${folder}/${name}`;
  const stat = await repo.files.fs.stat(path).catch(() => undefined);
  if (!stat || stat.isDirectory) return 0;
  if ((stat.mode & 0o111) === 0) {
    await git.err(
      `hint: The '${path}' hook was ignored because it's not set as executable.\nhint: You can disable this warning with \`git config advice.ignoredHook false\`.\n`,
    );
    return 0;
  }
  await git.finish();
  const env = new Map(git.call.env);
  env.set('GIT_DIR', repo.isBare ? '.' : '.git');
  const index = git.env('GIT_INDEX_FILE');
  env.set('GIT_INDEX_FILE', index ?? '.git/index');
  return git.call.run([path, ...args], {
    cwd: top,
    env,
    stdin: sourceOf(encode(input)),
    stdout: git.call.stderr,
  });
}
