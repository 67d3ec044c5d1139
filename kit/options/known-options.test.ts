import { expect, test } from 'vitest';
import { requireKnownOptions } from './known-options.ts';

test('an option that there is not is refused with the one that was probably meant, or with all', () => {
  const names = ['name', 'timeoutMs'];
  requireKnownOptions('agent.waitFor()', {}, names);
  requireKnownOptions('agent.waitFor()', { name: 'a', timeoutMs: 5 }, names);
  expect(() => requireKnownOptions('agent.waitFor()', { timeout: 5 }, names)).toThrow(
    'agent.waitFor() has no option "timeout". Did you mean "timeoutMs"?',
  );
  expect(() => requireKnownOptions('agent.waitFor()', { colour: 'red' }, names)).toThrow(
    'agent.waitFor() has no option "colour". It has name, timeoutMs.',
  );
});
