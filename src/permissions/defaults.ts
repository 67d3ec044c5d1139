import { KEPT_OUTPUTS, OWN_FILES } from '../base/places.ts';
import type { SourcedRule } from './rules.ts';
import type { Action } from './types.ts';

const rule = (permission: string, pattern: string, action: Action): SourcedRule => ({
  permission,
  pattern,
  action,
  source: 'default',
});

/** What holds where the settings say nothing: looking is free except at secrets, changing and running asks. */
export const defaultRules: readonly SourcedRule[] = [
  ...['read', 'glob', 'grep', 'list', 'lsp'].map((permission) => rule(permission, '*', 'allow')),
  rule('read', '*.env', 'ask'),
  rule('read', '*.env.*', 'ask'),
  rule('read', '*.env.example', 'allow'),
  rule('todowrite', '*', 'allow'),
  rule('todoread', '*', 'allow'),
  // What a sub-agent does is asked for by itself.
  rule('task', '*', 'allow'),
  // Writing is `edit` too.
  rule('edit', '*', 'ask'),
  rule('bash', '*', 'ask'),
  // An address can carry away what was read.
  rule('webfetch', '*', 'ask'),
  rule('websearch', '*', 'ask'),
  rule('codesearch', '*', 'ask'),
  // What a skill says is text of the workspace; what it leads to asks by itself.
  rule('skill', '*', 'allow'),
  rule('doom_loop', '*', 'ask'),
  // Everything else outside is refused by who owns the files.
  rule('external_directory', '*', 'deny'),
  rule('external_directory', `${KEPT_OUTPUTS}/*`, 'allow'),
  rule('external_directory', `${OWN_FILES}/*`, 'allow'),
];
