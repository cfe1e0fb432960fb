import robots from 'robots-parser';
import { config } from '#shared/config.ts';

/** The package's types speak of a default export; at run time the module itself is the function. */
const parse = robots as unknown as typeof robots.default;

/** What one robots.txt tells us: where we may go, and milliseconds between two requests. */
export type RobotsRules = { allows: (url: string) => boolean; delayMs: number | undefined };

const MAX_CHARACTERS = 32_768;
const MAX_WILDCARDS = 8_192;
const MAX_CRAWL_DELAY = 10;

const LINE = /^\s*(user-agent|allow|disallow|crawl-delay)\s*:([^#]*)/i;
type Line = [field: string, value: string];

const linesOf = (text: string): Line[] =>
  text.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, field, value] = LINE.exec(line.slice(0, 2_100)) ?? [];
    return field && value !== undefined ? [[field.toLowerCase(), value.trim()] satisfies Line] : [];
  });

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

/**
 * Matching a pattern with wildcards costs its length times the URL's, so only so many characters of them are kept;
 * further ones turn into the plain prefix before the wildcard, which forbids more, never less.
 */
const cheap = (lines: Line[]) => {
  let left = MAX_WILDCARDS;
  return lines.flatMap(([field, value]): Line[] => {
    if (field === 'crawl-delay' || !value.includes('*')) return [[field, value]];
    left -= value.length;
    if (left >= 0) return [[field, value]];
    return field === 'disallow' ? [[field, value.slice(0, value.indexOf('*')) || '/']] : [];
  });
};

/** The part of a robots.txt that concerns us, at most 32 KiB of it, as a robots.txt: kept, and all the parser sees. */
export const digest = (text: string, agent = config.FETCH_USER_AGENT) => {
  const kept = ['user-agent: *'];
  let left = MAX_CHARACTERS;
  for (const [field, value] of cheap(groupFor(linesOf(text), agent))) {
    left -= field.length + value.length;
    if (left < 0) break;
    kept.push(`${field}: ${value}`);
  }
  return kept.join('\n');
};

/** Rules from a digest; without a digest everything is allowed. */
export const readRules = (origin: string, text = ''): RobotsRules => {
  const robot = parse(`${origin}/robots.txt`, text);
  const delay = robot.getCrawlDelay('*');
  return {
    allows: (url) => robot.isAllowed(url, '*') ?? true,
    delayMs: delay && delay > 0 ? Math.min(delay, MAX_CRAWL_DELAY) * 1000 : undefined,
  };
};
