import type { Catalogue } from '../catalogue.ts';
import { conversation } from './conversation.ts';
import { frame } from './frame.ts';
import { glass } from './glass.ts';
import { lessons } from './lessons.ts';
import { settings } from './settings.ts';
import { workbench } from './workbench.ts';

export default {
  ...frame,
  ...conversation,
  ...workbench,
  ...glass,
  ...lessons,
  ...settings,
} satisfies Catalogue;
