// The kept order is that of sorting anew, whatever came and went.

import { serviceKey } from '@rollcall/protocol';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import type { RegistryEvent } from '../../core/registry-event.js';
import { CoreFixture, hostOf, serviceOf, TESTER } from '../../testing/core-fixture.js';
import { SortedServices } from './sorted-services.js';

let fixture: CoreFixture;
let sorted: SortedServices;
let heard: number;
let listener: (event: RegistryEvent) => void;

function begin(): void {
  fixture = new CoreFixture();
  heard = 0;
  const onEvent = (added: typeof listener) => {
    listener = added;
    return () => undefined;
  };
  sorted = new SortedServices({ core: fixture.core, onEvent });
}

beforeEach(begin);

/** Names of a namespace, after the events so far were heard. */
function names(namespace = 'public'): string[] {
  for (; heard < fixture.effects.length; heard++) {
    const effect = fixture.effects[heard];
    if (effect?.type === 'event') listener(effect.event);
  }
  return sorted.of(namespace).map(({ key }) => key.grouped);
}

function namesAnew(namespace = 'public'): string[] {
  const keys = [...fixture.core.services()].map(({ key }) => key).filter((key) => key.namespace === namespace);
  return keys.map(({ grouped }) => grouped).sort();
}

it('is by group and name, for each namespace alone', () => {
  for (const name of ['b', 'a', 'B']) fixture.register(serviceOf(name), hostOf(1));
  fixture.register(serviceKey('public', 'A', 'z'), hostOf(1));
  fixture.register(serviceKey('dev', 'g', 'x'), hostOf(1));
  expect(names()).toEqual(['A@@z', 'DEFAULT_GROUP@@B', 'DEFAULT_GROUP@@a', 'DEFAULT_GROUP@@b']);
  expect(names('dev')).toEqual(['g@@x']);
  expect(names('none')).toEqual([]);
});

it('a service that goes and comes back between two questions is there once', () => {
  const service = serviceOf('s');
  const value = { protectThreshold: 0, metadata: new Map(), selector: { type: 'none' }, clusters: new Map() } as const;
  const define = (defined: typeof value | undefined) =>
    fixture.step({ type: 'store', changes: [{ type: 'service', service, value: defined }], actor: TESTER });
  define(value);
  expect(names()).toEqual(['DEFAULT_GROUP@@s']);
  define(undefined);
  define(value);
  expect(names()).toEqual(['DEFAULT_GROUP@@s']);
  define(undefined);
  expect(names()).toEqual([]);
});

it('thousands of changes that nobody asked about are sorted anew', () => {
  fixture.register(serviceOf('first'), hostOf(1));
  names();
  for (let n = 0; n < 10_050; n++) fixture.register(serviceOf(`s${n}`), hostOf(1));
  expect(names()).toEqual(namesAnew());
});

it('equals sorting anew after any history', () => {
  const step = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    namespace: fc.constantFrom('public', 'dev'),
    action: fc.constantFrom('register', 'deregister', 'wait', 'ask'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      begin();
      for (const { name, namespace, action } of steps) {
        const service = serviceKey(namespace, 'g', name);
        if (action === 'register') fixture.register(service, hostOf(1));
        else if (action === 'deregister') fixture.deregister(service, hostOf(1));
        else if (action === 'wait') fixture.advance(45_000);
        else expect(names(namespace)).toEqual(namesAnew(namespace));
      }
      for (const namespace of ['public', 'dev']) expect(names(namespace)).toEqual(namesAnew(namespace));
    }),
  );
});
