/** The root of every workspace of every kind. */
export const ROOT = '/home/project';

/** The directory that `~` stands for. It lies outside the root. */
export const HOME = '/home';

/** Where the person's own files for every workspace appear. */
export const OWN_FILES = `${HOME}/.config/opencode`;

/** Where full outputs appear. Outside the root, only these and the person's own files can be read. */
export const KEPT_OUTPUTS = `${HOME}/.opencode/truncate`;

/** The folder in the workspace for files of messages, where the agent's `read` tool finds them. */
export const ATTACHMENTS = 'attachments';
