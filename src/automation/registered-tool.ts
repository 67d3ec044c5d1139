import type { Json, JsonObject } from '../base/json.ts';
import { define } from '../tools/define.ts';
import { jsonSchemaType } from '../tools/json-schema.ts';
import type { ToolInfo, ToolResult } from '../tools/tool.ts';
import type { RegisteredTool } from './arguments.ts';

/**
 * A tool whose code is a function of the page that a test has passed in. Its permission is its name, and it asks before each
 * call, as the tool of a server does.
 */
export function registeredTool({ name, description, schema, execute }: RegisteredTool): ToolInfo {
  const whole: JsonObject = { ...schema, type: 'object', properties: schema['properties'] ?? {} };
  return define(name, {
    description,
    parameters: jsonSchemaType(whole),
    schema: whole,
    asksFirst: true,
    async execute(given, context) {
      const input: Json = JSON.parse(JSON.stringify(given));
      await context.ask({
        ...{ permission: name, patterns: ['*'], always: ['*'] },
        subject: { kind: 'input', input: input as JsonObject },
      });
      const { sessionID, messageID, callID, agent } = context;
      return resultOf(await execute(input, { sessionID, messageID, callID, agent }));
    },
  });
}

/** A text is the output; an object with a text `output` is a whole result; any other value is the output as JSON. */
function resultOf(value: unknown): ToolResult {
  const plain: unknown = value === undefined ? '' : JSON.parse(JSON.stringify(value));
  if (typeof plain === 'string') return { output: plain };
  if (typeof plain === 'object' && plain !== null && 'output' in plain && typeof plain.output === 'string') {
    const title = 'title' in plain && typeof plain.title === 'string' ? plain.title : undefined;
    return { output: plain.output, ...(title !== undefined && { title }) };
  }
  return { output: JSON.stringify(plain) };
}
