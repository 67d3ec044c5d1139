/*
 * Everything that an open session needs: its log, its state, and how both are read. The page can show itself and the list
 * of sessions without it.
 */
export { SessionFollower } from './follower.ts';
export { SessionLog } from './log.ts';
export { readSession } from './open.ts';
export { sessionRecord } from './records.ts';
export { emptyState } from './reduce.ts';
