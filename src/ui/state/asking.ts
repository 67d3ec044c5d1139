import type { PermissionRequest } from '../../permissions/types.ts';
import type { QuestionRequest } from '../../tools/question/schema.ts';
import type { SessionHandle } from '../app.ts';

/** The request that the dock shows to the person. */
export type Asking =
  | { readonly kind: 'permission'; readonly request: PermissionRequest; readonly session: SessionHandle }
  | { readonly kind: 'question'; readonly request: QuestionRequest; readonly session: SessionHandle };

export function asksOf(session: SessionHandle): Asking[] {
  const { pending, questions } = session.state;
  return [
    ...[...pending.values()].map((request) => ({ kind: 'permission' as const, request, session })),
    ...[...questions.values()].map((request) => ({ kind: 'question' as const, request, session })),
  ];
}
