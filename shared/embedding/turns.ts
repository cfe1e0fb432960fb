/**
 * Who is embedded next. Texts wait in a lane per project, and the projects take turns, one text each: ten pages of
 * twenty chunks do not stand in front of a neighbour's single page. Questions have a lane of their own that goes first.
 */

/** The texts of one call; `taken` of them are being embedded or are done. */
export interface Ask {
  project: string;
  priority: boolean;
  texts: string[];
  taken: number;
}

/** How much one take may hold. */
export interface TakeLimits {
  texts: number;
  chars: number;
}

/** One text of an ask, by its place. */
export interface Turn<A extends Ask> {
  ask: A;
  index: number;
}

const laneOf = (ask: Ask) => (ask.priority ? 'questions' : `project ${ask.project}`);

/** The waiting asks of all projects. */
export class Turns<A extends Ask> {
  /** The order of the keys is the order of the turns. */
  #lanes = new Map<string, A[]>();

  /** Queue an ask at the end of its lane. */
  add(ask: A) {
    const lane = this.#lanes.get(laneOf(ask));
    if (lane) lane.push(ask);
    else this.#lanes.set(laneOf(ask), [ask]);
  }

  /** Forget the texts of an ask that nobody waits for any more. */
  remove(ask: A) {
    const lane = this.#lanes.get(laneOf(ask))?.filter((other) => other !== ask) ?? [];
    if (lane.length > 0) this.#lanes.set(laneOf(ask), lane);
    else this.#lanes.delete(laneOf(ask));
  }

  /** The next texts within the limits, one at least while any waits. */
  take(limits: TakeLimits): Turn<A>[] {
    const turns: Turn<A>[] = [];
    let room = limits.chars;
    while (turns.length < limits.texts) {
      const key = this.#lanes.has('questions') ? 'questions' : this.#lanes.keys().next().value;
      const ask = key === undefined ? undefined : this.#lanes.get(key)?.[0];
      if (key === undefined || !ask) break;
      room -= ask.texts[ask.taken]?.length ?? 0;
      if (room < 0 && turns.length > 0) break;
      turns.push({ ask, index: ask.taken++ });
      this.#endTurn(key, ask);
    }
    return turns;
  }

  #endTurn(key: string, ask: A) {
    const lane = this.#lanes.get(key) ?? [];
    if (ask.taken === ask.texts.length) lane.shift();
    this.#lanes.delete(key);
    if (lane.length > 0) this.#lanes.set(key, lane);
  }
}
