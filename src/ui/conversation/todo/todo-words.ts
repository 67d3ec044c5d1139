import { messages } from '../../languages/messages.ts';

/** Texts of the task list. */
export const todoWords = messages('todo', {
  tasks: 'Tasks',
  done: (done: number, of: number) => `${done} of ${of} done`,
  high: 'high',
  statuses: {
    pending: 'to do',
    in_progress: 'in progress',
    completed: 'done',
    cancelled: 'cancelled',
  },
});
