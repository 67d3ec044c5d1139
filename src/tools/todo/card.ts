import { isObject } from '../../base/json.ts';
import type { Card } from '../card.ts';
import type { Describe } from '../describe.ts';

/** The task that is in progress, and how many are done. */
const describeTodos: Describe = ({ input }) => {
  const todos = Array.isArray(input.todos) ? input.todos.filter(isObject) : [];
  const active = todos.find(({ status }) => status === 'in_progress')?.content;
  const done = todos.filter(({ status }) => status === 'completed').length;
  return {
    subject: typeof active === 'string' ? active : '',
    detail: todos.length > 0 ? `${done} of ${todos.length} done` : '',
  };
};

export const todowriteCard: Card = { verb: 'Plan', icon: 'list-todo', describe: describeTodos };

export const todoreadCard: Card = { verb: 'Plan', icon: 'list-todo' };
