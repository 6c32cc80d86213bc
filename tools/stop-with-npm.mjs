// npm passes SIGTERM on to the shell that it runs a script in, and some shells (dash) end without passing it further: the
// program would go on without anybody knowing. So a program under npm that loses its parent tells itself to stop.

const lookMs = 250;

/** Under npm, sends this process SIGTERM once its parent is gone. */
export function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookMs);
  timer.unref();
}
