import type { Card } from '../card.ts';

export const skillCard: Card = { verb: 'Skill', icon: 'wrench', subject: ['name'] };
