/** Parses HTML of any quality and keeps the readable part of the document. */
import { type CheerioAPI, load } from 'cheerio/slim';
import { type ChildNode, DomHandler, type Element, type ParentNode } from 'domhandler';
import { Parser } from 'htmlparser2';

/**
 * Maximum nesting depth. An element nested more deeply becomes a sibling of its ancestor at this depth, so that
 * recursion over the document cannot overflow the stack.
 */
const MAX_DEPTH = 200;
/**
 * Elements that end an open sibling implicitly, with the names of such siblings and the names of the parents at which
 * the search for a sibling stops.
 */
const IMPLIED_END_TAGS = new Map([
  ['li', { siblings: ['li'], parents: ['ul', 'ol', 'menu'] }],
  ['dt', { siblings: ['dt', 'dd'], parents: ['dl'] }],
  ['dd', { siblings: ['dt', 'dd'], parents: ['dl'] }],
  ['td', { siblings: ['td', 'th'], parents: ['tr', 'table'] }],
  ['th', { siblings: ['td', 'th'], parents: ['tr', 'table'] }],
  ['tr', { siblings: ['tr'], parents: ['table'] }],
]);

const UNREADABLE =
  'script, style, noscript, template, svg, math, iframe, object, embed, canvas, audio, video, map, button, input, select, textarea, datalist, progress, meter, dialog';
const HIDDEN = '[hidden]:not(html, body), [aria-hidden=true]:not(html, body)';
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/**
 * Builds the document while the page is parsed. Limits its depth, and ends list items, table cells and rows that the
 * page leaves open.
 */
class PageHandler extends DomHandler {
  /** The parser's open elements. The document may already have closed some of them. */
  readonly #parserStack: (ParentNode | undefined)[] = [];

  /** Makes the whole page the content of one `body` element, whatever elements the page itself has. */
  constructor() {
    super();
    super.onopentag('body', {});
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.#endSiblings(name);
    this.#endElements(MAX_DEPTH);
    super.onopentag(name, attributes);
    this.#parserStack.push(this.tagStack.at(-1));
  }

  override onclosetag(): void {
    const depth = this.tagStack.lastIndexOf(this.#parserStack.pop() as ParentNode);
    if (depth > 0) this.#endElements(depth);
  }

  #endSiblings(name: string): void {
    const implied = IMPLIED_END_TAGS.get(name);
    for (let depth = this.tagStack.length - 1; implied && depth > 0; depth--) {
      const open = this.tagStack[depth];
      const openName = open && 'name' in open ? open.name : '';
      if (implied.parents.includes(openName)) return;
      if (implied.siblings.includes(openName)) this.#endElements(depth);
    }
  }

  /** Ends the open elements from the given depth on. */
  #endElements(depth: number): void {
    while (this.tagStack.length > depth) super.onclosetag();
  }
}

/** A page as one element, and the cheerio function that queries it. */
export type HtmlPage = { $: CheerioAPI; body: Element };

/** Parses HTML into a document of limited depth, without scripts, form controls, or hidden elements. */
export function parseHtml(html: string): HtmlPage {
  const handler = new PageHandler();
  new Parser(handler).end(html);
  const $ = load(handler.root);
  const body = $.root().children().get(0) as Element;
  const hidden = select($, body, '[style]').filter(({ attribs }) => HIDDEN_STYLE.test(attribs.style ?? ''));
  removeElements([...select($, body, `${UNREADABLE}, ${HIDDEN}`), ...hidden]);
  return { $, body };
}

/**
 * Selects descendants of an element. Without `:scope`, the time that cheerio takes grows with the square of the number
 * of the element's children.
 */
export const select = ($: CheerioAPI, at: Element, selector: string): Element[] =>
  $(at).find(`:scope :is(${selector})`).get();

/** Removes elements. Handles each parent in one pass, because cheerio would search the siblings once per element. */
export function removeElements(elements: Element[]): void {
  const removed = new Set<ChildNode>(elements);
  for (const parent of new Set(elements.map((element) => element.parent))) {
    if (!parent) continue;
    parent.children = parent.children.filter((child) => !removed.has(child));
    for (const [index, child] of parent.children.entries()) {
      child.prev = parent.children[index - 1] ?? null;
      child.next = parent.children[index + 1] ?? null;
    }
  }
}
