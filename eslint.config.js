// First, because eslint-plugin-svelte reads what it sets.
import './build/lint-components.js';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import { arrows } from './build/arrows.js';
import svelteConfig from './svelte.config.js';

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      'node_modules',
      '.svelte-check',
      'test-results',
      'playwright-report',
      'public',
      // Programs of the workspace, not of the app.
      'src/lessons/demo/files',
      '.vitest-attachments',
    ],
  },
  ...tseslint.configs.recommended,
  ...svelte.configs.recommended,
  {
    // These rules ask the compiler for types. Oxlint, which asks the native one, has the same rules for all other files
    // (.oxlintrc.json), but cannot read components.
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
        parser: tseslint.parser,
        svelteConfig,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    rules: { '@typescript-eslint/consistent-type-imports': 'error' },
  },
  {
    // The example of the README runs as it stands there.
    files: ['test/e2e/**/*.spec.ts'],
    ignores: ['test/e2e/readme-example.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@playwright/test',
              importNames: ['test', 'expect'],
              message: 'Import them from ./test.ts, which fails a test whose pages complain.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  {
    plugins: { arrows },
    rules: {
      'arrows/direction': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always'],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]',
          message: 'Parse or narrow instead of casting through unknown.',
        },
      ],
    },
  },
);
