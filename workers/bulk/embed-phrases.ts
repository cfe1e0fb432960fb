import { config } from '#shared/config.ts';
import { embedMissingPhrases } from '#shared/domain/bots/matching/phrase-vectors.ts';
import { intentEmbedder } from '#shared/embedding/embedder.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { shutdownSignal } from '../shutdown.ts';

const TIME_SLICE_MS = config.JOB_TIME_SLICE_SECONDS * 1000;

/** Embeds a bot's new training phrases for one time slice. If any remain, enqueues itself again behind other jobs. */
const embedPhrasesJob: Processor<'bulk.embed-phrases'> = async (bot) => {
  const end = performance.now() + TIME_SLICE_MS;
  const isTimeUp = () => performance.now() >= end || shutdownSignal.aborted;
  if (await embedMissingPhrases(bot, intentEmbedder, isTimeUp)) await enqueue('bulk.embed-phrases', bot);
};
export default embedPhrasesJob;
