/** The types of contents, and the options that determine how their sources are read. */
import { config } from '../../config.ts';
import { FILE_FORMATS } from '../../parsing/parsing-tasks.ts';

/** All types of contents. A sitemap is not indexed itself; it adds pages. */
export const CONTENT_TYPES = ['text', 'faq', 'url', ...FILE_FORMATS, 'sitemap'] as const;

/** How often a source is fetched again. */
export const REFRESH_RATES = ['never', 'daily', 'weekly', 'monthly'] as const;

/** The ways to read a page; see `scrape_type` in the API reference. */
export const SCRAPE_TYPES = [0, 1, 2, 3, 4, 5] as const;

const DEFAULT_SCRAPE_TYPE = 2;
/** The first scrape type that uses a browser. */
const FIRST_BROWSER_TYPE = 2;
/** The scrape types that `scrape_options` apply to. */
const TYPES_WITH_OPTIONS = [2, 4, 5];

/** Whether `scrape_options` apply to this scrape type. */
export const appliesOptions = (scrapeType: number): boolean => TYPES_WITH_OPTIONS.includes(scrapeType);
const DEFAULT_SCRAPE_OPTIONS = { tags_to_extract: ['body'], unwanted_tags: [], unwanted_classnames: [] };
const NO_PAGE_OPTIONS = { scrape_options: undefined, scrape_mode: undefined };
const PAGE_TYPES = ['url', 'sitemap'];

/** Whether a browser renders the pages of this scrape type. */
export const usesBrowser = (scrapeType: number | undefined): boolean =>
  scrapeType !== undefined && scrapeType >= FIRST_BROWSER_TYPE && Boolean(config.BROWSER);

/** Returns how a page of this scrape type is read; undefined for types that do not ask for a browser. */
export const scrapeModeOf = (scrapeType: number): 'browser' | 'static' | undefined => {
  if (scrapeType < FIRST_BROWSER_TYPE) return undefined;
  return usesBrowser(scrapeType) ? 'browser' : 'static';
};

/** The options of a content that determine how its source is read, as a caller provides them. */
export interface ReadingOptions {
  scrape_type?: number;
  scrape_options?: Record<string, unknown>;
  refresh_rate?: string;
}

/** Adds the defaults of a type to the options of a content, and removes options that the type does not have. */
export const withDefaults = (type: string, { scrape_type, scrape_options, refresh_rate }: ReadingOptions) => {
  if (!PAGE_TYPES.includes(type))
    return { ...NO_PAGE_OPTIONS, scrape_type: type === 'txt' ? 1 : scrape_type, refresh_rate };
  const pageType = scrape_type ?? DEFAULT_SCRAPE_TYPE;
  const defaultOptions = pageType === DEFAULT_SCRAPE_TYPE ? DEFAULT_SCRAPE_OPTIONS : undefined;
  return {
    scrape_type: pageType,
    scrape_options: appliesOptions(pageType) ? (scrape_options ?? defaultOptions) : undefined,
    refresh_rate: refresh_rate ?? 'never',
    scrape_mode: type === 'url' ? scrapeModeOf(pageType) : undefined,
  };
};
