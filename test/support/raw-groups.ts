/**
 * Reads the records of a period once, grouped by every part of their local date, and derives the expected rows of many
 * figures from these groups. One pass per figure would take minutes with 1,000,000 records.
 */
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { dateParts, matchOf, type RawQuery } from './raw-figures.ts';

type Fields = Record<string, unknown>;

/** A measured value of conversations. Multiplied by `unit`, it is an integer. */
interface Measure {
  value: object | string;
  unit: number;
}

const MEASURES = {
  waiting_time_avg: { value: '$waiting_time', unit: 1 },
  duration_avg: { value: { $subtract: ['$closed_at', '$createdAt'] }, unit: 1 },
  satisfaction_avg: { value: '$rating', unit: 10 },
} satisfies Record<string, Measure>;

export type MeanName = keyof typeof MEASURES;

/** Records with the same fields: their number, and the sum and the number of the values of each measure. */
interface RawGroup {
  _id: Fields;
  count: number;
  sums: Partial<Record<MeanName, { sum: number; count: number }>>;
}

const addGroup = (total: RawGroup, group: RawGroup): void => {
  total.count += group.count;
  for (const [name, { sum, count }] of Object.entries(group.sums) as [MeanName, { sum: number; count: number }][]) {
    const { sum: before = 0, count: countBefore = 0 } = total.sums[name] ?? {};
    total.sums[name] = { sum: before + sum, count: countBefore + count };
  }
};

/** Groups of records, which can be combined by some of their fields. */
export class RawGroups {
  readonly #groups: RawGroup[];

  constructor(groups: RawGroup[]) {
    this.#groups = groups;
  }

  #combine(names: string[]): RawGroup[] {
    const combined = new Map<string, RawGroup>();
    for (const group of this.#groups) {
      const key = names.map((name) => String(group._id[name])).join(' ');
      const total = combined.get(key) ?? {
        _id: Object.fromEntries(names.map((name) => [name, group._id[name]])),
        ...{ count: 0, sums: {} },
      };
      combined.set(key, total);
      addGroup(total, group);
    }
    return [...combined.values()];
  }

  /** The groups whose fields meet a condition. */
  where(matches: (fields: Fields) => boolean): RawGroups {
    return new RawGroups(this.#groups.filter(({ _id }) => matches(_id)));
  }

  /** The number of records for each combination of values of some fields. */
  counts(names: string[]): Fields[] {
    return this.#combine(names).map(({ _id, count }) => ({ _id, count }));
  }

  /** The mean of a measured value for each combination of values of some fields; null if no record has a value. */
  means(names: string[], mean: MeanName): Fields[] {
    return this.#combine(names).map(({ _id, sums }) => {
      const { sum = 0, count = 0 } = sums[mean] ?? {};
      return { _id, [mean]: count ? sum / count / MEASURES[mean].unit : null };
    });
  }
}

/** Scans the collection, because almost every record matches. */
const SCAN = { hint: { $natural: 1 } } as const;

/** Groups conversations, except preflight ones, by their local date and hour, status and `hasBot`. */
export const readConversationGroups = async (query: RawQuery): Promise<RawGroups> => {
  const names = Object.keys(MEASURES) as MeanName[];
  const accumulators = names.flatMap((name) => {
    const { value } = MEASURES[name];
    return [
      [`${name}_sum`, { $sum: value }],
      [`${name}_count`, { $sum: { $cond: [{ $ne: [{ $ifNull: [value, null] }, null] }, 1, 0] } }],
    ] as const;
  });
  const groups = await Conversation.aggregate<{ _id: Fields; count: number } & Record<string, number>>(
    [
      { $match: { ...matchOf(query), preflight: { $ne: true } } },
      {
        $group: {
          _id: { ...dateParts(query.timezone), status: '$status', hasBot: '$hasBot' },
          ...{ count: { $sum: 1 }, ...Object.fromEntries(accumulators) },
        },
      },
    ] as never,
    SCAN,
  );
  return new RawGroups(
    groups.map(({ _id, count, ...sums }) => ({
      ...{ _id, count },
      // Ratings have one decimal place, so their sums are exact in tenths.
      sums: Object.fromEntries(
        names.map((name) => [
          name,
          { sum: Math.round((sums[`${name}_sum`] ?? 0) * MEASURES[name].unit), count: sums[`${name}_count`] ?? 0 },
        ]),
      ),
    })),
  );
};

/** Groups messages by their local day, sender and `_answerid` (the id of the bot's answer in the message). */
export const readMessageGroups = async (query: RawQuery): Promise<RawGroups> => {
  const { year, month, week, day } = dateParts(query.timezone);
  const _id = { ...{ year, month, week, day }, sender: '$sender', _answerid: '$attributes._answerid' };
  const groups = await Message.aggregate<{ _id: Fields; count: number }>(
    [{ $match: matchOf(query) }, { $group: { _id, count: { $sum: 1 } } }] as never,
    SCAN,
  );
  return new RawGroups(groups.map((group) => ({ ...group, sums: {} })));
};

/** Waiting times and durations. */
export interface RawTimes {
  waiting: number[];
  duration: number[];
}

/** The waiting times and durations of conversations, by local day. */
export const readTimesByDay = async (query: RawQuery): Promise<(RawTimes & { _id: Fields })[]> => {
  const { year, month, day } = dateParts(query.timezone);
  const values = {
    waiting: { $push: MEASURES.waiting_time_avg.value },
    duration: { $push: MEASURES.duration_avg.value },
  };
  const days = await Conversation.aggregate<Record<keyof RawTimes, (number | null)[]> & { _id: Fields }>(
    [
      { $match: { ...matchOf(query), preflight: { $ne: true } } },
      { $group: { _id: { year, month, day }, ...values } },
    ] as never,
    SCAN,
  );
  const withoutNulls = (times: (number | null)[]) => times.filter((each) => each !== null);
  return days.map(({ _id, waiting, duration }) => ({
    _id,
    waiting: withoutNulls(waiting),
    duration: withoutNulls(duration),
  }));
};
