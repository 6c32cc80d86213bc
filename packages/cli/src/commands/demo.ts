// `rollcall demo`

import { DemoStory } from '../demo/demo-story.js';
import { interruption } from '../interruption.js';
import { type Language, localeLanguage } from '../language.js';
import type { Terminal } from '../terminal.js';

/** Plays the demo: real processes, a crash, a freeze, a clean exit, and where the time went. */
export async function demo({ lang }: { readonly lang?: Language }, terminal: Terminal): Promise<void> {
  const signal = interruption();
  const story = new DemoStory(terminal, lang ?? localeLanguage());
  try {
    await story.play(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await story.end();
  }
}
