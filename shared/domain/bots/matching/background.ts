/**
 * Sentences from everyday life and other industries, which no bot is about, in several languages. Messages are compared
 * with them in addition to the phrases of the bot.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Embedder } from '../../../embedding/types.ts';
import { languageCode } from './words.ts';

const FOLDER = new URL('./data/background/', import.meta.url);

const embedded = new Map<string, Promise<Float32Array[]>>();

/** The names of the files for a language: its own one, or all if it has none. */
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
 * Returns the vectors of the sentences for a language, which are embedded once per process. `project` is the first that
 * needs them.
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
