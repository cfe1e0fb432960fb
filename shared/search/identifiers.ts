/** Finds the words in identifiers, so that a question in plain words finds `poweredByHeader`. */

/**
 * Matches identifiers in camel case, such as `poweredByHeader`. The first word has at least three letters, so that
 * names such as `iPhone` are not split. Names such as `JavaScript` are not identifiers.
 */
const IDENTIFIER = /(?<![\p{L}\p{N}_])\p{Ll}{3,}\p{Lu}[\p{L}\p{N}]*/gu;
const WORD_START = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Returns the words of the identifiers in a string. Each identifier counts once. */
export const identifierWords = (text: string): string[] =>
  [...new Set(text.match(IDENTIFIER))].flatMap((identifier) => identifier.split(WORD_START));

/** Returns a string followed by the words of its identifiers. */
export const withIdentifierWords = (text: string): string => [text, ...identifierWords(text)].join(' ');
