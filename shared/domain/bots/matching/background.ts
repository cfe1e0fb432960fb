/**
 * Background sentences in several languages, about everyday life and many industries. A message is compared with these
 * sentences as well as with the phrases of the bot. If it is more similar to the sentences than to the phrases, it is
 * assumed to express no intent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Embedder } from '../../../embedding/types.ts';
import { languageCode } from '../../../search/language-code.ts';

const FOLDER = new URL('./data/background/', import.meta.url);

const embedded = new Map<string, Promise<Float32Array[]>>();

/** Returns the names of the files for a language: its own file, or all files if the language has none. */
const filesFor = (language: string): string[] => {
  const files = readdirSync(FOLDER);
  const own = `${languageCode(language)}.txt`;
  return files.includes(own) ? [own] : files;
};

const embedFiles = async (files: string[], model: Embedder, project: string): Promise<Float32Array[]> => {
  const texts = files.map((file) => readFileSync(new URL(file, FOLDER), 'utf8'));
  const sentences = texts.flatMap((text) => text.split('\n')).filter(Boolean);
  return await model.embed(sentences, { project, priority: true });
};

/**
 * Returns the vectors of the background sentences for a language. Each process embeds the sentences once, as texts of
 * the `project` of the first call.
 */
export const backgroundVectors = (model: Embedder, language: string, project: string): Promise<Float32Array[]> => {
  const files = filesFor(language);
  const key = [model.name, ...files].join(' ');
  const known = embedded.get(key);
  if (known) return known;
  const vectors = embedFiles(files, model, project);
  embedded.set(key, vectors);
  vectors.catch(() => embedded.delete(key));
  return vectors;
};
