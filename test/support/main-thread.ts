/**
 * Measures the share of this process's CPU time during `work` that its main thread uses (0 to 1). The share of
 * work that blocks the event loop is near 1, and that of work in other threads is near 0, however slow the machine is.
 */
export const mainThreadShare = async <T>(work: () => Promise<T>): Promise<{ share: number; result: T }> => {
  const [processBefore, threadBefore] = [process.cpuUsage(), process.threadCpuUsage()];
  const result = await work();
  const all = process.cpuUsage(processBefore);
  const main = process.threadCpuUsage(threadBefore);
  return { share: (main.user + main.system) / (all.user + all.system), result };
};
