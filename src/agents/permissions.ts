/** Groups of permissions, for agents that have only some. */
export const LOOKING = ['read', 'glob', 'grep', 'list', 'lsp', 'skill'];
export const RUNNING = ['bash'];
export const WEB = ['webfetch', 'websearch', 'codesearch'];
