import { describe, expect, test } from 'vitest';
import { refusalOf } from './refusal.test-support.js';
import { groupedNameOf, shownServiceName, splitGroupedName } from './service-name.js';

describe('groupedNameOf', () => {
  test.each([
    ['s', undefined, 'DEFAULT_GROUP', 's'],
    ['s', '', 'DEFAULT_GROUP', 's'],
    ['s', ' ', 'DEFAULT_GROUP', 's'],
    ['s', 'g', 'g', 's'],
    ['s', ' g', ' g', 's'],
    ['g1@@s', 'g2', 'g1', 's'],
    ['a@s', undefined, 'DEFAULT_GROUP', 'a@s'],
  ])('%j in group %j is %j and %j', (serviceName, groupName, group, name) => {
    expect(groupedNameOf(serviceName, groupName)).toEqual({ group, name });
  });

  test.each(['', '@@s', 'g@@'])('%j is refused', (serviceName) => {
    expect(refusalOf(() => groupedNameOf(serviceName, 'g'))).toMatch(
      /^invalid-parameter: Param 'serviceName' is illegal/,
    );
  });
});

describe('splitGroupedName', () => {
  test.each([
    ['g@@s', 'g', 's'],
    ['g@@s@@x', 'g', 's@@x'],
    ['g@@a@b', 'g', 'a@b'],
  ])('%j', (grouped, group, name) => {
    expect(splitGroupedName(grouped)).toEqual({ group, name });
  });

  test.each(['', '@@', 'g@@', 's'])('%j has no name', (grouped) => {
    expect(refusalOf(() => splitGroupedName(grouped))).toBe(
      "invalid-parameter: Param 'serviceName' is illegal, it should be format as 'groupName@@serviceName'",
    );
  });

  test('@@s has no group', () => {
    expect(refusalOf(() => splitGroupedName('@@s'))).toBe(
      "invalid-parameter: Param 'serviceName' is illegal, groupName can't be empty",
    );
  });
});

test('a name with a further separator is shown up to it', () => {
  expect(shownServiceName('s@@x')).toBe('s');
  expect(shownServiceName('s')).toBe('s');
});
