/** The root of every workspace of every kind. */
export const ROOT = '/home/project';

/** What `~` means: outside the root. */
export const HOME = '/home';

/** Where the person's own files for every workspace are shown. */
export const OWN_FILES = `${HOME}/.config/opencode`;

/** Where full outputs are shown. This and the own files are all that can be read outside the root. */
export const KEPT_OUTPUTS = `${HOME}/.opencode/truncate`;
