import * as z from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { plural } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

export const todoSchema = z.object({
  id: z.string().min(1).optional().describe('The id of an existing task; leave it out for a new one'),
  content: z.string().trim().min(1).describe('What to do, in one short line'),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
  priority: z.enum(['high', 'medium', 'low']).default('medium'),
});
const listSchema = z.array(todoSchema.required({ id: true }));

type GivenTodo = z.output<typeof todoSchema>;
export type Todo = z.output<typeof listSchema>[number];

/** The list as this session last wrote it. It is stored in the log, with the call that wrote it. */
export function currentTodos(context: ToolContext): readonly Todo[] {
  const stored = listSchema.safeParse(context.previous('todowrite')?.['todos']);
  return stored.success ? stored.data : [];
}

/** Gives every task an id: its own, that of an earlier task with the same text, or a new number. */
export function withIDs(given: readonly GivenTodo[], before: readonly Todo[]): readonly Todo[] {
  const taken = new Set(given.flatMap(({ id }) => id ?? []));
  const used = new Set([...taken, ...before.map(({ id }) => id)]);
  let last = 0;
  const fresh = () => {
    do last++;
    while (used.has(String(last)));
    return String(last);
  };
  return given.map(({ id, ...todo }) => {
    const known = before.find((other) => other.content === todo.content && !taken.has(other.id))?.id;
    const chosen = id ?? known ?? fresh();
    taken.add(chosen);
    return { id: chosen, ...todo };
  });
}

export function resultOf(todos: readonly Todo[]): ToolResult {
  const open = todos.filter(({ status }) => status === 'pending' || status === 'in_progress').length;
  const metadata: JsonObject = { truncated: false, todos: todos.map((todo) => ({ ...todo })) };
  return { title: plural(open, 'todo'), output: JSON.stringify(todos, null, 2), metadata };
}
