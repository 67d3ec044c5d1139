import { jsonObjectSchema } from '../base/json.ts';
import type { ToolSpec } from '../session/request/model.ts';
import type { LanguageModelV4CallOptions } from './types.ts';

/** The tools that the SDK passes to a model, as the session describes them. */
export function toolSpecs(tools: NonNullable<LanguageModelV4CallOptions['tools']>): ToolSpec[] {
  return tools.flatMap((tool) => {
    if (tool.type !== 'function') return [];
    const schema = jsonObjectSchema.safeParse(tool.inputSchema);
    const { name, description = '' } = tool;
    return [{ name, description, schema: schema.success ? schema.data : {} }];
  });
}
