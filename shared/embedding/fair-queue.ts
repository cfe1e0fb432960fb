/**
 * Determines the order of embedding. Texts wait in one queue per project, and the projects take turns, one text each,
 * so that ten pages of twenty chunks do not delay another project's single page. Texts with `priority`, such as
 * questions whose answers people are waiting for, share one queue for all projects, which is emptied first.
 */

/** The texts of one call; `takenCount` of them are being embedded or are done. */
export interface EmbedRequest {
  project: string;
  priority: boolean;
  texts: string[];
  takenCount: number;
}

/** Maximum number of texts and of characters in a batch. */
export interface BatchLimits {
  texts: number;
  chars: number;
}

/** One text of a request, by its index. */
export interface QueuedText<R extends EmbedRequest> {
  request: R;
  index: number;
}

const queueKey = (request: EmbedRequest) => (request.priority ? 'questions' : `project ${request.project}`);

/** The waiting requests of all projects. */
export class FairQueue<R extends EmbedRequest> {
  /** The order of the keys is the order in which the queues take turns. */
  #queues = new Map<string, R[]>();

  /** Adds a request to the end of its queue. */
  add(request: R) {
    const queue = this.#queues.get(queueKey(request));
    if (queue) queue.push(request);
    else this.#queues.set(queueKey(request), [request]);
  }

  /** Removes a request and its waiting texts. */
  remove(request: R) {
    const queue = this.#queues.get(queueKey(request))?.filter((other) => other !== request) ?? [];
    if (queue.length > 0) this.#queues.set(queueKey(request), queue);
    else this.#queues.delete(queueKey(request));
  }

  /** Takes the next texts within the limits, at least one if any is waiting. */
  take(limits: BatchLimits): QueuedText<R>[] {
    const entries: QueuedText<R>[] = [];
    let charsLeft = limits.chars;
    while (entries.length < limits.texts) {
      const key = this.#queues.has('questions') ? 'questions' : this.#queues.keys().next().value;
      const request = key === undefined ? undefined : this.#queues.get(key)?.[0];
      if (key === undefined || !request) break;
      charsLeft -= request.texts[request.takenCount]?.length ?? 0;
      if (charsLeft < 0 && entries.length > 0) break;
      entries.push({ request, index: request.takenCount++ });
      this.#rotate(key, request);
    }
    return entries;
  }

  #rotate(key: string, request: R) {
    const queue = this.#queues.get(key) ?? [];
    if (request.takenCount === request.texts.length) queue.shift();
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
  }
}
