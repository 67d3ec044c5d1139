import type { Json, JsonObject } from '../../base/json.ts';
import type { Card } from '../card.ts';
import { trimRoot, type Describe } from '../describe.ts';
import { plural } from '../text.ts';
import type { Operation } from './operations.ts';

const verbs: Readonly<Record<Operation, string>> = {
  goToDefinition: 'Definition',
  findReferences: 'References',
  hover: 'Type',
  documentSymbol: 'Symbols',
  workspaceSymbol: 'Find symbol',
  goToImplementation: 'Implementations',
  prepareCallHierarchy: 'Calls',
  incomingCalls: 'Callers',
  outgoingCalls: 'Callees',
  diagnostics: 'Check',
  codeActions: 'Code actions',
  rename: 'Rename',
};

/** The symbol or the position that is asked about, and the number of results. */
const describeLsp: Describe = ({ input, metadata }) => {
  const { operation, filePath, line, character, query } = input;
  const position = [filePath, ...(typeof line === 'number' ? [line, character] : [])]
    .filter(isGiven)
    .join(':');
  return {
    subject: trimRoot(operation === 'workspaceSymbol' && isGiven(query) ? String(query) : position),
    detail: detailOf(input, metadata),
  };
};

function detailOf({ newName, title }: JsonObject, { count }: JsonObject): string {
  if (typeof newName === 'string') return `to ${newName}`;
  if (typeof title === 'string') return title;
  return typeof count === 'number' ? plural(count, 'result') : '';
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

export const lspCard: Card = {
  verb: 'lsp',
  verbs,
  icon: 'braces',
  subject: ['operation', 'filePath', 'line', 'character', 'position', 'newName', 'title'],
  onlyWritten: true,
  describe: describeLsp,
};
