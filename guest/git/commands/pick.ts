import type { Command } from '../kit/git.ts';
import { parse } from '../kit/options.ts';
import { sequence } from '../sequence/sequencer.ts';

const WORDS = `n|no-commit e|edit no-edit x s|signoff m|mainline: X|strategy-option: strategy: allow-empty allow-empty-message
  keep-redundant-commits abort continue skip quit ff S|gpg-sign? cleanup: rerere-autoupdate all reference`;

export const cherryPick: Command = async (git, args) =>
  sequence(git, await git.repo(), parse('cherry-pick', args, WORDS), 'cherry-pick');

export const revert: Command = async (git, args) =>
  sequence(git, await git.repo(), parse('revert', args, WORDS), 'revert');
