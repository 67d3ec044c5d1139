import type { Card } from '../card.ts';

export const globCard: Card = { verb: 'Search', icon: 'search', subject: ['pattern'], folder: 'path' };
