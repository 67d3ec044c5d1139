import * as z from 'zod/mini';

/** Anything that JSON can hold. Events, records and recordings contain nothing else. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const jsonSchema: z.ZodMiniType<Json> = z.json();
export const jsonObjectSchema: z.ZodMiniType<JsonObject> = z.record(z.string(), z.json());

/** Whether a JSON value is an object; its members are not checked. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
