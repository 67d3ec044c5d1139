import { Fatal } from '../kit/fatal.ts';
import { isGoodRefName } from '../kit/refs.ts';
import type { Files } from '../kit/files.ts';
import type { Command } from '../kit/git.ts';
import { parse } from '../kit/options.ts';
import { quotePath } from '../kit/quote.ts';
import { isGitFolder } from '../kit/repo.ts';

/** Git's own default from version 3 on; init.defaultBranch says otherwise. */
const BRANCH = 'main';

const EXCLUDE = `# Patterns in this file are ignored in this clone alone.
`;

/** Makes the files of an empty repository; those that are there stay. */
export async function makeRepository(
  files: Files,
  gitdir: string,
  branch: string,
  isBare: boolean,
): Promise<void> {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    await files.fs.mkdir(`${gitdir}/${folder}`, { recursive: true });
  const place = async (name: string, text: string) => {
    if (!(await files.exists(`${gitdir}/${name}`))) await files.write(`${gitdir}/${name}`, text);
  };
  await place('HEAD', `ref: refs/heads/${branch}\n`);
  await place('description', "Unnamed repository; edit this file 'description' to name the repository.\n");
  const logs = isBare ? '' : '\tlogallrefupdates = true\n';
  await place(
    'config',
    `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${String(isBare)}\n${logs}`,
  );
  await place('info/exclude', EXCLUDE);
}

export const init: Command = async (git, args) => {
  const given = parse('init', args, 'q|quiet bare b|initial-branch:');
  const [where = '.'] = given.operands;
  const folder = git.files.fs.resolvePath(git.cwd, where);
  const isBare = given.has('bare') || git.globals.isBare;
  const named = git.globals.gitDir ?? git.env('GIT_DIR');
  const gitdir =
    named !== undefined ? git.files.fs.resolvePath(git.cwd, named) : isBare ? folder : `${folder}/.git`;
  const branch = given.value('initial-branch') ?? (await git.config()).get('init.defaultbranch') ?? BRANCH;
  if (!isGoodRefName(branch)) throw new Fatal(`invalid initial branch name: '${branch}'`);
  const isThere = await isGitFolder(git.files, gitdir);
  await git.files.fs.mkdir(folder, { recursive: true });
  await makeRepository(git.files, gitdir, branch, isBare);
  if (isThere && given.has('initial-branch'))
    await git.err(`warning: re-init: ignored --initial-branch=${branch}\n`);
  const how = isThere ? 'Reinitialized existing' : 'Initialized empty';
  if (!given.has('quiet')) git.out(`${how} Git repository in ${quotePath(gitdir, false)}/\n`);
  return 0;
};
