/** Patterns of code in an answer. Quotation marks and brackets in code do not mark quotations or citations. */

export const FENCED_CODE = /^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm;
export const INLINE_CODE = /(`{1,2})[^`\n]+\1/g;

/** Replaces a part of a text with spaces, except for line breaks, so that all positions in the text stay the same. */
export const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
