import type { Card } from '../card.ts';

export const questionCard: Card = { verb: 'Ask', icon: 'wrench' };
