import * as z from 'zod';
import type { ToolDefinition } from '../tool.ts';
import { currentTodos, resultOf } from './todo-list.ts';

export const todoread: ToolDefinition = {
  description: 'Reads the list of tasks of this session, as todowrite wrote it last.',
  parameters: z.object({}),
  readOnly: true,
  async execute(_input, context) {
    await context.ask({
      permission: 'todoread',
      patterns: ['*'],
      always: ['*'],
      subject: { kind: 'input', input: {} },
    });
    return resultOf(currentTodos(context));
  },
};
