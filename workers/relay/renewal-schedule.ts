/**
 * Decides when the relay renews its lease: before the lease ends while another process waits for it or while there are
 * writes to relay; otherwise every five seconds, although the lease ends earlier. A renewal is a write, which MongoDB
 * copies to its log and shows to the change stream; it therefore costs an idle system more than any other command.
 */

/** The interval of renewals: less than half of the lease, so that one late renewal does not lose the lease. */
export const LEASE_RENEW_MS = 800;
const QUIET_RENEW_MS = 5000;
/** The relay is quiet if for this time it has relayed no write, and no other process has waited for the lease. */
const QUIET_AFTER_MS = 10_000;
/**
 * A renewal may be this much early: a timer may fire early by less than this time, and the next check would be late.
 */
const TIMER_TOLERANCE_MS = 400;

/**
 * Creates the schedule of a lease that has just been acquired. `now` returns the time in milliseconds; default: the
 * monotonic clock.
 */
export const createRenewalSchedule = (now = () => performance.now()) => {
  let busyAtMs = now();
  let renewedAtMs = busyAtMs;
  const markBusy = (): void => void (busyAtMs = now());
  return {
    /** Must be called when writes were relayed. */
    markBusy,
    /** Must be called after each renewal. */
    markRenewed: ({ isContested }: { isContested: boolean }): void => {
      renewedAtMs = now();
      if (isContested) markBusy();
    },
    /** Returns whether the lease must be renewed now. Must be called every `LEASE_RENEW_MS`. */
    isDue: (): boolean =>
      now() - busyAtMs < QUIET_AFTER_MS || now() - renewedAtMs > QUIET_RENEW_MS - TIMER_TOLERANCE_MS,
  };
};
