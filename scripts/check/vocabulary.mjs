/** Checks that names and texts contain no words that this code base avoids. docs/contributing.md lists the rules. */
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

/** Words that texts must not contain, each with the advice for the author. */
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

/**
 * Files whose texts are not checked: tests, files with texts that end users read or write, and this file, which lists
 * the words.
 */
const EXEMPT_FILES =
  /^(shared\/labels\/|shared\/domain\/knowledge\/retrieval\/question-words\.ts$|shared\/domain\/bots\/matching\/\w+-glosses\.ts$|scripts\/seed\/|scripts\/check\/vocabulary\.mjs$|test\/)/;

/** Returns the text of a string literal or of a part of a template literal; undefined for other nodes. */
const textOf = ({ type, value }) => {
  if (type === 'TemplateElement') return value.raw;
  return type === 'Literal' && typeof value === 'string' ? value : undefined;
};

/** Returns the comments of a source, and its literals of more than one word. */
const textsOf = (source) => [
  ...source.comments.map(({ value, start }) => ({ text: value, start })),
  ...nodesOf(source, (node) => textOf(node)?.includes(' ')).map((node) => ({ text: textOf(node), start: node.start })),
];

const findWords = (source) =>
  textsOf(source).flatMap(({ text, start }) =>
    WORDS.flatMap(([pattern, advice]) => {
      const match = pattern.exec(text);
      return match ? [finding(source, start + match.index, `"${match[0]}": ${advice}`)] : [];
    }),
  );

/** Returns findings for vague names, and for avoided words in comments and literals. */
export const checkVocabulary = ({ sources }) =>
  sources.flatMap((source) => [...findNames(source), ...(EXEMPT_FILES.test(source.file) ? [] : findWords(source))]);
