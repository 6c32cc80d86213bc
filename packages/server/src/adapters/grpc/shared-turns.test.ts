import { describe, expect, it } from 'vitest';
import { SharedTurns } from './shared-turns.js';

/** Turns on a clock that moves with each slice. */
class Fixture {
  now = 0;
  readonly done: string[] = [];
  readonly #turns: (() => void)[] = [];
  readonly #shared = new SharedTurns({
    nowMs: () => this.now,
    nextTurn: (callback) => void this.#turns.push(callback),
  });

  /** A peer with so many slices to be done. */
  peer(name: string, slices: number, sliceMs: number): void {
    this.#shared.add(() => {
      this.done.push(name);
      this.now += sliceMs;
      if (slices > 1) this.peer(name, slices - 1, sliceMs);
    });
  }

  /** @returns what was done in the next turn */
  turn(): string {
    const before = this.done.length;
    this.#turns.shift()?.();
    return this.done.slice(before).join('');
  }

  get turnsAsked(): number {
    return this.#turns.length;
  }
}

describe('SharedTurns', () => {
  it('gives all peers together some time of each turn, in rotation', () => {
    const fixture = new Fixture();
    for (const name of ['a', 'b', 'c']) fixture.peer(name, 3, 1);
    expect([fixture.turn(), fixture.turn(), fixture.turn(), fixture.turn(), fixture.turn()]).toEqual([
      'ab',
      'ca',
      'bc',
      'ab',
      'c',
    ]);
    expect(fixture.turnsAsked).toBe(0);
  });

  it('does one slice at least, and goes on in the same turn while there is time', () => {
    const fixture = new Fixture();
    fixture.peer('slow', 2, 50);
    expect([fixture.turn(), fixture.turn()]).toEqual(['slow', 'slow']);
    fixture.peer('x', 20, 0);
    expect(fixture.turnsAsked).toBe(1);
    expect(fixture.turn()).toBe('x'.repeat(20));
    expect(fixture.turnsAsked).toBe(0);
  });
});
