/**
 * Decides when the relay renews its lease: before the lease ends while another process waits for it or while there are
 * writes to relay; otherwise every five seconds, although the lease ends earlier. A renewal is a write, which MongoDB
 * copies to its log and delivers to the change stream, so it costs an idle system more than any other command.
 */

/** The interval of renewals: less than half of the lease, so that one late renewal does not lose the lease. */
export const LEASE_RENEW_MS = 800;
const QUIET_RENEW_MS = 5000;
/** The relay is quiet if it has relayed no write, and no other process has waited for the lease, for this long. */
const QUIET_AFTER_MS = 10_000;
/** Half of the interval of the checks (see `isDue`): a renewal falls on the check that is closest to its time. */
const CHECK_TOLERANCE_MS = LEASE_RENEW_MS / 2;

/**
 * Creates the schedule of a lease that has just been acquired. `now` returns the time in milliseconds; default: the
 * monotonic clock.
 */
export const createRenewalSchedule = (now = () => performance.now()) => {
  let busyAtMs = now();
  let renewedAtMs = busyAtMs;
  const markBusy = (): void => void (busyAtMs = now());
  return {
    /** Must be called after writes have been relayed. */
    markBusy,
    /** Must be called after each renewal. */
    markRenewed: ({ isContested }: { isContested: boolean }): void => {
      renewedAtMs = now();
      if (isContested) markBusy();
    },
    /** Returns whether the lease must be renewed now. Must be called every `LEASE_RENEW_MS`. */
    isDue: (): boolean =>
      now() - busyAtMs < QUIET_AFTER_MS || now() - renewedAtMs > QUIET_RENEW_MS - CHECK_TOLERANCE_MS,
  };
};
