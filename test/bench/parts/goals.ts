/** Prints measured figures as rows of a table, and expects that each reaches its goal. */
import { loadavg } from 'node:os';
import { expect } from 'chai';

/** The smallest or the largest value that is allowed. */
export type Goal = { atLeast: number } | { atMost: number };

interface Figure {
  what: string;
  /** The measured value as text, or the state in which the system was measured, such as `idle`. */
  ours: string;
  /** The value of the reference in the same run, as text. */
  reference?: string;
  /** The figure that is compared with the goal. */
  value: number;
  unit?: string;
  goal: Goal;
}

/** Prints a figure with its goal and the load of the machine. Throws if the goal is not met. */
export const expectGoal = ({ what, ours, reference = '', value, unit = '', goal }: Figure): void => {
  const [isMet, limit] =
    'atLeast' in goal ? [value >= goal.atLeast, `≥ ${goal.atLeast}`] : [value <= goal.atMost, `≤ ${goal.atMost}`];
  const cells = [what, ours, reference, `${value.toFixed(2)}${unit}`, `${limit}${unit}`, isMet ? 'met' : 'not met'];
  console.log(`      | ${cells.join(' | ')} | load ${loadavg()[0]?.toFixed(1)} |`);
  expect(isMet, `${what}: ${value.toFixed(2)}${unit}, goal ${limit}${unit}`).to.equal(true);
};
