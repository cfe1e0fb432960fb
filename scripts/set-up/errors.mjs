/** Errors of the setup, with what was tried and what the user can do. */

/** A requirement that is missing on this machine; `tried` and `remedies` are lines for the user. */
export class SetUpError extends Error {
  constructor(message, { tried = [], remedies = [] } = {}) {
    super(message);
    this.name = 'SetUpError';
    this.tried = tried;
    this.remedies = remedies;
  }
}

/** Invalid settings; the process must exit with code 2. */
export class InvalidSettingsError extends SetUpError {
  exitCode = 2;
}

const formatList = (title, lines) => (lines.length > 0 ? [`${title}:`, ...lines.map((line) => `  - ${line}`)] : []);

/** Formats an error for the user: all details of a setup error, or the stack of any other error. */
export const explainError = (error) =>
  error instanceof SetUpError
    ? [error.message, ...formatList('Tried', error.tried), ...formatList('What you can do', error.remedies)].join('\n')
    : (error?.stack ?? String(error));
