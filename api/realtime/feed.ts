/** A project's changes as server-sent events. */
import { GapError, present, type Scope } from '#shared/domain/events/changes.ts';
import { refreshed } from '#shared/domain/events/cursors.ts';
import { follow } from '#shared/domain/events/following.ts';
import type { Followed } from '#shared/domain/events/tail.ts';
import { AppError } from '#shared/errors.ts';
import { scopeOf } from '../changes/scope.ts';
import type { Actor } from '../http/actor.ts';

/** Milliseconds after which a client that was cut off comes back. */
const RETRY_MS = 1000;

const frameOf = ({ cursor, event, text }: Followed): string => `id: ${cursor}\nevent: ${event}\ndata: ${text}\n\n`;

/** Tells a silent line that it lives, and its client the cursor, which no event brings. */
const beat = (cursor: string): string => `: \nid: ${cursor}\n\n`;

const gapFrame = ({ next }: GapError): string => `id: ${next}\nevent: gap\ndata: ${JSON.stringify({ next })}\n\n`;

type Admitted = () => Promise<Actor>;

/** May they still see what they were let in for? */
const holds = async ({ project, visitor }: Scope, admitted: Admitted): Promise<boolean> => {
  try {
    return scopeOf(await admitted(), project).visitor === visitor;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
};

async function* framesOf(
  scope: Scope,
  after: string,
  { signal, admitted }: { signal: AbortSignal; admitted: Admitted },
): AsyncGenerator<string> {
  let cursor = after;
  let head = `retry: ${RETRY_MS}\n`;
  for await (const batch of follow(scope, after, signal)) {
    if (!(await holds(scope, admitted))) return;
    cursor = refreshed(batch.at(-1)?.cursor ?? cursor);
    yield head + (batch.map(frameOf).join('') || beat(cursor));
    head = '';
  }
}

/** Everything that happens after a cursor, or from now on; ends with the access, which is checked before each frame, and after a gap. */
export async function* feed(
  { actor, project, after }: { actor: Actor; project: string; after?: string },
  until: { signal: AbortSignal; admitted: Admitted },
): AsyncGenerator<string> {
  const scope = scopeOf(actor, project);
  let begun = false;
  try {
    for await (const frames of framesOf(scope, after ?? (await present(scope)), until)) {
      yield frames;
      begun = true;
    }
  } catch (error) {
    if (!(error instanceof GapError) || !begun) throw error;
    yield gapFrame(error);
  }
}
