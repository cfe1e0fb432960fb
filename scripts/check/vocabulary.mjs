/** Checks names and texts against the words that this code base does not use; docs/contributing.md says what to use. */
import { finding, nodesOf } from './project.mjs';

/** Names that say nothing about what they name. */
const VAGUE_NAMES = new Set(
  (
    'Asked Stored Told Which Wanted Said Shown Changed Found Named Given Listed Within Waiting Kept Known Claimed Saying ' +
    'Telling Addressed Counted Made Taken Sent Left Way Who By Place Turn Doer Hearer Deed Wish Where Whose Carried Asker ' +
    'Asking Sought Believed Begun Met Seen MOST KEPT PAGE FIELDS'
  ).split(' '),
);

const VAGUE_FUNCTIONS = new Set(
  'told tell said shown asked hear heard nudge believe letGo putBack giveBack obey'.split(' '),
);

/** Words of texts, with the term to use. */
const WORDS = [
  [/\b(whoever|nobody|somebody)\b/i, 'name the actor, such as a caller, a visitor or a worker'],
  [/\b(tell|tells|told)\b/i, 'say emit, return, report, log or write'],
  [/\b(hears|heard)\b/i, 'say consume or receive'],
  [/\b(nudge|nudges|nudged)\b/i, 'say wake up or notify'],
  [/\bbeside\b/i, 'say next to, with or in addition to'],
  [/\b(anew|can not|in the place of)\b/i, 'use plain English'],
  [/\((contract|decisions?|design|attacks?|faults?) [^)]*\)/i, 'state the rule, or refer to a file in docs'],
];

const DECLARATIONS = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'ClassDeclaration',
  'FunctionDeclaration',
  'VariableDeclarator',
]);

const findNames = (source) =>
  nodesOf(
    source,
    ({ type, id }) =>
      DECLARATIONS.has(type) && id?.type === 'Identifier' && (VAGUE_NAMES.has(id.name) || VAGUE_FUNCTIONS.has(id.name)),
  ).map(({ id: { name, start } }) =>
    finding(source, start, `\`${name}\` does not say what it names; use a noun, or a verb with its object`),
  );

/** Files whose texts are in the language of end users. */
const OWN_LANGUAGE = /^(shared\/labels\/|scripts\/seed\/|scripts\/check\/vocabulary\.mjs$|test\/)/;

const findWords = (source, start, text) =>
  WORDS.flatMap(([pattern, advice]) => {
    const match = pattern.exec(text);
    return match ? [finding(source, start + match.index, `"${match[0]}": ${advice}`)] : [];
  });

/** Returns findings for vague names, and for words in comments that have a plain term. */
export const checkVocabulary = ({ sources }) =>
  sources.flatMap((source) => [
    ...findNames(source),
    ...(OWN_LANGUAGE.test(source.file)
      ? []
      : source.comments.flatMap(({ value, start }) => findWords(source, start, value))),
    ...(OWN_LANGUAGE.test(source.file)
      ? []
      : nodesOf(
          source,
          ({ type, value }) => type === 'Literal' && typeof value === 'string' && value.includes(' '),
        ).flatMap(({ value, start }) => findWords(source, start, value))),
  ]);
