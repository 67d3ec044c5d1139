import type { Card } from '../card.ts';

export const editCard: Card = { verb: 'Edit', icon: 'pencil', subject: ['filePath', 'path'] };
