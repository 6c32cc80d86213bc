// The subjects of a crash test, dealt out to writers that work side by side.
import { CrashSubject } from './crash-subject.js';
import { namespaceSubject, serviceSubject } from './definition-subject.js';
import { editedSubject, membershipSubject } from './instance-subject.js';

const EPHEMERAL_SERVICES = 6;
const PERSISTENT_SERVICES = 3;
const EDITED_SERVICES = 2;
const INSTANCES_PER_SERVICE = 8;
const DEFINITIONS = 8;

/** All subjects of a run. */
export function createCrashSubjects(): readonly CrashSubject[] {
  const ips = Array.from({ length: INSTANCES_PER_SERVICE }, (_, index) => `10.99.0.${index + 1}`);
  const services = (prefix: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const kinds = [
    ...services('crash-ephemeral', EPHEMERAL_SERVICES).flatMap((serviceName) =>
      ips.map((ip) => membershipSubject({ serviceName, ip, lifetime: 'ephemeral' })),
    ),
    ...services('crash-persistent', PERSISTENT_SERVICES).flatMap((serviceName) =>
      ips.map((ip) => membershipSubject({ serviceName, ip, lifetime: 'persistent' })),
    ),
    ...services('crash-edited', EDITED_SERVICES).flatMap((serviceName) =>
      ips.map((ip, index) =>
        editedSubject({ serviceName, ip, lifetime: index % 2 === 0 ? 'ephemeral' : 'persistent' }),
      ),
    ),
    ...services('crash-definition', DEFINITIONS).map(serviceSubject),
    ...services('crash-namespace', DEFINITIONS).map(namespaceSubject),
  ];
  return kinds.map((kind) => new CrashSubject(kind));
}

/** Deals subjects out like cards, so that every writer has some of each kind. */
export function dealSubjects(subjects: readonly CrashSubject[], writers: number): readonly (readonly CrashSubject[])[] {
  return Array.from({ length: writers }, (_, writer) => subjects.filter((_, index) => index % writers === writer));
}
