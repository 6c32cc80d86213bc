import { ManualClock, RecordingLogger } from '@rollcall/runtime/testing';
import { expect, it } from 'vitest';
import { ClusterAlarms } from './cluster-alarms.js';

it('counts each alarm, and logs the first of a kind and one per minute', () => {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const alarms = new ClusterAlarms(clock, logger);
  for (let second = 0; second <= 60; second++) {
    alarms.raise('digest-mismatch', `at ${second} s`);
    if (second === 30) alarms.raise('clock-ahead', 'another');
    clock.advance(1000);
  }
  expect(alarms.counts).toMatchObject({ 'digest-mismatch': 61, 'clock-ahead': 1, limit: 0 });
  expect(logger.lines.map(({ event, level, fields }) => ({ event, level, ...fields }))).toEqual([
    { event: 'cluster-alarm', level: 'error', kind: 'digest-mismatch', message: 'at 0 s' },
    { event: 'cluster-alarm', level: 'error', kind: 'clock-ahead', message: 'another' },
    { event: 'cluster-alarm', level: 'error', kind: 'digest-mismatch', message: 'at 60 s', leftOut: 59 },
  ]);
});
