import { messages } from '../../languages/messages.ts';

/** Texts about files that are dropped or pasted outside the tab Files. */
export const incomingWords = messages('incoming', {
  hint: 'Drop pictures and PDFs to attach them, a recording to open it, other files to add them to the workspace',
  hintBox: 'Drop to attach to the message',
  hintRecording: 'Drop a recording to open it',
  attached: (paths: readonly string[]) =>
    paths.length === 1
      ? `Attached, and kept as ${paths[0]}.`
      : `Attached ${paths.length} files, kept in attachments.`,
  added: (n: number) => `Added ${n === 1 ? '1 file' : `${n} files`} to the workspace's root.`,
  kept: (n: number) =>
    n === 1
      ? '1 file already existed and was not replaced.'
      : `${n} files already existed and were not replaced.`,
  refused: (name: string, why: string) => `${name} was left out: ${why}`,
  moreRefused: (n: number) => (n === 1 ? '1 more was left out.' : `${n} more were left out.`),
  replace: 'Replace them',
  notShown:
    'This picture is in a format that cannot be shown to a model, or larger than 50 MB; it was added as a file.',
  unpack: (name: string) => `Unpack ${name}`,
  leaveOutIgnored: 'Add it without node_modules, .git and what .gitignore names',
  nothing: 'No files were found in that. Drop files or folders.',
  noWorkspace: 'There is no workspace to add files to. Start a session, then drop them again.',
  recordingShown: 'Files cannot be added to a recording. Open or start a session first.',
  readOnly: 'This session is open in another tab; add files there.',
});
