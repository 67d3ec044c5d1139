import type { NodeAnswer, NodeCase } from './node-cases.mjs';

export function findNode22(): string | undefined;
export function runNatively(node: string, area: string, nodeCase: NodeCase): NodeAnswer;
