import type { Card } from '../card.ts';

export const planEnterCard: Card = { verb: 'Plan first', icon: 'wrench' };

export const planExitCard: Card = { verb: 'Plan is ready', icon: 'wrench' };
