import { messages } from '../../languages/messages.ts';

export const pullWords = messages('pullRequest', {
  create: 'Create a pull request',
  from: (branch: string, repository: string) => `From ${branch} in ${repository}.`,
  title: 'Title of the pull request',
  body: 'Description',
  base: 'Into the branch',
  baseHint: 'Empty for the default branch',
  draft: 'As a draft',
  send: 'Create it',
  cancel: 'Cancel',
  asking: 'Asking GitHub',
  noTitle: 'Write a title first.',
  made: 'Pull request',
});
