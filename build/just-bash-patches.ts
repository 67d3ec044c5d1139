import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';

/** just-bash's browser bundle, which is what `just-bash/browser` names; spelled as Vite spells it. */
export const justBashBundle = normalizePath(
  realpathSync(fileURLToPath(new URL('../node_modules/just-bash/dist/bundle/browser.js', import.meta.url))),
);

const hooks = fileURLToPath(new URL('../guest/shell/interpreter.ts', import.meta.url));

interface Patch {
  /** What goes wrong without it. */
  readonly defect: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * The interpreter's defects that its public API cannot mend, for just-bash 3.4.2 (Apache-2.0). The bundle is minified,
 * so the names below hold for exactly that version: an upgrade fails the build until every patch is looked at again.
 * Names used: `e`/`this.ctx` interpreter context, `or` parse, `he` the error behind `exit`, `$c` text of a result.
 */
export const patches: readonly Patch[] = [
  {
    defect:
      'output appears only when the whole script has ended; set -e ends functions called before || and &&',
    find: 'let f=await this.executePipeline(c);',
    replace:
      'let f=await vitrine.settle(this.ctx.executionScope,await vitrine.unchecked(this.ctx.state,l<t.pipelines.length-1||c.negated,()=>this.executePipeline(c)),$c);',
  },
  {
    defect:
      'the caller cannot reach the scope and final state of its script; what is exported is lost one shell further',
    find: 'signal:u.signal,extraArgs:u.args},g=t;',
    replace:
      'signal:u.signal,extraArgs:u.args,traps:void 0,exportedVars:vitrine.exported(this.state.exportedVars,u),sourceStack:vitrine.mainSource(u.env)??this.state.sourceStack},g=t;u.begin?.(r,m);',
  },
  {
    defect:
      'an abort inside a loop or function becomes an error message, and what was printed before is lost',
    find: 'He=class extends yt{name="ExecutionAbortedError";constructor(t="",n=""){super("execution aborted",t,n)}}',
    replace:
      'He=class extends C{name="ExecutionAbortedError";constructor(t="",n=""){super("execution aborted","aborted",t),this.stderr=""}}',
  },
  {
    defect: 'output of a redirected compound command loses the order of its two streams',
    find: 'try{let l=await r(i);return await fs(e,l,t,',
    replace:
      'try{let l=await vitrine.within(e.executionScope,vitrine.destinationOf(e.executionScope,t),()=>r(i));return await fs(e,l,t,',
  },
  {
    defect: 'output of a redirected function or script loses the order of its two streams',
    find: 'try{S=await this.runCommand(u,f,d,n,!1,!1,w,y)}',
    replace:
      'try{S=await vitrine.within(this.ctx.executionScope,vitrine.destinationOf(this.ctx.executionScope,t.redirections),()=>this.runCommand(u,f,d,n,!1,!1,w,y))}',
  },
  {
    defect: 'output of a function defined with redirections loses the order of its two streams',
    find: 'm=await e.executeCommand(t.body,p,h);return fs(e,m,t.redirections,',
    replace:
      'm=await vitrine.within(e.executionScope,vitrine.destinationOf(e.executionScope,t.redirections),()=>e.executeCommand(t.body,p,h));return fs(e,m,t.redirections,',
  },
  {
    defect: 'set -x and the errors of substitutions appear after what the command prints',
    find: 'let x=await J4(this.ctx,u,f);',
    replace:
      'let x=await J4(this.ctx,u,f);this.ctx.state.expansionStderr=await vitrine.sendErrors(this.ctx.executionScope,this.ctx.state.expansionStderr||""),o=await vitrine.sendErrors(this.ctx.executionScope,o),x=await vitrine.sendErrors(this.ctx.executionScope,x);',
  },
  {
    defect: 'stages of a pipeline are captured, only the last one is shown',
    find: 'R=await n(y,s)}catch(I)',
    replace:
      'R=u?x?(l=await vitrine.sendErrors(e.executionScope,l),l||(c=0),await n(y,s)):await vitrine.within(e.executionScope,t.pipeStderr?.[w]?"merged":"apart",()=>n(y,s)):await n(y,s)}catch(I)',
  },
  {
    defect: "a later stage of a pipeline with empty input cannot be told from one that reads the shell's own",
    find: 'e.state.groupStdin=S?d:void 0,e.state.groupStdinSourceFd',
    replace: 'e.state.groupStdin=S?d:"",e.state.groupStdinSourceFd',
  },
  {
    defect: 'EXIT traps of subshells',
    find: 'return await $n(e,t.redirections,n,l=>kO(e,t,l.stdin??n,r,s||l.stdin!==void 0))',
    replace:
      'return await $n(e,t.redirections,n,l=>vitrine.untilExit(e,()=>kO(e,t,l.stdin??n,r,s||l.stdin!==void 0),or,vitrineIsExit))',
  },
  {
    defect: 'EXIT traps, and BASH_SOURCE, of scripts run by path',
    find: 'try{let c=new be().parse(i),u=await s(c);return a(),u}',
    replace:
      'try{e.state.sourceStack=[t];e.state.inCondition=!1;let c=new be().parse(i),u=await vitrine.untilExit(e,()=>s(c),or,vitrineIsExit);return a(),u}',
  },
  {
    defect: 'EXIT traps of bash, bash -c and the shell itself',
    find: 'R=await new Yo(E,m).executeScript(x);',
    replace: 'vi=new Yo(E,m),R=await vitrine.untilExit(vi.ctx,()=>vi.executeScript(x),or,vitrineIsExit);',
  },
  {
    defect: 'trap is listed as a builtin and not there',
    find: 'if(t==="wait")return Fe;',
    replace: 'if(t==="wait")return Fe;if(t==="trap")return vitrine.trap(c.state,n);',
  },
  {
    defect: 'ERR traps',
    find: 'let o=s<t.pipelines.length-1,a=this.ctx.state.errexitSafe;',
    replace:
      'let o=s<t.pipelines.length-1,a=this.ctx.state.errexitSafe;r!==0&&!o&&!i&&!a&&!this.ctx.state.inCondition&&this.ctx.state.traps?.has("ERR")&&n.appendResult(await vitrine.runErrTrap(this.ctx,r,or));',
  },
  {
    defect: 'command substitution prints through',
    find: 'try{let p=await e.executeScript(t.body),h=p.exitCode;',
    replace: 'try{let p=await vitrine.capture(e,t.body,or,vitrineIsExit),h=p.exitCode;',
  },
  {
    defect: 'command substitution inside words of expansions prints through',
    find: 'try{let c=await e.executeScript(r),u=c.exitCode;return e.state.env=i,',
    replace: 'try{let c=await vitrine.capture(e,r,or,vitrineIsExit),u=c.exitCode;return e.state.env=i,',
  },
  {
    defect: 'process substitution prints through',
    find: 'let h;try{h=await e.executeScript(t)}catch(m)',
    replace: 'let h;try{h=await vitrine.capture(e,t,or,vitrineIsExit)}catch(m)',
  },
  {
    defect: 'compgen -C prints through',
    find: 'let E=or(d),A=await e.executeScript(E);',
    replace: 'let E=or(d),A=await vitrine.capture(e,E,or,vitrineIsExit);',
  },
  {
    defect: 'functions and variables that are not exported are invisible in $(( $(f) ))',
    find: 'let i=await e.execFn(t.command,{signal:e.state.signal});',
    replace: 'let i={stdout:await _l(e,t.command),stderr:""};',
  },
  {
    defect: '$(( ${m[$key]:-0} + 1 )) knows no subscripts',
    find: 'async function Gl(e,t){',
    replace:
      'async function Gl(e,t){if(!/^\\w+$/.test(t))return await _e(e,or(`: "\\${${t}}"`).statements[0].pipelines[0].commands[0].args[0]);',
  },
  {
    defect: 'false; x=1 fails',
    find: 'let s=await t3(this.ctx,t);if(s.error)return s.error;',
    replace:
      'this.ctx.state.substituted=!1;let s=await t3(this.ctx,t);if(s.error)return s.error;t.name||this.ctx.state.substituted||(this.ctx.state.lastExitCode=0);',
  },
  {
    defect: 'set -e overlooks functions that end in a failing test',
    find: 'u=await u3(c,t,n,r,s,i,o,a,l);return u!==null',
    replace: 'u=await u3(c,t,n,r,s,i,o,a,l);this.ctx.state.errexitSafe=!1;return u!==null',
  },
  {
    defect: 'functions are invisible in substitutions joined to other arithmetic',
    find: 'return e.execFn?(await e.execFn(t.command,{signal:e.state.signal})).stdout.trim():"0"',
    replace: 'return(await _l(e,t.command)).trim()||"0"',
  },
  {
    defect: 'functions are invisible in ${a[$(f)]}',
    find: 'let u=await e.execFn(c,{signal:e.state.signal});',
    replace: 'let u={stdout:await _l(e,c),stderr:""};',
  },
  {
    defect: 'functions are invisible in ${a[`f`]}',
    find: 'let c=await e.execFn(l,{signal:e.state.signal});',
    replace: 'let c={stdout:await _l(e,l),stderr:""};',
  },
  {
    defect: 'cmd="ls src"; $cmd is looked up as one word',
    find: 'let u=await _e(this.ctx,t.name),f=[],d=[],',
    replace:
      'let vn0=t.name.parts.some(N=>N.type!=="Literal")?(await dr(this.ctx,t.name)).values:null,u=vn0?vn0[0]??"":await _e(this.ctx,t.name),f=vn0?vn0.slice(1):[],d=f.map(()=>!0),',
  },
  {
    defect: 'set -u; "${X:-default}" fails as unbound',
    find: 'c=await Cr(e,l),u=await We(e,l),f=u==="",d=s.checkEmpty??!1;',
    replace: 'c=await Cr(e,l),u=await We(e,l,!1),f=u==="",d=s.checkEmpty??!1;',
  },
  {
    defect: 'an unbound variable in a loop, group or condition does not end the shell',
    find: 'Jt=class extends yt{varName;name="NounsetError";constructor(t,n=""){super(`${t}: unbound variable`,n,`bash: ${t}: unbound variable\n`),this.varName=t}}',
    replace:
      'Jt=class extends Yt{varName;name="NounsetError";constructor(t,n=""){super(1,n,`bash: ${t}: unbound variable\n`),this.message=`${t}: unbound variable`,this.varName=t}}',
  },
  {
    defect: 'an unbound variable ends bash -c with 1 instead of 127',
    find: 'if(i instanceof Yt)return r.append("stdout",i.stdout,i.internalOutputAccounting.stdout),r.append("stderr",i.stderr,i.internalOutputAccounting.stderr),n=i.exitCode,',
    replace:
      'if(i instanceof Yt)return r.append("stdout",i.stdout,i.internalOutputAccounting.stdout),r.append("stderr",i.stderr,i.internalOutputAccounting.stderr),n=i instanceof Jt&&!this.ctx.state.sourceStack?127:i.exitCode,',
  },
  {
    defect: '$0 of ./run.sh is its absolute path',
    find: 'await a(c.path,n,r);',
    replace: 'await a(t.includes("/")?t:c.path,n,r);',
  },
  {
    defect: '$0 of ./run.sh is its absolute path (where it is read)',
    find: 'let i;try{i=await e.fs.readFile(t)}catch',
    replace: 'let i;try{i=await e.fs.readFile(e.fs.resolvePath(e.state.cwd,t))}catch',
  },
  {
    defect: 'BASH_SOURCE in functions of the main script says "main"',
    find: '{...t,sourceFile:t.sourceFile??e.state.currentSource??"main"}',
    replace: '{...t,sourceFile:t.sourceFile??e.state.currentSource??e.state.sourceStack?.at(-1)??"main"}',
  },
  {
    defect: '*/ matches files and drops the slash',
    find: 'n=await this.expandSimple(r)}',
    replace:
      'n=await this.expandSimple(r),r.endsWith("/")&&(n=await vitrine.foldersOnly(this.fs,this.cwd,n))}',
  },
  {
    defect: 'BASH_SOURCE is empty in sourced files',
    find: 'e.state.currentSource=r;try{let c=or(i),u=await e.executeScript(c);return l(),u}',
    replace:
      'e.state.currentSource=r;e.state.sourceStack=[r,...e.state.sourceStack??[]];try{let c=or(i),u=await e.executeScript(c);return l(),u}',
  },
  {
    defect: 'BASH_SOURCE of the caller after a sourced file',
    find: 'l=()=>{if(e.state.sourceDepth--,e.state.currentSource=a,n.length>1)',
    replace:
      'vs0=e.state.sourceStack,l=()=>{if(e.state.sourceDepth--,e.state.currentSource=a,e.state.sourceStack=vs0,n.length>1)',
  },
  {
    defect: 'BASH_SOURCE in a function says "main"',
    find: 'e.state.sourceStack.unshift(t.sourceFile??"main")',
    replace: 'e.state.sourceStack.unshift(t.sourceFile??e.state.sourceStack.at(-1)??"main")',
  },
  {
    defect: 'read and mapfile cannot wait for standard input',
    find: 'async runCommand(t,n,r,s,i=!1,o=!1,a=-1,l=!1){let c={ctx:this.ctx,',
    replace:
      'async runCommand(t,n,r,s,i=!1,o=!1,a=-1,l=!1){return vitrine.builtin(this.ctx,t,n,!!s||l,()=>this.runCommandNow(t,n,r,s,i,o,a,l))}async runCommandNow(t,n,r,s,i,o,a,l){let c={ctx:this.ctx,',
  },
  {
    defect: 'read keeps the bytes of UTF-8 text as one character each',
    find: 'let T=F=>s?F:F.replace(',
    replace: 'S=vitrine.decode(S);let T=F=>s?F:F.replace(',
  },
  {
    defect: 'mapfile keeps the bytes of UTF-8 text as one character each',
    find: '"string_length");f.push(w)}',
    replace: '"string_length");f.push(vitrine.decode(w))}',
  },
  {
    defect: 'commands cannot wait for standard input',
    find: ':{...await f3(c,t,n,s,o),internalProducerCommand:t}',
    replace: ':{...await vitrine.command(this.ctx,t,()=>f3(c,t,n,s,o,!!s||l)),internalProducerCommand:t}',
  },
  {
    defect: 'commands cannot wait for standard input (what f3 is told)',
    find: 'async function f3(e,t,n,r,s){let{ctx:i,',
    replace: 'async function f3(e,t,n,r,s,given){let pending=vitrine.inputPending(e.ctx,given);let{ctx:i,',
  },
  {
    defect: 'commands cannot wait for standard input (where they ask for it)',
    find: 'get stdin(){return p=!0,d}',
    replace: 'get stdin(){return pending&&vitrine.askInput(i.executionScope,t),p=!0,d}',
  },
  {
    defect: 'commands cannot wait for standard input (scripts inside scripts)',
    find: 'i.execFn(S,{...E,stdin:d,stdinKind:"bytes"},!0)',
    replace: 'i.execFn(S,{...E,stdin:pending?void 0:d,stdinKind:"bytes"},!0)',
  },
  {
    defect: 'type, help and command -v name builtins that are not there',
    find: '"hash","ulimit","umask","trap","times","wait","kill","jobs","fg","bg","disown","suspend","fc","history","help","enable","builtin","caller"]);',
    replace: '"hash","trap","wait","help","builtin"]);',
  },
  {
    defect: 'help lists only builtins, some of which are not there',
    find: 'if(t==="help")return wp(c,n);',
    replace: 'if(t==="help"&&n.length>0)return wp(c,n);',
  },
  {
    defect: '"command not found" does not say what to do instead',
    find: "if(!c)return n4(t)?K(`bash: ${t}: command not available in browser environments. Exclude '${t}' from your commands or use the Node.js bundle.\n`,127):K(`bash: ${t}: command not found\n`,127);",
    replace: 'if(!c)return K(`bash: ${t}: command not found\n${i.executionScope.live?.missing(t)??""}`,127);',
  },
  {
    defect: 'a file that may not be written ends the whole shell with an exception',
    find: 'executeCommandInner(t,n,r)}catch(a){throw await Ad(this.ctx,s).catch(()=>{}),a}',
    replace:
      'executeCommandInner(t,n,r)}catch(a){if(i=vitrine.fileFailure(a),!i)throw await Ad(this.ctx,s).catch(()=>{}),a}',
  },
  {
    defect: 'find -exec, timeout and others do not pass on what is exported',
    find: 'exec:(S,E)=>i.execFn(S,E,!1)',
    replace: 'exec:(S,E)=>i.execFn(S,E.env?E:{...E,env:h},!1)',
  },
  {
    defect: "sed: a range's end is looked for on its first line",
    find: 's.set(d,p),ci(a,t,n,r,i)&&(',
    replace: 's.set(d,p),!c&&(typeof a=="number"?t>=a:ci(a,t,n,r,i))&&(',
  },
  {
    defect: 'awk: length without parentheses is a variable',
    find: 'key:r}}return{type:"variable",name:t}}',
    replace: 'key:r}}return t==="length"?{type:"call",name:t,args:[]}:{type:"variable",name:t}}',
  },
  {
    defect: 'uniq -c: counts are four characters wide instead of seven',
    find: 'String(w).padStart(4)',
    replace: 'String(w).padStart(7)',
  },
  {
    defect: 'rg -z and gzip need node:zlib, which no browser has; both commands are replaced here',
    find: 'import{gunzipSync as bx}from"node:zlib";',
    replace: 'let bx=vitrine.noZlib;',
  },
  {
    defect: 'gzip needs node:zlib, which no browser has; the command is replaced here',
    find: 'import{constants as Cf,gunzipSync as pv,gzipSync as hv}from"node:zlib";',
    replace: 'let Cf={},pv=vitrine.noZlib,hv=vitrine.noZlib;',
  },
  {
    defect: 'its diff, which is replaced here, brings its own version of the library',
    find: 'import*as i2 from"diff";',
    replace: 'let i2={};',
  },
  {
    defect: 'html-to-markdown needs a document, which no worker has; it is not registered here',
    find: 'import jC from"turndown";',
    replace: 'let jC=class{};',
  },
];

const HEADER = `import*as vitrine from${JSON.stringify(hooks)};let vitrineIsExit=e=>e instanceof he;`;

/**
 * Applies {@link patches} to just-bash's bundle. The build fails where a pattern does not match exactly once, and
 * where another copy of the bundle would come in unpatched.
 */
export function justBashPatches(): Plugin {
  return {
    name: 'vitrine:just-bash-patches',
    enforce: 'pre',
    transform(code, id) {
      const [file = ''] = id.split('?');
      // By its name, wherever it lies; what it has for Node, which tests compare with, needs no patches.
      if (!file.endsWith('/just-bash/dist/bundle/browser.js')) return null;
      if (file !== justBashBundle)
        throw new Error(`just-bash is patched in ${justBashBundle}, not in ${file}.`);
      return { code: applyPatches(code, patches), map: null };
    },
  };
}

export function applyPatches(bundle: string, list: readonly Patch[]): string {
  let patched = bundle;
  for (const { defect, find, replace } of list) {
    const count = patched.split(find).length - 1;
    if (count !== 1) {
      throw new Error(
        `just-bash has changed: the patch for "${defect}" matches ${count} times instead of once.`,
      );
    }
    patched = patched.replace(find, () => replace);
  }
  return HEADER + patched;
}
