interface CallSite {
  functionName: string;
  scriptId: string;
  scriptName: string;
  lineNumber: number;
  columnNumber: number;
  column: number;
}

export function getCallSites(frames: unknown = 8): CallSite[] {
  const count = typeof frames === 'number' ? frames : 8;
  const own = /blob:|node:internal/;
  const lines =
    new Error().stack?.split('\n').filter((line) => /^\s*at /.test(line) && !own.test(line)) ?? [];
  return lines.slice(0, count).map((line) => {
    const [, name = '', script = '', row = '0', column = '0'] =
      /^\s*at (?:(?:async )?(.*?) \()?(.*?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    return {
      functionName: name.replace(/^(?:new )?(?:.*\.)?<anonymous>$/, ''),
      scriptId: '0',
      scriptName: script,
      lineNumber: Number(row),
      columnNumber: Number(column),
      column: Number(column),
    };
  });
}
