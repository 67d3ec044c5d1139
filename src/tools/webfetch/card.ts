import type { Card } from '../card.ts';

export const webfetchCard: Card = { verb: 'Fetch', icon: 'globe', subject: ['url'] };
