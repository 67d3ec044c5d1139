import type { Card } from '../card.ts';

export const readCard: Card = { verb: 'Read', icon: 'file-text', subject: ['filePath', 'path'] };
