import type { Card } from '../card.ts';

export const grepCard: Card = { verb: 'Search', icon: 'search', subject: ['pattern'], folder: 'path' };
