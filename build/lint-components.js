/**
 * Gives TypeScript each component as the code that the linter's parser makes of it. Otherwise TypeScript first reads the
 * component's raw text, and makes its whole program anew when the component is linted. The parser reads this when it is
 * imported, so this module is imported before it.
 */
process.env.SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK ??= '1';
