import { KEPT_OUTPUTS, OWN_FILES } from '../base/places.ts';
import type { SourcedRule } from './rules.ts';
import type { Action } from './types.ts';

const rule = (permission: string, pattern: string, action: Action): SourcedRule => ({
  permission,
  pattern,
  action,
  source: 'default',
});

/** The rules that apply if the settings say nothing: reading is free except for secrets, changing and running asks. */
export const defaultRules: readonly SourcedRule[] = [
  ...['read', 'glob', 'grep', 'list', 'lsp'].map((permission) => rule(permission, '*', 'allow')),
  rule('read', '*.env', 'ask'),
  rule('read', '*.env.*', 'ask'),
  rule('read', '*.env.example', 'allow'),
  rule('todowrite', '*', 'allow'),
  rule('todoread', '*', 'allow'),
  // A sub-agent asks for its own calls.
  rule('task', '*', 'allow'),
  // The permission for writing is `edit` too.
  rule('edit', '*', 'ask'),
  rule('bash', '*', 'ask'),
  // An address can carry away what was read.
  rule('webfetch', '*', 'ask'),
  rule('websearch', '*', 'ask'),
  rule('codesearch', '*', 'ask'),
  // A skill is text of the workspace; calls that follow from it ask by themselves.
  rule('skill', '*', 'allow'),
  rule('doom_loop', '*', 'ask'),
  // The owner of the files refuses everything else outside.
  rule('external_directory', '*', 'deny'),
  rule('external_directory', `${KEPT_OUTPUTS}/*`, 'allow'),
  rule('external_directory', `${OWN_FILES}/*`, 'allow'),
];
