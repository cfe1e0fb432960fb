/** Being told to stop: by a signal, or by the end of the npm that started us, which does not pass SIGTERM on. */

const WATCH = 500;

/** Call `stop(signal)` whenever this process is told to stop. */
export function onStop(stop) {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stop(name));
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    stop('SIGTERM');
  }, WATCH);
  watching.unref();
}
