import { messages } from '../../../languages/messages.ts';
import { formatNumber } from '../../../languages/numbers.ts';

const files = (count: number) => (count === 1 ? '1 file' : `${formatNumber(count)} files`);

/** Texts about a folder of the disk that is connected with the workspace. */
export const folderWords = messages('folder', {
  connect: 'Connect a folder of your disk',
  region: (name: string) => `Folder ${name} of your disk`,
  unsupported:
    'This browser does not let a page write to a folder of your disk; Chrome and Edge do. “Add folder” copies a folder into the workspace, and “Download all as zip” takes the files out.',
  refused: (name: string) =>
    `The browser was not allowed to read and write ${name}. Press Compare to be asked again.`,
  failed: (why: string) => `That did not work: ${why}`,
  equal: 'No file of the workspace differs from it.',
  differ: (count: number) =>
    count === 1
      ? '1 file of the workspace has changed since.'
      : `${files(count)} of the workspace have changed since.`,
  compare: 'Compare',
  disconnect: 'Disconnect',
  disconnected: (name: string) => `${name} is no longer connected. Its files stay as they are.`,
  undo: 'Undo',
  working: 'Working',
  reading: (count: number) => `Reading ${files(count)}`,
  copying: (done: number, total: number) => `Copying ${done} of ${files(total)}`,
  stop: 'Stop',

  nothing: 'Both have the same files.',
  plan: 'What differs',
  groups: {
    out: 'Changed in the workspace: write to your disk',
    in: 'Changed on your disk: bring into the workspace',
    both: 'Changed in both: choose for each',
  },
  kinds: { added: 'new', changed: 'changed', removed: 'deleted' },
  choice: (path: string) => `What to do with ${path}`,
  leave: 'Leave both as they are',
  toDisk: 'Write the workspace’s to your disk',
  fromDisk: 'Bring your disk’s into the workspace',
  more: (count: number) => `${files(count)} more`,
  carryOut: (count: number) => (count === 1 ? 'Copy 1 file' : `Copy ${files(count)}`),
  cancel: 'Cancel',

  wrote: (count: number) => `Wrote ${files(count)} to your disk.`,
  brought: (count: number) => `Brought ${files(count)} into the workspace.`,
  left: (count: number) =>
    `${files(count)} ${count === 1 ? 'was' : 'were'} left as ${count === 1 ? 'it was' : 'they were'}.`,
  dismiss: 'Dismiss',
});
