/** Texts about files that are dropped or pasted outside the tab Files. */
export const incomingWords = {
  hint: 'Drop images to attach them, other files to add them to the workspace',
  attached: (paths: readonly string[]) =>
    paths.length === 1
      ? `Attached, and kept as ${paths[0]}.`
      : `Attached ${paths.length} images, kept in attachments.`,
  added: (n: number) => `Added ${n === 1 ? '1 file' : `${n} files`} to the workspace's root.`,
  kept: (n: number) =>
    n === 1 ? '1 file was there already and stayed.' : `${n} files were there already and stayed.`,
  refused: (name: string, why: string) => `${name} was left out: ${why}`,
  notShown: 'Models see PNG, JPEG, GIF and WebP images up to 5 MB; this one was added as a file.',
  unpack: (name: string) => `Unpack ${name}`,
  nothing: 'There is no file in this. Drop files or folders.',
  noWorkspace: 'This has no workspace to add files to. Make a session, then drop them again.',
  readOnly: 'This session is open in another tab; add files there.',
} as const;
