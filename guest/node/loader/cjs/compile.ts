import { cjsCode } from '../cjs-code.ts';
import type { EditedText } from '../edits.ts';
import { evaluate } from '../evaluate.ts';
import { fileUrl, folderOf } from '../files.ts';
import { isModuleSyntax, shownSyntaxError } from '../syntax-errors.ts';
import { requireOf } from './require.ts';
import type { CjsContext, CjsModule } from './types.ts';

type Wrapper = (
  exports: unknown,
  require: unknown,
  module: CjsModule,
  filename: string,
  dirname: string,
) => unknown;

/** Adds the text of the function around a module. Returns whether a program has replaced it. */
export function addWrapper({ Module }: CjsContext): () => boolean {
  const ownWrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
  Module.wrapper = [...ownWrapper];
  const ownWrap = (script: string) => Module.wrapper[0] + script + Module.wrapper[1];
  Module.wrap = ownWrap;
  return () => Module.wrap !== ownWrap || ownWrapper.some((each, index) => each !== Module.wrapper[index]);
}

/** Adds `_compile`, which runs the text of a module in its function. */
export function addCompilation(context: CjsContext, isPatched: () => boolean): void {
  const { Module, awaits } = context;

  function compileText(content: string, filename: string): EditedText {
    try {
      return cjsCode(content, {
        strict: context.strict,
        followsAwait: awaits.isFollowed(content, filename),
        wrap: isPatched() ? Module.wrap : undefined,
      });
    } catch (error) {
      throw shownSyntaxError(error, content, filename, 'script');
    }
  }

  function wrapperOf(code: string, filename: string): Wrapper {
    const make = evaluate(code, filename) as (...given: unknown[]) => Wrapper;
    const importFrom = context.importFrom(filename.startsWith('/') ? fileUrl(filename) : filename);
    return make(importFrom, awaits.take, awaits.each);
  }

  Module.prototype._compile = function (content, filename, format) {
    const asModule = () => {
      this.exports = context.requireEsm(filename, this.parent?.filename ?? undefined, content);
    };
    if (format === 'module') return asModule();
    const code = compileText(content, filename);
    const { shown, placed } = context.typescript.readingOf(filename, content);
    context.sources.add(filename, shown, placed(code));
    let wrapper: Wrapper;
    try {
      wrapper = wrapperOf(code.code, filename);
    } catch (error) {
      const isModule = isModuleSyntax(error, content);
      if (isModule && (format === 'commonjs' || !context.requiresModules)) context.refusedModule(filename);
      if (isModule && format !== 'commonjs' && context.requiresModules) return asModule();
      throw shownSyntaxError(error, content, filename, 'script');
    }
    const { exports } = this;
    const require = requireOf(context, this);
    return Reflect.apply(wrapper, exports, [exports, require, this, filename, folderOf(filename)]);
  };
}
