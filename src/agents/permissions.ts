/** Names of permissions, as agents that do not have all of them list theirs. */
export const LOOKING = ['read', 'glob', 'grep', 'list', 'lsp', 'skill'];
export const RUNNING = ['bash'];
export const WEB = ['webfetch', 'websearch', 'codesearch'];
