/** The types and helper functions of the checks that the `doctor` command runs. */

/** A service that a check needs. */
export type Service = 'mongodb' | 'redis' | 'vectors';

/** A problem that a check has found. */
export interface Finding {
  /**
   * `error`: work has stopped or data is lost. `warning`: this may happen later, or an administrator should know about
   * the problem.
   */
  level: 'error' | 'warning';
  problem: string;
  /** The command or the change that solves the problem. */
  advice: string;
}

/** A check of one part of the installation. */
export interface Check {
  name: string;
  needs: Service[];
  /** Whether the check reads whole collections or storages; such a check runs only on request. */
  isSlow?: boolean;
  run(): Promise<Finding[]>;
}

/** Returns a finding with the level `error`. */
export const error = (problem: string, advice: string): Finding => ({ level: 'error', problem, advice });

/** Returns a finding with the level `warning`. */
export const warning = (problem: string, advice: string): Finding => ({ level: 'warning', problem, advice });

/** Formats a duration in seconds, minutes or hours. */
export const formatSeconds = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
};
