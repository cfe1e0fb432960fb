/** The one kind of failure the set-up explains: what is missing, what was tried, what a person can do. */

/** Something this machine must have and that could not be had; `tried` and `waysOut` are lines for a person. */
export class SetUpError extends Error {
  constructor(message, { tried = [], waysOut = [] } = {}) {
    super(message);
    this.name = 'SetUpError';
    this.tried = tried;
    this.waysOut = waysOut;
  }
}

/** Settings with which nothing can be started: the command ends with code 2. */
export class RefusedError extends SetUpError {
  exitCode = 2;
}

const list = (title, lines) => (lines.length > 0 ? [`${title}:`, ...lines.map((line) => `  - ${line}`)] : []);

/** The text a person reads: all of a set-up error, the stack of any other (a fault of ours). */
export const explain = (error) =>
  error instanceof SetUpError
    ? [error.message, ...list('Tried', error.tried), ...list('Ways out', error.waysOut)].join('\n')
    : (error?.stack ?? String(error));
