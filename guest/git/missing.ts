import { COMMANDS } from './commands.ts';

const PATCHES = 'git diff and git show print patches; patch -p1 applies one.';
const NOTHING_TO_DO =
  'Nothing has to be done here: the objects of a repository are small files of the workspace.';

/** The commands of native git that are not there, each with a way out. */
const MISSING: Readonly<Record<string, string>> = {
  worktree: 'A second working tree is a clone: git clone . ../other.',
  submodule: 'Clone the repository that belongs into the folder.',
  lfs: 'Files that Git LFS keeps elsewhere stay the small files that point to them.',
  bisect: 'Check out commits by hand: git rev-list --count A..B and git checkout A~N.',
  apply: PATCHES,
  am: PATCHES,
  'format-patch': PATCHES,
  'send-email': PATCHES,
  archive: 'zip -r or tar -cf packs the files.',
  bundle: 'tar -cf packs the folder .git.',
  gc: NOTHING_TO_DO,
  repack: NOTHING_TO_DO,
  prune: NOTHING_TO_DO,
  maintenance: NOTHING_TO_DO,
  fsck: 'Each object is checked against its id whenever it is read.',
  'range-diff': 'git cherry -v A B marks the commits that both have, and git diff A B compares the ends.',
  notes: 'Write the note into a file, or amend the message: git commit --amend.',
  'filter-branch': 'git rebase and git cherry-pick rewrite a series of commits.',
  'sparse-checkout': 'All files of a commit are checked out.',
  difftool: 'git diff shows changes, and so does the tab Changes.',
  mergetool: 'Edit the files that git status names, then git add them.',
  gui: 'git log --graph --oneline --all shows the history.',
  daemon: 'Nothing in here can be reached from outside.',
  credential: 'The user can give a GitHub token under Settings, Tools and servers.',
  replace: 'git rebase rewrites a series of commits.',
  rerere: 'Resolve the conflict again.',
  svn: 'Only git is spoken here.',
};

export function missingText(name: string): string | undefined {
  const instead = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined;
  return instead === undefined ? undefined : `git: '${name}' is not there in this workspace. ${instead}`;
}

export function overview(): string {
  const names = [...COMMANDS.keys()].sort();
  const lines: string[] = [];
  for (let at = 0; at < names.length; at += 8) lines.push(`   ${names.slice(at, at + 8).join(', ')}`);
  return `usage: git [-C <path>] [-c <name>=<value>] [--no-pager] [--git-dir=<path>] <command> [<args>]

These commands are there, with the options that are used most; they answer as git 2.39 does:
${lines.join(',\n')}

Repositories at github.com, at hosts that let web pages read them, and at a path of the workspace can be cloned, fetched and pushed to.
`;
}
