import type { Card } from '../card.ts';

export const bashCard: Card = { verb: 'Run', icon: 'terminal', subject: ['command'] };
