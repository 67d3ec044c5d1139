/** Models that take texts alone, by the names that providers and model servers give them. */
const BLIND =
  /(?:^|\/)(?:gpt-3\.5|gpt-4(?:-0314|-0613|-32k[\w-]*)?$|o1-(?:mini|preview)|o3-mini|gpt-oss|deepseek-(?:chat|reasoner|coder|r1|v3)|codestral)/i;
const SEEING =
  /(?:^|\/)(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|o1$|o1-(?:pro|20)|o3(?:$|-(?:pro|20))|o4-mini|claude|gemini|pixtral|llava)|vision|[-_.\d]vl(?:$|[-_:.])/i;

/** Whether a model of this name sees pictures; `undefined` if its name does not tell. */
export function seesPictures(model: string): boolean | undefined {
  if (BLIND.test(model)) return false;
  return SEEING.test(model) ? true : undefined;
}
