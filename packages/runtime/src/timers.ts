// The timer port: calls back after a delay, once or again and again. The real one is in `system/`, the manual one in `testing/`.

/** A timer that can be called off. */
export interface TimerHandle {
  /** The callback does not run any more. Calling it again, or after the callback ran, does nothing. */
  cancel(): void;
}

/** Starts timers. */
export interface Timers {
  /**
   * Calls back once.
   *
   * @param delayMs - at least 0; longer than about 24 days counts as that, so callers look at their clock again
   */
  once(delayMs: number, callback: () => void): TimerHandle;
  /** Calls back every `intervalMs` (at least 1) until cancelled. */
  every(intervalMs: number, callback: () => void): TimerHandle;
}
