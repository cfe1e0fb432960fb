/**
 * Divides the event loop between projects. In one turn of the loop, at most about 64 KB of a project's replies are
 * converted to JSON; the others wait for later turns. A project with many large replies thus delays the replies of
 * other projects by one reply at a time.
 */

/** More than one reply, so that small ones share a turn: a turn of the loop takes longer than converting them. */
const CHARACTERS_PER_TURN = 65_536;

/** The characters that each project has converted in this turn. */
const usedInTurn = new Map<string, number>();
/** The replies of each project that wait for a turn, oldest first. */
const waiting = new Map<string, (() => void)[]>();

const scheduleTurn = (): void => {
  if (usedInTurn.size + waiting.size === 0) setImmediate(startTurn);
};

/** Lets the longest waiting reply of each project continue. */
const startTurn = (): void => {
  usedInTurn.clear();
  for (const [project, replies] of waiting) {
    usedInTurn.set(project, 0);
    replies.shift()?.();
    if (!replies.length) waiting.delete(project);
  }
  if (usedInTurn.size) setImmediate(startTurn);
};

const waitForTurn = (project: string): Promise<void> =>
  new Promise((resolve) => {
    const replies = waiting.get(project);
    if (replies) replies.push(resolve);
    else waiting.set(project, [resolve]);
  });

/** Converts a reply of the project to JSON, in this turn of the loop or in a later one. */
export const convertInTurn = async (project: string, convert: () => string): Promise<string> => {
  if (waiting.has(project) || (usedInTurn.get(project) ?? 0) >= CHARACTERS_PER_TURN) await waitForTurn(project);
  const text = convert();
  scheduleTurn();
  usedInTurn.set(project, (usedInTurn.get(project) ?? 0) + text.length);
  return text;
};
