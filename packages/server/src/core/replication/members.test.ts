import type { Instant } from '@rollcall/runtime/time';
import { describe, expect, it } from 'vitest';
import type { Member } from './member.js';
import { Members } from './members.js';
import { DEFAULT_REPLICATION_SETTINGS } from './replication-settings.js';

const [self, second, third, fourth] = ['10.9.0.1:8848', '10.9.0.2:8848', '10.9.0.3:8848', '10.9.0.4:8848'] as const;

/** Members on a time that tests move. */
class Fixture {
  readonly members = new Members(self, DEFAULT_REPLICATION_SETTINGS);
  now = 0 as Instant;

  constructor(nodes: readonly string[]) {
    this.members.replace([self, ...nodes], this.now);
  }

  at(node: string): Member {
    return this.members.get(node) as Member;
  }

  /** Some members are heard each second for some time. */
  hear(nodes: readonly string[], seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.now = (this.now + 1000) as Instant;
      for (const node of nodes) {
        this.at(node).run = 'r';
        this.members.heard(this.at(node), this.now);
      }
      this.members.judge(this.now);
    }
  }

  reaches(): string[] {
    return [...this.members.all()].map(({ reach }) => reach);
  }
}

describe('a member', () => {
  it('is SUSPICIOUS after 3 s of silence and DOWN after 7', () => {
    const fixture = new Fixture([second, third]);
    fixture.hear([second, third], 1);
    fixture.hear([third], 2);
    expect(fixture.reaches()).toEqual(['UP', 'UP']);
    fixture.hear([third], 1);
    expect(fixture.reaches()).toEqual(['SUSPICIOUS', 'UP']);
    fixture.hear([third], 3);
    expect(fixture.reaches()).toEqual(['SUSPICIOUS', 'UP']);
    fixture.hear([third], 1);
    expect(fixture.reaches()).toEqual(['DOWN', 'UP']);
  });

  it('is not DOWN while another one hears it', () => {
    const fixture = new Fixture([second, third]);
    fixture.hear([second, third], 1);
    for (let step = 0; step < 20; step += 1) {
      const report = { node: second, state: 'UP', silentMs: 500, epoch: 1, run: 'r' } as const;
      fixture.at(third).reports = new Map([[second, report]]);
      fixture.at(third).reportedAt = fixture.now;
      fixture.hear([third], 1);
    }
    expect(fixture.reaches()).toEqual(['SUSPICIOUS', 'UP']);
    fixture.hear([third], 3);
    expect(fixture.reaches()).toEqual(['DOWN', 'UP']);
  });

  it('is given twice the time by who hears fewer than half of the others', () => {
    const fixture = new Fixture([second, third, fourth]);
    fixture.hear([second, third, fourth], 1);
    fixture.hear([], 13);
    expect(fixture.reaches()).toEqual(['SUSPICIOUS', 'SUSPICIOUS', 'SUSPICIOUS']);
    fixture.hear([], 1);
    expect(fixture.reaches()).toEqual(['DOWN', 'DOWN', 'DOWN']);
  });

  it('that refuses two connections in a row is DOWN until it is heard', () => {
    const fixture = new Fixture([second, third]);
    fixture.hear([second, third], 1);
    fixture.at(second).refusals = 2;
    expect(fixture.members.judge(fixture.now).map(({ member, before }) => [member.node, before])).toEqual([
      [second, 'UP'],
    ]);
    fixture.hear([second, third], 1);
    expect(fixture.reaches()).toEqual(['UP', 'UP']);
  });

  it('owns services from the start, and 10 s after it has come back', () => {
    const fixture = new Fixture([second]);
    fixture.hear([second], 1);
    expect(fixture.members.mapped).toEqual([self, second]);
    fixture.hear([], 20);
    expect(fixture.members.mapped).toEqual([self]);
    fixture.hear([second], 10);
    expect(fixture.members.mapped).toEqual([self]);
    fixture.hear([second], 1);
    expect(fixture.members.mapped).toEqual([self, second]);
  });

  it('that was waited for in vain at the start owns services as soon as it is there', () => {
    const fixture = new Fixture([second]);
    fixture.hear([], 20);
    expect(fixture.members.mapped).toEqual([self]);
    fixture.hear([second], 1);
    expect(fixture.members.mapped).toEqual([self, second]);
  });

  it('that was dialled before it listened owns services as soon as it is there', () => {
    const fixture = new Fixture([second]);
    fixture.at(second).refusals = 2;
    fixture.hear([], 1);
    expect([fixture.reaches(), fixture.members.mapped]).toEqual([['DOWN'], [self]]);
    fixture.hear([second], 1);
    expect([fixture.reaches(), fixture.members.mapped]).toEqual([['UP'], [self, second]]);
  });

  it('loses nothing by a pause of this process', () => {
    const fixture = new Fixture([second, third]);
    fixture.hear([second, third], 1);
    fixture.now = (fixture.now + 25_000) as Instant;
    fixture.members.shift(25_000);
    expect(fixture.members.judge(fixture.now)).toEqual([]);
    expect(fixture.at(second).realSilenceMs(fixture.now)).toBe(25_000);
    fixture.hear([second], 1);
    expect(fixture.at(second).realSilenceMs(fixture.now)).toBe(0);
  });

  it('that is not in a new list is gone, and one that is new comes in', () => {
    const fixture = new Fixture([second, third]);
    const gone = fixture.members.replace([self, third, fourth], fixture.now);
    expect(gone.map(({ node }) => node)).toEqual([second]);
    expect([...fixture.members.all()].map(({ node }) => node)).toEqual([third, fourth]);
  });
});
