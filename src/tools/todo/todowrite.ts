import * as z from 'zod';
import type { ToolDefinition } from '../tool.ts';
import { currentTodos, resultOf, todoSchema, withIDs } from './todo-list.ts';

const parameters = z.object({
  todos: z
    .array(todoSchema)
    .max(100)
    .refine((todos) => todos.filter(({ status }) => status === 'in_progress').length <= 1, {
      message: 'only one task may be in_progress',
    })
    .refine((todos) => new Set(todos.map(({ id }) => id ?? {})).size === todos.length, {
      message: 'tasks must have different ids',
    })
    .describe('The whole list; tasks that are left out are removed'),
});

export const todowrite: ToolDefinition<typeof parameters> = {
  description: [
    'Writes the list of tasks that the user sees above the message box. It replaces the whole list.',
    'Use it for work of three steps or more: list them first, set one to in_progress before you begin it and to completed as soon as it is done.',
    'Not for a single simple task.',
  ].join('\n'),
  parameters,
  // The list is stored in the log with this call; no file is changed.
  readOnly: true,
  async execute({ todos }, context) {
    const list = withIDs(todos, currentTodos(context));
    await context.ask({
      permission: 'todowrite',
      patterns: ['*'],
      always: ['*'],
      subject: { kind: 'input', input: { todos: list.map((todo) => ({ ...todo })) } },
    });
    return resultOf(list);
  },
};
