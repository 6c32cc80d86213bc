// Numeric instance ids: always the smallest number that is free (the "snowflake" generator of Nacos 1.4.8 does that).

/** Numbers in use, in decimal text. */
export class NumericIds {
  readonly #taken = new Set<string>();
  /** No number below it is free. */
  #lowestFree = 0;

  /** Takes the smallest free number. */
  take(): string {
    while (this.#taken.has(String(this.#lowestFree))) this.#lowestFree += 1;
    const id = String(this.#lowestFree);
    this.#taken.add(id);
    return id;
  }

  /** Marks a number as in use that was given before a restart. */
  reserve(id: string): void {
    this.#taken.add(id);
  }

  /** Frees a number. */
  giveBack(id: string): void {
    if (this.#taken.delete(id)) this.#lowestFree = Math.min(this.#lowestFree, Number(id));
  }
}
