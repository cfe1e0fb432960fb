/** Which parts of a page serve its site rather than its reader: told by landmarks, and by names where the looks agree. */
import { type Element, elements, names } from './tree.ts';

const LANDMARKS = names('navigation banner contentinfo search menu menubar toolbar dialog alertdialog');
const HEADINGS = names('h1 h2 h3 h4 h5 h6');
const LINK_LISTS =
  /^(sidebar|side-?nav|nav(bar|igation|-?menu)?|menu|toc|table-?of-?contents|on-?this-?page|breadcrumbs?|pager|pagination|prev-?next|related|see-?more|tag-?cloud|links?|topics|jumpbox|switchers?)$/;
const ASIDES =
  /^(footer|foot-?note-?bar|colophon|copyright|cookies?|consent|gdpr|newsletter|subscribe|share|sharing|social|ads?|advert(isement)?|promo|sponsors?|skip(-?to)?|edit-?(section|page|link)|header-?link|perma-?link|anchor-?link|feedback|login|banner|visually-?hidden|sr-?only|line-?(nos?|numbers?)|gutter)$/;
const FRAGMENT_MARK = /^[\s¶#§†🔗∞\u200b\uf0c1]*$/u;
const LINK_HEAVY = 0.5;
/** Letters outside links from which on a part is a passage. */
const PASSAGE = 140;

/** Share of an element's letters that stand inside links. */
export const linkDensity = (at: Element): number => (at.text === 0 ? 0 : at.linked / at.text);

/** Take navigation, footers, banners, tables of contents and the like out of an element; `main` says it was marked as the main part. */
export function prune(root: Element, main: boolean): void {
  const total = root.text;
  const strip = (at: Element): void => {
    at.children = at.children.filter((child) => {
      if (typeof child === 'string') return true;
      const { text, linked } = child;
      const kept = !isBoilerplate(child, total, main);
      if (kept) strip(child);
      at.text -= text - (kept ? child.text : 0);
      at.linked -= linked - (kept ? child.linked : 0);
      return kept;
    });
  };
  strip(root);
}

function isBoilerplate(at: Element, total: number, main: boolean): boolean {
  const { role = '' } = at.attributes;
  if (LANDMARKS.has(role) || at.name === 'nav') return true;
  if (at.name === 'footer') return !within(at, 'h1');
  if (at.name === 'aside' || role === 'complementary') return !main || linkDensity(at) > LINK_HEAVY;
  if (at.name === 'header') return !main && isSmall(at, total) && !within(at, 'h1');
  if (at.name === 'a') return isMark(at);
  return hinted(at, total, main) || isContentsList(at);
}

/** A named part that is no small share of the page is the page, whatever it is called; on short pages even a footer is a large share. */
const isSmall = ({ text }: Element, total: number): boolean => text < total * (text < 2 * PASSAGE ? 0.6 : 0.3);

/** True for the pilcrows and chain signs that only link to the heading they stand in. */
function isMark(at: Element): boolean {
  return (
    (at.attributes.href ?? '').includes('#') &&
    at.children.every((child) => typeof child === 'string' && FRAGMENT_MARK.test(child)) &&
    !within(at, 'img')
  );
}

/**
 * True where the class or id names a side matter and the element looks like it: small, and for navigation mostly links.
 * Within the main part an id is an address, and one of a longer passage always is.
 */
function hinted(at: Element, total: number, main: boolean): boolean {
  const { class: classes = '', id = '' } = at.attributes;
  if ((classes === '' && id === '') || !isSmall(at, total) || HEADINGS.has(at.name)) return false;
  const addressed = main || at.text - at.linked > PASSAGE;
  for (const name of (addressed ? classes : `${classes} ${id}`).toLowerCase().split(/\s+/)) {
    const parts = [name, ...name.split(/[_-]+/)];
    if (parts.some((part) => ASIDES.test(part))) return true;
    if (parts.some((part) => LINK_LISTS.test(part)) && linkDensity(at) > LINK_HEAVY) return true;
  }
  return false;
}

/** True for a list that only points to places of its own page. */
function isContentsList(at: Element): boolean {
  if ((at.name !== 'ul' && at.name !== 'ol') || at.text === 0 || linkDensity(at) < 0.9) return false;
  let links = 0;
  for (const { name, attributes } of elements(at)) {
    if (name !== 'a' || attributes.href === undefined) continue;
    if (!attributes.href.startsWith('#')) return false;
    links++;
  }
  return links > 1;
}

const within = (at: Element, name: string): boolean => elements(at).some((inner) => inner.name === name);
