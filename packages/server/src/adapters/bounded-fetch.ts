// The answer of another HTTP server to a plain question, within bounds of time and size.

/** Bounds of one question. */
export interface FetchBounds {
  /** Longest body, characters. */
  readonly charactersMax: number;
  /** Longest wait for the whole answer. */
  readonly waitMs: number;
}

/** The body of a good answer. Rejects with an Error that says what was found; its `cause` is that of the network, if any */
export async function boundedText(url: string, { charactersMax, waitMs }: FetchBounds): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(waitMs) }).catch(sayWhy);
  if (!response.ok) throw new Error(`found status ${response.status}, allowed is 200`);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > charactersMax) throw new Error(`found more than ${charactersMax} characters`);
  }
  return text;
}

// What `fetch` itself says is "fetch failed", whatever happened.
function sayWhy(error: Error & { readonly cause?: NodeJS.ErrnoException }): never {
  const { cause } = error;
  throw cause === undefined ? error : new Error(cause.message || cause.code || error.message, { cause });
}
