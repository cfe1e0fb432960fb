/**
 * The slow extractor, for pages whose markup does not show where their text is. It builds a full DOM and scores the
 * paragraphs.
 */
import { type HtmlPage, parseHtml } from './html-document.ts';

/** Larger pages are not scored, because that would take too long. */
const MAX_PAGE_CHARACTERS = 1_000_000;

/** Returns the main part of a page according to the scoring library; undefined if it finds none. Makes no requests. */
export async function extractByScoring(html: string): Promise<HtmlPage | undefined> {
  if (html.length > MAX_PAGE_CHARACTERS) return undefined;
  const [{ DefuddleClass }, { DOMParser }] = await Promise.all([import('defuddle/node'), import('linkedom')]);
  try {
    const document = new DOMParser().parseFromString(html, 'text/html');
    Object.assign(document, { styleSheets: [] });
    // Parses synchronously, because the asynchronous method may request a page's text from third parties.
    const { content } = new DefuddleClass(document, { url: 'about:blank', useAsync: false }).parse();
    return content ? parseHtml(content) : undefined;
  } catch {
    // The caller still has the result of its own, faster extraction.
    return undefined;
  }
}
