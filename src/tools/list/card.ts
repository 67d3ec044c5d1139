import type { Card } from '../card.ts';

export const listCard: Card = { verb: 'List', icon: 'folder', subject: ['path'], noSubject: '.' };
