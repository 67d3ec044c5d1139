import { firstText, type Describe } from '../describe.ts';

/** The description of the work and the name of its agent. */
export const describeTask: Describe = ({ input, title, metadata: { agent } }) => ({
  subject: firstText(input, ['description']) || (title ?? ''),
  detail: typeof agent === 'string' ? agent : firstText(input, ['agent', 'subagent_type']),
});
