import type { Card } from '../card.ts';

export const codesearchCard: Card = {
  verb: 'Search code',
  icon: 'search',
  subject: ['query'],
  onlyWritten: true,
};
