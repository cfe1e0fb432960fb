/** Evaluates robots.txt within limits on its size and matching time. */
import robots from 'robots-parser';
import { config } from '#shared/config.ts';

/** The package's types declare a default export; at run time the module itself is the function. */
const robotsParser = robots as unknown as typeof robots.default;

/** The rules of one robots.txt: which URLs are allowed, and the milliseconds between two requests. */
export type RobotsRules = { allows: (url: string) => boolean; delayMs: number | undefined };

const MAX_ROBOTS_CHARACTERS = 32_768;
/**
 * Maximum number of steps to match a URL; they take about 10 ms. A pattern with a wildcard needs at most as many steps
 * as the product of its length and the length of the URL.
 */
const MAX_MATCH_STEPS = 4_000_000;
const MAX_CRAWL_DELAY_SECONDS = 10;

const RULE_LINE = /^[ \t]*(user-agent|allow|disallow|crawl-delay)[ \t]*:([^#\r\n]*)/gim;
type RuleLine = [field: string, value: string];

const parseLines = (text: string) =>
  text
    .matchAll(RULE_LINE)
    .map(([, field = '', value = '']): RuleLine => [field.toLowerCase(), value.trim()])
    .toArray();

/** Returns the product token of a user agent, without its version. */
const productToken = (userAgent: string) => userAgent.toLowerCase().split('/')[0]?.trim();

/**
 * Returns the rules of the groups that name our user agent, or otherwise the rules for all agents (RFC 9309, 2.2.1).
 */
const linesForAgent = (lines: RuleLine[], agent: string) => {
  const own: RuleLine[] = [];
  const everyone: RuleLine[] = [];
  let targets = new Set<RuleLine[]>();
  let isInAgentLines = false;
  let hasOwnGroup = false;
  for (const line of lines) {
    const [field, value] = line;
    if (field === 'user-agent') {
      if (!isInAgentLines) targets = new Set();
      if (productToken(value) === productToken(agent)) targets.add(own);
      else if (value === '*') targets.add(everyone);
      hasOwnGroup ||= targets.has(own);
    } else for (const target of targets) target.push(line);
    isInAgentLines = field === 'user-agent';
  }
  return hasOwnGroup ? own : everyone;
};

/**
 * Returns the rules for our user agent as a robots.txt of at most MAX_ROBOTS_CHARACTERS characters. Only this text is
 * stored and parsed.
 */
export const extractRules = (text: string, agent = config.FETCH_USER_AGENT) => {
  const ruleLines = ['user-agent: *'];
  let remainingCharacters = MAX_ROBOTS_CHARACTERS;
  for (const [field, value] of linesForAgent(parseLines(text), agent)) {
    remainingCharacters -= field.length + value.length;
    if (remainingCharacters < 0) break;
    ruleLines.push(`${field}: ${value}`);
  }
  return ruleLines.join('\n');
};

const countWildcardCharacters = (text: string) =>
  text.split('\n').reduce((sum, line) => sum + (line.includes('*') ? line.length : 0), 0);

/** Parses extracted rules; an empty string allows everything. A URL that would take too long to match is disallowed. */
export const parseRobotsRules = (origin: string, text = ''): RobotsRules => {
  const robot = robotsParser(`${origin}/robots.txt`, text);
  const maxUrlCharacters = MAX_MATCH_STEPS / countWildcardCharacters(text);
  const delay = robot.getCrawlDelay('*');
  return {
    allows: (url) => url.length <= maxUrlCharacters && (robot.isAllowed(url, '*') ?? true),
    delayMs: delay && delay > 0 ? Math.min(delay, MAX_CRAWL_DELAY_SECONDS) * 1000 : undefined,
  };
};
