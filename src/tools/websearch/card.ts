import type { Card } from '../card.ts';

export const websearchCard: Card = {
  verb: 'Search web',
  icon: 'globe',
  subject: ['query'],
  onlyWritten: true,
};
