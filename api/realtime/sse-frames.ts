/** The frames of `GET /v3/:project_id/stream`: the changes of a project as server-sent events. */
import { GapError, headCursor, type ChangesScope } from '#shared/domain/events/read-changes.ts';
import { refreshCursor } from '#shared/domain/events/cursors.ts';
import type { SerializedChange } from '#shared/domain/events/feed-buffer.ts';
import { streamChanges } from '#shared/domain/events/stream-changes.ts';
import { AppError } from '#shared/errors.ts';
import { changeScope } from '../changes/scope.ts';
import type { Actor } from '../http/auth/authenticate.ts';

/** Reconnection delay that the stream suggests to its clients. */
const CLIENT_RETRY_MS = 1000;

const changeFrame = ({ cursor, event, text }: SerializedChange): string =>
  `id: ${cursor}\nevent: ${event}\ndata: ${text}\n\n`;

/** Returns a frame without an event, which keeps an idle connection open and updates the client's cursor. */
const heartbeatFrame = (cursor: string): string => `: \nid: ${cursor}\n\n`;

const gapFrame = ({ next }: GapError): string => `id: ${next}\nevent: gap\ndata: ${JSON.stringify({ next })}\n\n`;

type ActorLookup = () => Promise<Actor>;

/** Whether the caller still has the same access: to the project or, as a visitor, to the visitor's conversations. */
const isStillPermitted = async ({ project, visitor }: ChangesScope, reauthorize: ActorLookup): Promise<boolean> => {
  try {
    return changeScope(await reauthorize(), project).visitor === visitor;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
};

async function* changeFrames(
  scope: ChangesScope,
  after: string,
  { signal, reauthorize }: { signal: AbortSignal; reauthorize: ActorLookup },
): AsyncGenerator<string> {
  let cursor = after;
  let retryLine = `retry: ${CLIENT_RETRY_MS}\n`;
  for await (const batch of streamChanges(scope, after, signal)) {
    if (!(await isStillPermitted(scope, reauthorize))) return;
    cursor = refreshCursor(batch.at(-1)?.cursor ?? cursor);
    yield retryLine + (batch.map(changeFrame).join('') || heartbeatFrame(cursor));
    retryLine = '';
  }
}

/**
 * Yields the frames of all changes after a cursor, by default after the current end of the log. The stream ends when
 * the caller loses access, which is checked before each batch of changes, or at a gap in the log, where changes may be
 * missing; the last frame then reports the gap. Throws `GapError` if the cursor is too old, or if a gap follows the
 * cursor before the first frame.
 */
export async function* sseFrames(
  { actor, project, after }: { actor: Actor; project: string; after?: string },
  options: { signal: AbortSignal; reauthorize: ActorLookup },
): AsyncGenerator<string> {
  const scope = changeScope(actor, project);
  let hasStarted = false;
  try {
    for await (const frames of changeFrames(scope, after ?? (await headCursor(scope)), options)) {
      yield frames;
      hasStarted = true;
    }
  } catch (error) {
    if (!(error instanceof GapError) || !hasStarted) throw error;
    yield gapFrame(error);
  }
}
