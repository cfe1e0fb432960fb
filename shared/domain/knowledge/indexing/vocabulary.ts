/** The vocabulary of a namespace: the words of its texts, which are used to correct typing errors in questions. */
import { insertMissing } from '../../../database/raw-write.ts';
import { KbWord } from '../../../models/kb-word.ts';
import { fold, UNSPACED_SCRIPT } from '../../../search/fold.ts';
import { deletionKeys } from '../../../search/spelling/deletion-keys.ts';

interface NamespaceKey {
  id_project: string;
  namespace: string;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Omits words with digits, because most of them are names, and very long words, because people do not type them. */
const VOCABULARY_WORD = /^\p{L}{3,24}$/u;
/** Maximum number of similar words that are read for a question. Questions that people write do not reach it. */
const MAX_SIMILAR_WORDS = 2000;

/**
 * Returns the words of texts that belong to a vocabulary. The key of a word is its folded form, without accents; the
 * value is the word as written, in lower case.
 */
const vocabularyWords = (texts: string[]): Map<string, string> => {
  const words = new Map<string, string>();
  const distinct = new Set(texts.flatMap((text) => text.toLowerCase().normalize('NFC').match(WORD) ?? []));
  for (const written of distinct) {
    const folded = fold(written);
    if (!words.has(folded) && VOCABULARY_WORD.test(folded) && !UNSPACED_SCRIPT.test(folded)) words.set(folded, written);
  }
  return words;
};

/**
 * Adds the words of texts to the vocabulary of a namespace. The vocabulary is removed only when all contents of the
 * namespace are deleted, because a word that has disappeared from the texts has little effect.
 */
export const addToVocabulary = async ({ id_project, namespace }: NamespaceKey, texts: string[]): Promise<void> => {
  const words = vocabularyWords(texts);
  if (!words.size) return;
  const idOf = (folded: string) => `${namespace}/${folded}`;
  const stored = await KbWord.find({ id_project, _id: { $in: [...words.keys()].map(idOf) } }, { _id: 1 }).lean();
  const storedIds = new Set(stored.map(({ _id }) => _id));
  const added = [...words]
    .filter(([folded]) => !storedIds.has(idOf(folded)))
    .map(([folded, word]) => ({ _id: idOf(folded), id_project, namespace, word, keys: deletionKeys(folded) }));
  if (added.length) await insertMissing(KbWord, added);
};

/** Returns the words of a namespace that resemble one of the given folded words. Makes one query. */
export const findSimilarWords = async ({ id_project, namespace }: NamespaceKey, words: string[]): Promise<string[]> => {
  if (!words.length) return [];
  const keys = [...new Set(words.flatMap(deletionKeys))];
  const found = await KbWord.find({ id_project, namespace, keys: { $in: keys } }, { word: 1, _id: 0 })
    .limit(MAX_SIMILAR_WORDS)
    .lean();
  return found.map(({ word }) => word);
};

/** Removes the vocabulary of a namespace. */
export const removeVocabulary = async ({ id_project, namespace }: NamespaceKey): Promise<void> => {
  await KbWord.deleteMany({ id_project, namespace });
};
