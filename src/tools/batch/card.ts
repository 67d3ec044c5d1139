import type { Card } from '../card.ts';
import type { Describe } from '../describe.ts';
import { plural } from '../text.ts';

/** The number of calls, and whether they succeed or fail together. */
const describeBatch: Describe = ({ input, metadata: { failed } }) => {
  const calls = input.tools ?? input.tool_calls;
  const details = [
    ...(Array.isArray(calls) ? [plural(calls.length, 'call')] : []),
    ...(input.atomic === true ? ['all or none'] : []),
    ...(typeof failed === 'number' && failed > 0 ? [`${failed} failed`] : []),
  ];
  return { subject: '', detail: details.join(', ') };
};

export const batchCard: Card = { verb: 'Batch', icon: 'wrench', describe: describeBatch };
