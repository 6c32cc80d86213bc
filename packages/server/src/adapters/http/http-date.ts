// The `Date` header, made once per second (RFC 9110 section 6.6.1).

/** The text of the current second. */
export class HttpDate {
  #second = Number.NaN;
  #text = '';

  /** IMF-fixdate of a point in time. @param wallMs - epoch ms */
  at(wallMs: number): string {
    const second = Math.floor(wallMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(second * 1000).toUTCString();
    }
    return this.#text;
  }
}
