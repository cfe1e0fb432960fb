/** The texts that clients show, in every language they come in (contract b 10.4, 10.5). */
import { AR } from './ar.ts';
import { AZ } from './az.ts';
import { DE } from './de.ts';
import { EN, type Labels } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { KK } from './kk.ts';
import { PT } from './pt.ts';
import { RU } from './ru.ts';
import { SR } from './sr.ts';
import { SV } from './sv.ts';
import { TR } from './tr.ts';
import { UK } from './uk.ts';
import { UZ } from './uz.ts';

const languages: Record<string, Labels> = { EN, IT, FR, ES, DE, PT, RU, TR, SR, AR, UK, SV, KK, UZ, AZ };
const READ_BY_A_SPEAKER = new Set(['EN']);

/** The languages that come with the service; those that nobody who speaks them has read say so. */
export const shipped = Object.entries(languages).map(([lang, data]) => ({
  lang,
  data,
  machine_made: !READ_BY_A_SPEAKER.has(lang),
}));

/** One of them, by its upper-case code. */
export const shippedIn = (lang: string) => shipped.find((language) => language.lang === lang);

/** The texts of last resort. */
export const ENGLISH = EN;
