import { add } from './commands/add.ts';
import { blame } from './commands/blame.ts';
import { branch } from './commands/branch.ts';
import { checkout, restoreFiles, switchBranch } from './commands/checkout.ts';
import { checkIgnore } from './commands/check-ignore.ts';
import { cherry } from './commands/cherry.ts';
import { clean } from './commands/clean.ts';
import { clone } from './commands/clone.ts';
import { commit } from './commands/commit.ts';
import { config } from './commands/config.ts';
import { countObjects } from './commands/count-objects.ts';
import { diff } from './commands/diff.ts';
import { init } from './commands/init.ts';
import { log, whatchanged } from './commands/log.ts';
import { describe, forEachRef, grep, nameRev, reflog, shortlog, showRef } from './commands/look.ts';
import { merge } from './commands/merge.ts';
import { cherryPick, revert } from './commands/pick.ts';
import {
  catFile,
  commitTree,
  hashObject,
  lsFiles,
  lsTree,
  updateIndex,
  writeTree,
} from './commands/plumbing.ts';
import { rebase } from './commands/rebase.ts';
import { remote } from './commands/remote.ts';
import { mv, rm } from './commands/remove.ts';
import { reset } from './commands/reset.ts';
import { checkRefFormat, mergeBase, revList, revParse, symbolicRef, updateRef } from './commands/rev.ts';
import { show } from './commands/show.ts';
import { stash } from './commands/stash.ts';
import { status } from './commands/status.ts';
import { tag } from './commands/tag.ts';
import { fetch, lsRemote, pull, push } from './commands/transfer.ts';
import type { Command } from './kit/git.ts';

/** All commands, by name. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ...Object.entries({
    add,
    blame,
    branch,
    checkout,
    cherry,
    clean,
    clone,
    commit,
    config,
    describe,
    diff,
    fetch,
    grep,
    init,
    log,
  }),
  ...Object.entries({
    merge,
    mv,
    pull,
    push,
    rebase,
    reflog,
    remote,
    reset,
    revert,
    rm,
    shortlog,
    show,
    stash,
    status,
    tag,
    whatchanged,
  }),
  ['annotate', blame],
  ['cat-file', catFile],
  ['check-ignore', checkIgnore],
  ['check-ref-format', checkRefFormat],
  ['cherry-pick', cherryPick],
  ['commit-tree', commitTree],
  ['count-objects', countObjects],
  ['for-each-ref', forEachRef],
  ['hash-object', hashObject],
  ['ls-files', lsFiles],
  ['ls-remote', lsRemote],
  ['ls-tree', lsTree],
  ['merge-base', mergeBase],
  ['name-rev', nameRev],
  ['restore', restoreFiles],
  ['rev-list', revList],
  ['rev-parse', revParse],
  ['show-ref', showRef],
  ['switch', switchBranch],
  ['symbolic-ref', symbolicRef],
  ['update-index', updateIndex],
  ['update-ref', updateRef],
  ['write-tree', writeTree],
]);
