/**
 * Embeds one text with a local model whose thread ends after one idle second. Reports the memory of this process
 * before the embedding, with the model loaded, and after the thread has ended. The process releases unused memory as
 * idle API processes and workers do (`releaseMemory`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '#shared/config.ts';
import { localEmbedder } from '#shared/embedding/local-embedder.ts';
import { releaseMemory } from '#shared/heap-memory.ts';

const IDLE_MS = 1000;
const MAX_WAIT_MS = 5000;

const residentMb = (): number => process.memoryUsage.rss() / 1_000_000;

const embedder = localEmbedder(config.EMBEDDING_MODEL_FILE as string, { idleMs: IDLE_MS });
releaseMemory();
const before = residentMb();
await embedder.embed(['How do I reset my password?'], { project: 'bench' });
const loaded = residentMb();
await sleep(IDLE_MS + MAX_WAIT_MS);
releaseMemory();
process.send?.({ before, loaded, unloaded: residentMb() });
