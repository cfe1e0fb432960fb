/** Schemas of labels. */
import { z } from 'zod';
import { INPUT_LIMITS } from '../input-limits.ts';

const NAME_PATTERN = /^[A-Za-z][\w-]*$/;
const NAME_MESSAGE = 'must start with a letter and contain only letters, digits, _ and -';
/** In paths, it stands for the built-in labels: `/labels/default`. */
const RESERVED_LANGUAGE = 'default';

/** A case-sensitive language code. */
export const LanguageCode = z
  .string()
  .regex(NAME_PATTERN, NAME_MESSAGE)
  .max(INPUT_LIMITS.languageCode)
  .refine((lang) => lang !== RESERVED_LANGUAGE, `must not be "${RESERVED_LANGUAGE}"`)
  .meta({ description: 'Language code, case-sensitive; the codes of built-in languages are upper case' });

const LabelText = z.string().max(INPUT_LIMITS.settingText);

/** The labels of one language by key. Their total length is limited, because a record has a maximum size. */
export const LabelTexts = z
  .record(
    z.string().regex(NAME_PATTERN, NAME_MESSAGE).max(INPUT_LIMITS.name),
    z.union([LabelText, z.array(LabelText).max(INPUT_LIMITS.labelTexts)]),
  )
  .refine(
    (texts) => JSON.stringify(texts).length <= INPUT_LIMITS.labels,
    `must have at most ${INPUT_LIMITS.labels} characters as JSON`,
  );
