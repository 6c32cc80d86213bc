import { describe, expect, it } from 'vitest';
import { RULES } from '../http/forms.test-support.js';
import { JsonMembers } from './json-members.js';
import { readServiceQueryRequest, readSubscribeServiceRequest } from './naming-requests.js';

const body = (members: object) =>
  JsonMembers.ofBody(new TextEncoder().encode(JSON.stringify({ serviceName: 's', groupName: 'g', ...members })));

describe('the clusters of a query', () => {
  const longest = `${'c,'.repeat(32_767)}cc`;
  const refusal = "Param 'clusters' has 65537 characters, allowed are 65536";

  it('are taken up to 65536 characters', () => {
    expect(readSubscribeServiceRequest(body({ clusters: longest }), RULES).clusters).toBe(longest);
    expect(readServiceQueryRequest(body({ cluster: longest }), RULES).clusters).toBe(longest);
  });

  it('are refused beyond that, before names are split from them', () => {
    expect(() => readSubscribeServiceRequest(body({ clusters: `${longest},` }), RULES)).toThrow(refusal);
    expect(() => readServiceQueryRequest(body({ cluster: `${longest},` }), RULES)).toThrow(refusal);
  });
});
