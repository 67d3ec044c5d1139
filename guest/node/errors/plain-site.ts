/** Answers the questions to which every call site that programs get has the same answer. */
export abstract class PlainSite implements NodeJS.CallSite {
  abstract getFileName(): string | null;
  abstract getScriptNameOrSourceURL(): string | null;
  abstract getLineNumber(): number;
  abstract getColumnNumber(): number;
  abstract getFunctionName(): string | null;
  abstract getThis(): unknown;
  abstract getTypeName(): string | null;
  abstract getFunction(): ReturnType<NodeJS.CallSite['getFunction']>;
  abstract getMethodName(): string | null;
  abstract isToplevel(): boolean;
  abstract isNative(): boolean;
  abstract isConstructor(): boolean;
  abstract isAsync(): boolean;
  abstract isPromiseAll(): boolean;
  abstract toString(): string;

  getEnclosingLineNumber() {
    return this.getLineNumber();
  }
  getEnclosingColumnNumber() {
    return this.getColumnNumber();
  }
  getEvalOrigin() {
    return undefined;
  }
  getPosition() {
    return 0;
  }
  getPromiseIndex() {
    return null;
  }
  getScriptHash() {
    return '';
  }
  isEval() {
    return false;
  }
}
