/**
 * Makes a seeded project resemble the last weeks of a help desk: busy on weekdays and in the morning, with several
 * departments, ratings, a bot that solves a growing share of conversations, and waiting times that grow with the load.
 * The same seed gives the same history.
 */
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import type { ConversationRecords, SeedAgent, SeedOptions } from './project-records.ts';
import { seededRandom } from './seeded-random.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
const MINUTE_MS = 60_000;

/** How many conversations begin in each hour (UTC), relative to the busiest hour. */
const BY_HOUR = [
  ...[0.05, 0.03, 0.02, 0.02, 0.03, 0.08, 0.2, 0.45, 0.8, 1, 0.95, 0.85],
  ...[0.65, 0.75, 0.85, 0.8, 0.7, 0.55, 0.4, 0.35, 0.3, 0.22, 0.15, 0.08],
];
/** How many conversations begin on each day of the week, from Sunday, relative to the busiest day. */
const BY_WEEKDAY = [0.2, 1, 0.92, 0.85, 0.8, 0.7, 0.3];
const FIRST_WEEK_SHARE = 0.6;
const BOT_SHARES = { first: 0.25, last: 0.65 };
const BOT_SOLVES_SHARE = 0.55;
const RATED_SHARE = 0.45;
/** Ratings from 5 to 1, each with the cumulative share of this rating and all better ones. */
const RATINGS = [
  [5, 0.58],
  [4, 0.82],
  [3, 0.91],
  [2, 0.96],
  [1, 1],
] as const;
const MEDIAN_WAIT_MS = 70_000;
const MEDIAN_DURATION_MS = 9 * MINUTE_MS;
const MEDIAN_BOT_DURATION_MS = 2.5 * MINUTE_MS;

/** The parameters of a history. */
export interface HistoryOptions {
  requests: number;
  weeks: number;
  /** The end of the history, in milliseconds since 1970. */
  now: number;
  seed: number;
  /** Ids of departments, busiest first. */
  departments: string[];
  agents: SeedAgent[];
  /** Id of the bot that solves some of the conversations. */
  bot: string;
}

type Random = () => number;

/** Returns a log-normally distributed value: most values are near the median, and a few are much larger. */
const logNormal = (random: Random, median: number, spread: number): number => {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(median * Math.exp(spread * normal));
};

/** Returns how busy the help desk is at a given time, from 0 to 1. */
const busyness = (time: number): number => {
  const date = new Date(time);
  return (BY_HOUR[date.getUTCHours()] as number) * (BY_WEEKDAY[date.getUTCDay()] as number);
};

/** Returns a random time in the history. Busy and recent times are more likely. */
const randomTime = ({ weeks, now }: HistoryOptions, random: Random): number => {
  for (;;) {
    const age = random() * weeks * WEEK_MS;
    const growth = 1 - (1 - FIRST_WEEK_SHARE) * (age / (weeks * WEEK_MS));
    if (random() < busyness(now - age) * growth) return Math.floor(now - age);
  }
};

const pickFirstOften = <T>(all: T[], random: Random): T => all[Math.floor(random() ** 1.8 * all.length)] as T;

const ratingOf = (random: Random): { rating?: number } => {
  if (random() >= RATED_SHARE) return {};
  const draw = random();
  const [rating] = RATINGS.find(([, share]) => draw < share) ?? [1];
  return { rating };
};

const participantsOf = ({ bot, agents }: HistoryOptions, progress: number, random: Random) => {
  const agent = pickFirstOften(agents, random).id_user;
  const hasBot = random() < BOT_SHARES.first + (BOT_SHARES.last - BOT_SHARES.first) * progress;
  const isSolvedByBot = hasBot && random() < BOT_SOLVES_SHARE;
  return {
    hasBot: isSolvedByBot,
    participantsBots: isSolvedByBot ? [bot] : [],
    participantsAgents: isSolvedByBot ? [] : [agent],
    participants: [isSolvedByBot ? `bot_${bot}` : agent],
  };
};

/** Returns the fields of a closed conversation that began at `time`. */
const outcomeOf = (options: HistoryOptions, time: number, random: Random) => {
  const progress = 1 - (options.now - time) / (options.weeks * WEEK_MS);
  const participation = participantsOf(options, progress, random);
  const { hasBot } = participation;
  const wait = hasBot ? undefined : logNormal(random, MEDIAN_WAIT_MS * (0.5 + 2 * busyness(time)), 0.8);
  const duration = (wait ?? 0) + logNormal(random, hasBot ? MEDIAN_BOT_DURATION_MS : MEDIAN_DURATION_MS, 0.7);
  return {
    ...participation,
    status: CONVERSATION_STATUS.closed,
    department: pickFirstOften(options.departments, random),
    waiting_time: wait,
    first_response_at: wait === undefined ? undefined : new Date(time + wait),
    ...{ closed_at: new Date(time + duration), duration },
    ...ratingOf(random),
  };
};

/** Returns the seed options that shape the history. */
export const lifelikeHistory = (options: HistoryOptions): Required<Pick<SeedOptions, 'timeOf' | 'vary'>> => {
  const random = seededRandom(options.seed);
  const times = Array.from({ length: options.requests }, () => randomTime(options, random)).toSorted(
    (one, other) => one - other,
  );
  const timeOf = (number: number) => new Date(times[number] as number);
  return {
    timeOf,
    vary: ({ request, messages, lead }: ConversationRecords, number: number) => {
      const draw = seededRandom(options.seed + number + 1);
      const outcome = outcomeOf(options, times[number] as number, draw);
      const keptMessages = messages.slice(0, 2 + Math.floor(draw() * (messages.length - 1)));
      const attributes = { ...request.attributes, last_message: keptMessages.at(-1) };
      return { request: { ...request, ...outcome, attributes }, messages: keptMessages, lead };
    },
  };
};
