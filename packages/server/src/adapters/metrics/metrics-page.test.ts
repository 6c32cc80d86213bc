// Making pages: one at a time, each with new values.

import { beforeEach, expect, it } from 'vitest';
import { CoreFixture, hostOf, serviceOf } from '../../testing/core-fixture.js';
import { GrpcCounters } from '../grpc/grpc-counters.js';
import { HttpCounters } from '../http/http-counters.js';
import { PushStatistics } from '../push-statistics.js';
import { JournalCounters } from '../store/journal.js';
import { UdpCounters } from '../udp/udp-counters.js';
import { EventCounts } from './event-counts.js';
import { MetricsPage } from './metrics-page.js';
import { ProcessWatch } from './process-watch.js';
import { StageTimes } from './stage-times.js';

const NO_EVENTS = { onEvent: () => () => undefined };

let fixture: CoreFixture;
let page: MetricsPage;
let pause: () => Promise<void>;

beforeEach(() => {
  fixture = new CoreFixture();
  pause = () => Promise.resolve();
  page = new MetricsPage(
    {
      version: '1.2.3',
      startedAt: 0,
      core: fixture.core,
      now: () => fixture.clock.now(),
      events: new EventCounts(NO_EVENTS),
      pushes: new PushStatistics(NO_EVENTS),
      http: { counters: new HttpCounters(), traffic: { readBytes: 0, writtenBytes: 0 } },
      routes: [],
      udp: new UdpCounters(),
      grpc: new GrpcCounters(),
      journal: { counters: new JournalCounters(), snapshots: { written: 0, failed: 0, bytes: 0 } },
      store: { counts: { commits: 0, changes: 0, failures: 0, conflicts: 0, tookMs: 0 } },
      sharedStore: () => undefined,
      process: new ProcessWatch(),
      probes: {
        counters: {
          probes: { TCP: 7, HTTP: 0, MYSQL: 0 },
          outcomes: {},
          flips: { healthy: 0, unhealthy: 0 },
          tookMs: 0,
        },
        load: { targets: 0, inFlight: 0 },
      },
      stages: new StageTimes(NO_EVENTS),
      cluster: undefined,
      ledger: () => ({ bytes: 0, facts: 0, dropped: 0 }),
    },
    () => pause(),
  );
});

it('who asks while a page is being made gets that page', async () => {
  const first = page.render();
  expect(page.render()).toBe(first);
  await first;
  expect(page.render()).not.toBe(first);
});

it('each page has the values of its time', async () => {
  expect((await page.render()).text).toContain('\nrollcall_services 0\n');
  fixture.register(serviceOf('s'), hostOf(1));
  const { text, contentType } = await page.render();
  expect(text).toContain('\nrollcall_services 1\n');
  expect(text).toContain('rollcall_info{version="1.2.3"} 1');
  expect(text).toContain('nacos_monitor{module="naming",name="tcpHealthCheck"} 7');
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
});

it('a page that failed is no reason not to make the next', async () => {
  pause = () => Promise.reject(new Error('broken on purpose'));
  for (let n = 0; n < 500; n++) fixture.register(serviceOf(`s${n}`), hostOf(1));
  await expect(page.render()).rejects.toThrow('broken on purpose');
  pause = () => Promise.resolve();
  expect((await page.render()).text).toContain('\nrollcall_services 500\n');
});
