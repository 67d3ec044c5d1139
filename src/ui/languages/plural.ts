import { locale } from './numbers.ts';

type Forms<Result> = { readonly [Form in Exclude<Intl.LDMLPluralRule, 'other'>]?: Result } & {
  readonly other: Result;
};

const rules = new Intl.PluralRules(locale);

/**
 * The form that the page's language uses with this number, as `Intl.PluralRules` tells: Russian has `one`, `few` and `many`,
 * Arabic `zero`, `one`, `two`, `few` and `many` besides `other`, Chinese only `other`.
 */
export function plural<Result>(count: number, forms: Forms<Result>): Result {
  return forms[rules.select(count)] ?? forms.other;
}
