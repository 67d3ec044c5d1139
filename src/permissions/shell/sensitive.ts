const SENSITIVE =
  /^(?:PATH|IFS|ENV|HOME|PWD|OLDPWD|CDPATH|SHELL|SHELLOPTS|GLOBIGNORE|PROMPT_COMMAND|PS\d|POSIXLY_CORRECT|BASH\w*|LD_\w+|FUNCNAME|EXECIGNORE)$/;

/** Whether a variable influences what a command name runs or how a line is read. */
export function isSensitive(name: string): boolean {
  return SENSITIVE.test(name);
}

const STEERING =
  /^(?:NODE_(?:OPTIONS|PATH)|p?npm_config_\w+|YARN_\w+|GIT_(?:PAGER|\w*EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|PROXY_COMMAND|ASKPASS|EXEC_PATH|CONFIG\w*)|EDITOR|VISUAL|PAGER|LESSOPEN|LESSCLOSE|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:OPT|LIB)|RUBYOPT)$/i;

/**
 * Like {@link isSensitive}, for variables that are set by something other than an assignment in front of a command,
 * which is asked for with its value: a program that is allowed by its name may run what such a variable says.
 */
export function isSteering(name: string): boolean {
  return isSensitive(name) || STEERING.test(name);
}
