import type { RowState } from './row-state.ts';
import { messages } from '../../languages/messages.ts';

/** Texts of the list of sessions. */
export const sessionWords = messages('session', {
  pinned: 'Pinned',
  pin: 'Pin',
  unpin: 'Unpin',
  archive: 'Archive',
  unarchive: 'Put back into the list',
  archived: (count: number) => `Archived (${count})`,
  isArchived: 'archived',
  noArchived: 'Nothing is archived.',
  newHere: 'New session here',
  states: {
    waiting: 'Waiting for you',
    paused: 'Paused',
    working: 'Working',
    failed: 'Failed',
    interrupted: 'Interrupted',
    unseen: 'New',
  } satisfies Record<RowState, string>,
  count: (count: number) => (count === 1 ? '1 session' : `${count} sessions`),
  opening: 'Starting',
  elsewhere: 'In another tab',
  broken: 'Failed',
});
