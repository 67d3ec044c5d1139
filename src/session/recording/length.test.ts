import { expect, test } from 'vitest';
import { finished, recordFrom } from '../../../test/support/recordings.ts';
import { lengthOf } from './length.ts';

test('steps and calls are those of all sessions of a recording', async () => {
  const { store, session } = await finished();
  const recording = await recordFrom(store, session.id);
  const { steps, calls } = lengthOf(recording);
  expect({ steps, calls }).toEqual({ steps: 3, calls: 2 });
  const child = { id: 'ses_child', events: recording.sessions[0].events };
  const both = lengthOf({ ...recording, sessions: [recording.sessions[0], child] });
  expect({ steps: both.steps, calls: both.calls }).toEqual({ steps: 6, calls: 4 });
});
