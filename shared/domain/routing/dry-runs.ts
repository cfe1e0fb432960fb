/** Dry runs as they are told: whom the next arrivals in a department would be given to, if nothing else happened. */
import * as departments from '../team/departments.ts';
import type { Decision } from './decisions.ts';
import { simulate } from './simulate.ts';

/** Teammates told of in one answer, over all its arrivals. */
const MOST = 10_000;

/** As much of a decision as concerns one who has not arrived. */
const told = ({ outcome, chosen, group, considered, others }: Decision, most: number) => ({
  ...{ outcome, chosen, group },
  considered: considered.slice(0, most),
  others: others + Math.max(0, considered.length - most),
});

/** What would become of so many arrivals, one after the other; 404 for an unknown department. */
export const run = async (id_project: string, which: string, asked: { requests: number; nobot: boolean }) => {
  const { _id } = await departments.read(id_project, which, { whole: false });
  const decisions = await simulate(id_project, String(_id), asked);
  const most = Math.max(1, Math.floor(MOST / asked.requests));
  return { department: String(_id), arrivals: decisions.map((decision) => told(decision, most)) };
};
