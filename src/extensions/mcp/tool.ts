import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { FaultError } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { define } from '../../tools/define.ts';
import { jsonSchemaType } from '../../tools/json-schema.ts';
import type { ToolDefinition, ToolInfo } from '../../tools/tool.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { QuestionDismissed } from '../../tools/question/schema.ts';
import type { Connection } from './connection.ts';
import { elicitationOf } from './elicitation.ts';
import { toolResult } from './result.ts';

const DESCRIPTION_CHARACTERS = 10_000;

export interface ServerTool {
  /** The name of the tool for the model. */
  readonly id: string;
  readonly server: string;
  readonly tool: Tool;
  /** Rejects with a fault while the server is not connected. */
  readonly connection: Pick<Connection, 'call'>;
  isOffered(workspace: Workspace): boolean;
  /** Removes secrets from a text. */
  hide(text: string): string;
}

/** A tool of a server. The model calls it `server_tool`; its permission is `server/tool`. */
export function serverTool({ id, server, tool, connection, isOffered, hide }: ServerTool): ToolInfo {
  const permission = `${server}/${tool.name}`;
  const schema = schemaOf(tool);
  const definition: ToolDefinition = {
    description: (tool.description ?? tool.title ?? tool.name).slice(0, DESCRIPTION_CHARACTERS),
    parameters: jsonSchemaType(schema),
    schema,
    asksFirst: true,
    async execute(input, context) {
      const args: JsonObject = JSON.parse(JSON.stringify(input));
      context.metadata({ title: permission });
      await context.ask({
        permission,
        patterns: ['*'],
        always: ['*'],
        subject: { kind: 'input', input: args },
      });
      let dismissed: QuestionDismissed | undefined;
      const answer = await connection.call(tool.name, args, {
        signal: context.abort,
        progress: (share) => context.metadata({ progress: share }),
        async elicit(form) {
          const asked = elicitationOf(server, form);
          try {
            return asked.answer(await context.question(asked.questions));
          } catch (error) {
            if (error instanceof QuestionDismissed) dismissed = error;
            return { action: 'cancel' };
          }
        },
      });
      // The server has been notified; now the turn ends, as with any dismissed question.
      if (dismissed) throw dismissed;
      const result = toolResult(JSON.parse(hide(JSON.stringify(answer))) as CallToolResult);
      if (answer.isError !== true) return { title: permission, ...result };
      throw new FaultError({
        code: 'server-tool',
        what:
          result.output === '' ? `${permission} failed and did not say why.` : result.output.slice(0, 10_000),
      });
    },
  };
  return define(id, definition, { permission, isOffered });
}

function schemaOf({ inputSchema }: Tool): JsonObject {
  const { $schema: _, ...schema }: JsonObject = JSON.parse(JSON.stringify(inputSchema));
  return { ...schema, type: 'object', properties: schema['properties'] ?? {} };
}
