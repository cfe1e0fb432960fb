/** Slugs of bots: short names for URLs, unique in a project. */
import type { ClientSession } from 'mongoose';
import { Bot } from '../../models/bot.ts';
import { removeAccents } from '../../search/fold.ts';

const FALLBACK_SLUG = 'bot';

/** Returns the slug of a name: lower case, without accents, only a to z, 0 to 9 and single hyphens. */
export const slugOf = (name: string): string =>
  removeAccents(name)
    .toLowerCase()
    .trim()
    .replace(/[^a-z0-9 _-]/g, '')
    .replace(/[\s_-]+/g, '-') || FALLBACK_SLUG;

/**
 * Returns the slug of a name. If a bot of the project already has this slug, appends a number that makes the slug
 * unique.
 */
export const freeSlug = async (id_project: string, name: string, session?: ClientSession): Promise<string> => {
  const slug = slugOf(name);
  // A slug contains no characters that are special in a regular expression.
  const similar = { id_project, slug: { $regex: `^${slug}(-\\d+)?$` } };
  const taken = (await Bot.find(similar, { slug: 1 }, { session }).lean()).map((bot) => bot.slug as string);
  if (!taken.includes(slug)) return slug;
  const numbers = taken.map((each) => Number(each.slice(slug.length + 1)) || 0);
  return `${slug}-${Math.max(...numbers) + 1}`;
};
