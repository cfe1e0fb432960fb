/**
 * Boolean expressions over the tags of contents, such as `shop & !(draft | old)`. Their grammar:
 *
 *     expression = term { "|" term }
 *     term       = factor { "&" factor }
 *     factor     = "!" factor | "(" expression ")" | tag
 *     tag        = characters other than & | ! ( ), without spaces at its ends
 */

/** A tag, or a combination of expressions. */
export type TagExpression = string | { and: TagExpression[] } | { or: TagExpression[] } | { not: TagExpression };

/** Thrown for a text that is not an expression. The message completes the sentence "the field …". */
export class TagExpressionError extends Error {}

/** Each level becomes a level of a MongoDB filter, and MongoDB limits the depth of documents. */
const MAX_DEPTH = 10;
const TOKEN = /[&|!()]|[^&|!()\s]+(?:\s+[^&|!()\s]+)*/g;
const OPERATORS = ['&', '|', '!', '(', ')'];

interface Token {
  text: string;
  /** The position of the token's first character in the text, counted from 1. */
  position: number;
}

const invalid = (problem: string) =>
  new TagExpressionError(`must be tags that are combined with &, |, ! and parentheses: ${problem}`);

/** Reads an expression from left to right, one rule of the grammar per method. */
class Parser {
  readonly #tokens: Token[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({ text: token, position: index + 1 }));
  }

  parse(): TagExpression {
    const expression = this.#expression(0);
    const rest = this.#peek();
    if (rest) throw invalid(`unexpected "${rest.text}" at character ${rest.position}`);
    return expression;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  /** Moves past the next token if it is `text`. Returns whether it was. */
  #accept(text: string): boolean {
    const isNext = this.#peek()?.text === text;
    if (isNext) this.#next += 1;
    return isNext;
  }

  #list(operator: string, read: () => TagExpression): TagExpression[] {
    const items = [read()];
    while (this.#accept(operator)) items.push(read());
    return items;
  }

  #expression(depth: number): TagExpression {
    const terms = this.#list('|', () => this.#term(depth));
    return terms.length > 1 ? { or: terms } : (terms[0] as TagExpression);
  }

  #term(depth: number): TagExpression {
    const factors = this.#list('&', () => this.#factor(depth));
    return factors.length > 1 ? { and: factors } : (factors[0] as TagExpression);
  }

  #factor(depth: number): TagExpression {
    if (depth > MAX_DEPTH) throw invalid(`it has more than ${MAX_DEPTH} levels`);
    if (this.#accept('!')) return { not: this.#factor(depth + 1) };
    if (this.#accept('(')) return this.#group(depth + 1);
    const token = this.#peek();
    if (!token) throw invalid('a tag is missing at the end');
    if (OPERATORS.includes(token.text))
      throw invalid(`a tag is missing before "${token.text}" at character ${token.position}`);
    this.#next += 1;
    return token.text;
  }

  #group(depth: number): TagExpression {
    const expression = this.#expression(depth);
    if (this.#accept(')')) return expression;
    const rest = this.#peek();
    throw invalid(rest ? `unexpected "${rest.text}" at character ${rest.position}` : '")" is missing at the end');
  }
}

/** Parses an expression. Throws `TagExpressionError` with the position of the mistake. */
export const parseTagExpression = (text: string): TagExpression => new Parser(text).parse();

/** Returns the tags of an expression. */
export const tagsIn = (expression: TagExpression): string[] => {
  if (typeof expression === 'string') return [expression];
  if ('not' in expression) return tagsIn(expression.not);
  return ('and' in expression ? expression.and : expression.or).flatMap(tagsIn);
};

/** Returns the MongoDB filter for the contents that match an expression. */
export const toTagFilter = (expression: TagExpression): Record<string, unknown> => {
  if (typeof expression === 'string') return { tags: expression };
  if ('not' in expression) return { $nor: [toTagFilter(expression.not)] };
  return 'and' in expression ? { $and: expression.and.map(toTagFilter) } : { $or: expression.or.map(toTagFilter) };
};
