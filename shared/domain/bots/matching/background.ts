/** Sentences that no bot is asked for, to which messages are compared in addition to the phrases of the bot. */
import { readFileSync } from 'node:fs';
import type { Embedder } from '../../../embedding/types.ts';

const FILE = new URL('./data/background.txt', import.meta.url);

const embedded = new Map<string, Promise<Float32Array[]>>();

const embedSentences = (model: Embedder, project: string): Promise<Float32Array[]> => {
  const sentences = readFileSync(FILE, 'utf8').split('\n').filter(Boolean);
  return model.embed(sentences, { project, priority: true });
};

/**
 * Returns the vectors of the sentences, which are embedded once per process. `project` is the first that needs them.
 */
export const backgroundVectors = (model: Embedder, project: string): Promise<Float32Array[]> => {
  const known = embedded.get(model.name);
  if (known) return known;
  const vectors = embedSentences(model, project);
  embedded.set(model.name, vectors);
  vectors.catch(() => embedded.delete(model.name));
  return vectors;
};
