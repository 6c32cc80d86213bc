// Which services a fuzzy watch of 3.x means: `namespace>>groupPattern>>servicePattern`.
// Source: contract 10.10. `.*`, which the Java client makes of "all in a group", is read as `*`.

/** A pattern that has been understood. */
export interface WatchPattern {
  readonly namespace: string;
  /** Whether a service of the namespace is meant. */
  matches(group: string, name: string): boolean;
}

/** Reads a pattern. One without its three parts matches nothing, as on 3.0.3. */
export function watchPatternOf(text: string): WatchPattern {
  const parts = text.split('>>');
  const [namespace = '', group, service] = parts;
  if (parts.length !== 3 || group === undefined || service === undefined)
    return { namespace: text, matches: () => false };
  const matchesGroup = partMatcher(group);
  const matchesService = partMatcher(service);
  return { namespace, matches: (groupName, name) => matchesGroup(groupName) && matchesService(name) };
}

function partMatcher(part: string): (text: string) => boolean {
  if (part === '*' || part === '.*') return () => true;
  const core = part.replace(/^\*|\*$/g, '');
  const [open, close] = [part.startsWith('*'), part.length > 1 && part.endsWith('*')];
  if (open && close) return (text) => text.includes(core);
  if (open) return (text) => text.endsWith(core);
  if (close) return (text) => text.startsWith(core);
  return (text) => text === part;
}
