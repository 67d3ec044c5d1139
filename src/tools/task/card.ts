import type { Card } from '../card.ts';
import { firstText, type Describe } from '../describe.ts';

/** The description of the work and the name of its agent. */
const describe: Describe = ({ input, title, metadata: { agent } }) => ({
  subject: firstText(input, ['description']) || (title ?? ''),
  detail: typeof agent === 'string' ? agent : firstText(input, ['agent', 'subagent_type']),
});

const common = { icon: 'bot', describe } as const;

export const startCard: Card = { verb: 'Sub-agent', subject: ['description'], ...common };
export const backgroundCard: Card = { verb: 'In background', subject: ['description'], ...common };
export const outputCard: Card = { verb: 'Background work', ...common };
export const cancelCard: Card = { verb: 'Stop work', ...common };
