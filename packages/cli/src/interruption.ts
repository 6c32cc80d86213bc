// Ctrl-C and SIGTERM of commands that run until they are told to end.

/** Aborted by the first SIGINT or SIGTERM; the second ends the process at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
