/** The folder of npm's programs. `npm_execpath` points into it. */
export const NPM_FOLDER = '/usr/lib/node_modules/npm/bin';
