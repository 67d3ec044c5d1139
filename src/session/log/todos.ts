import type { Json, JsonObject } from '../../base/json.ts';
import type { Todo } from '../../tools/todo/todo-list.ts';
import type { Message, Part } from './state.ts';

const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
const PRIORITIES = ['high', 'medium', 'low'] as const;

/** The list of tasks that a call of `todowrite` left; `undefined` if the metadata has none. */
export function todosOf({ todos }: JsonObject): readonly Todo[] | undefined {
  if (!Array.isArray(todos)) return undefined;
  const list = todos.map(todoOf);
  return list.every((todo) => todo !== undefined) ? list : undefined;
}

function todoOf(value: Json): Todo | undefined {
  if (typeof value !== 'object' || value === null || !('content' in value)) return undefined;
  const { id, content } = value;
  const status = STATUSES.find((each) => each === value['status']);
  const priority = PRIORITIES.find((each) => each === value['priority']);
  if (typeof id !== 'string' || typeof content !== 'string' || !status || !priority) return undefined;
  return { id, content, status, priority };
}

/** The newest list of tasks in these messages; empty if they have none. */
export function todosOnPath(path: readonly Message[], parts: ReadonlyMap<string, Part>): readonly Todo[] {
  for (const { partKeys } of path.toReversed())
    for (const key of partKeys.toReversed()) {
      const part = parts.get(key);
      const todos = part?.type === 'tool' && part.outcome === 'ok' ? todosOf(part.metadata) : undefined;
      if (todos) return todos;
    }
  return [];
}

/** Whether any task is left to do. */
export function isOpen(todos: readonly Todo[]): boolean {
  return todos.some(({ status }) => status === 'pending' || status === 'in_progress');
}
