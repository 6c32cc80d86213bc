import { describe, expect, it } from 'vitest';
import { CrashSubject, type SubjectState, type SubjectWrite } from './crash-subject.js';

const write = (leaves: SubjectState): SubjectWrite => ({
  call: { method: 'POST', path: '/' },
  leaves,
  acknowledges: () => true,
});

function subjectAfter(acknowledged: SubjectState): CrashSubject {
  const kind = { label: 'thing', nextWrite: () => write('x'), read: async () => undefined };
  const subject = new CrashSubject(kind);
  subject.begin(write(acknowledged));
  subject.acknowledge();
  return subject;
}

describe('CrashSubject', () => {
  it('allows nothing but the acknowledged state while no write is in flight', () => {
    expect(subjectAfter('a').settle('a')).toBeUndefined();
    expect(subjectAfter('a').settle(undefined)).toBe('thing: found nothing, allowed is "a"');
    expect(subjectAfter(undefined).settle('a')).toBe('thing: found "a", allowed is nothing');
  });

  it.each<{ found: SubjectState; isRight: boolean }>([
    { found: 'a', isRight: true },
    { found: 'b', isRight: true },
    { found: 'c', isRight: false },
    { found: undefined, isRight: false },
  ])('with a write in flight, $found is right: $isRight', ({ found, isRight }) => {
    const subject = subjectAfter('a');
    subject.begin(write('b'));
    expect(subject.settle(found) === undefined).toBe(isRight);
  });

  it('takes what was found as the truth from then on', () => {
    const subject = subjectAfter('a');
    subject.begin(write('b'));
    subject.settle('b');
    expect(subject.acknowledged).toBe('b');
    expect(subject.settle('a')).toBe('thing: found "a", allowed is "b"');
  });
});
