/** Patterns of code in an answer, in which quotation marks and brackets have another meaning. */

export const FENCED_CODE = /^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm;
export const INLINE_CODE = /(`{1,2})[^`\n]+\1/g;

/** Replaces a part by spaces, so that all positions stay the same. */
export const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
