import robots from 'robots-parser';
import { config } from '#shared/config.ts';

/** The package's types speak of a default export; at run time the module itself is the function. */
const parse = robots as unknown as typeof robots.default;

/** What one robots.txt tells us: where we may go, and milliseconds between two requests. */
export type RobotsRules = { allows: (url: string) => boolean; delayMs: number | undefined };

const MAX_CHARACTERS = 32_768;
/** Steps of matching, some 10 ms: a pattern with a wildcard takes its length times the URL's. */
const MAX_STEPS = 4_000_000;
const MAX_CRAWL_DELAY = 10;

const LINE = /^[ \t]*(user-agent|allow|disallow|crawl-delay)[ \t]*:([^#\r\n]*)/gim;
type Line = [field: string, value: string];

const linesOf = (text: string) =>
  text
    .matchAll(LINE)
    .map(([, field = '', value = '']): Line => [field.toLowerCase(), value.trim()])
    .toArray();

/** The product token of a user agent, without its version. */
const token = (userAgent: string) => userAgent.toLowerCase().split('/')[0]?.trim();

/** Lines of the groups that name us, else of those for everyone (RFC 9309, 2.2.1). */
const groupFor = (lines: Line[], agent: string) => {
  const own: Line[] = [];
  const everyone: Line[] = [];
  let targets = new Set<Line[]>();
  let naming = false;
  let named = false;
  for (const line of lines) {
    const [field, value] = line;
    if (field === 'user-agent') {
      if (!naming) targets = new Set();
      if (token(value) === token(agent)) targets.add(own);
      else if (value === '*') targets.add(everyone);
      named ||= targets.has(own);
    } else for (const target of targets) target.push(line);
    naming = field === 'user-agent';
  }
  return named ? own : everyone;
};

/** The part of a robots.txt that concerns us, at most 32 KiB of it, as a robots.txt: kept, and all the parser sees. */
export const digest = (text: string, agent = config.FETCH_USER_AGENT) => {
  const kept = ['user-agent: *'];
  let left = MAX_CHARACTERS;
  for (const [field, value] of groupFor(linesOf(text), agent)) {
    left -= field.length + value.length;
    if (left < 0) break;
    kept.push(`${field}: ${value}`);
  }
  return kept.join('\n');
};

const wildCharacters = (text: string) =>
  text.split('\n').reduce((sum, line) => sum + (line.includes('*') ? line.length : 0), 0);

/** Rules from a digest, none allowing everything; a URL that would take too long to match is not allowed. */
export const readRules = (origin: string, text = ''): RobotsRules => {
  const robot = parse(`${origin}/robots.txt`, text);
  const longest = MAX_STEPS / wildCharacters(text);
  const delay = robot.getCrawlDelay('*');
  return {
    allows: (url) => url.length <= longest && (robot.isAllowed(url, '*') ?? true),
    delayMs: delay && delay > 0 ? Math.min(delay, MAX_CRAWL_DELAY) * 1000 : undefined,
  };
};
