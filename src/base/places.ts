/** The root of every workspace of every kind. */
export const ROOT = '/home/project';

/** What `~` means: outside the root. */
export const HOME = '/home';

/** Where full outputs are shown: all that can be read outside the root. */
export const KEPT_OUTPUTS = `${HOME}/.opencode/truncate`;
