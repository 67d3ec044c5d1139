import type { View } from '../../../src/ui/state/app-view.svelte.ts';
import { Beginning } from '../../../src/ui/state/beginning.svelte.ts';

/** Shows no session, and opens none, except as `parts` say. */
export function fakeView(parts: Partial<View> = {}): View {
  const nothing = async (): Promise<void> => undefined;
  return {
    session: null,
    shows: () => false,
    player: null,
    busy: false,
    beginning: new Beginning(),
    blob: async () => undefined,
    openAddress: nothing,
    clicked: nothing,
    openRecording: nothing,
    watchRecorded: nothing,
    play: () => undefined,
    showSession: nothing,
    showBeside: () => {
      throw new Error('No session is shown beside another one.');
    },
    closeBeside: () => undefined,
    newSession: async () => false,
    newWorkspace: nothing,
    beModel: nothing,
    watchDemo: nothing,
    watchPageDemo: nothing,
    listed: nothing,
    belowChanged: () => undefined,
    leaveSession: () => undefined,
    leaveWorkspace: () => undefined,
    close: () => undefined,
    ...parts,
  };
}
