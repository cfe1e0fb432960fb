/** Returns the code of a language in lower case and without its region: `de` for `de-AT`. */
export const languageCode = (language: string): string => language.split(/[-_]/)[0]?.toLowerCase() ?? '';
