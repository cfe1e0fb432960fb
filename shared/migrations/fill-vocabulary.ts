/** The migration that fills the vocabularies (the words in the texts) of existing namespaces, and its reverse. */
import { embeddedText } from '../domain/knowledge/indexing/chunks.ts';
import { findNamespacesWithChunks } from '../domain/knowledge/indexing/index-registry.ts';
import { addToVocabulary } from '../domain/knowledge/indexing/vocabulary.ts';
import { KbChunk } from '../models/kb-chunk.ts';
import { KbWord } from '../models/kb-word.ts';

const CHUNKS_PER_BATCH = 500;

/** Adds the words of all stored chunks to the vocabularies of their namespaces. A rerun adds only missing words. */
export const fillVocabulary = async (): Promise<void> => {
  for (const { id_project, id: namespace } of await findNamespacesWithChunks()) {
    const cursor = KbChunk.find({ id_project, namespace }, { headings: 1, text: 1 })
      .lean()
      .cursor({ batchSize: CHUNKS_PER_BATCH });
    let texts: string[] = [];
    for await (const chunk of cursor) {
      texts.push(embeddedText(chunk));
      if (texts.length < CHUNKS_PER_BATCH) continue;
      await addToVocabulary({ id_project, namespace }, texts);
      texts = [];
    }
    await addToVocabulary({ id_project, namespace }, texts);
  }
};

/** Removes all vocabularies. */
export const removeVocabularies = async (): Promise<void> => {
  await KbWord.deleteMany({}).setOptions({ anyProject: true });
};
