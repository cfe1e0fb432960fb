/** The built-in texts that clients show, in all languages. */
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

const labelsByLanguage: Record<string, Labels> = { EN, IT, FR, ES, DE, PT, RU, TR, SR, AR, UK, SV, KK, UZ, AZ };
const PROOFREAD_LANGUAGES = new Set(['EN']);

/** The built-in languages; `machine_made` marks translations that no native speaker has proofread. */
export const builtInLabels = Object.entries(labelsByLanguage).map(([lang, data]) => ({
  lang,
  data,
  machine_made: !PROOFREAD_LANGUAGES.has(lang),
}));

/** Returns the texts of a language by its upper-case code; undefined if the language is not built in. */
export const findBuiltInLabels = (lang: string) => builtInLabels.find((language) => language.lang === lang);

/** The texts to use for a language that is not built in. */
export const FALLBACK_LABELS = EN;
