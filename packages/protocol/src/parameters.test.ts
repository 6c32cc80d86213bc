import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFormBody } from './form-body.js';
import { isLooselyTrue, Parameters } from './parameters.js';
import { refusalOf } from './refusal.test-support.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('get', () => {
  test.each([
    ['serviceName=s&ip=1.2.3.4', 'ip', '1.2.3.4'],
    ['a=1&a=2', 'a', '1'],
    ['&&a=1&&=x&y', 'a', '1'],
    ['&&a=1&&=x&y', 'y', ''],
    ['&&a=1&&=x&y', '', undefined],
    ['a==b', 'a', '=b'],
    ['a=b;c=d', 'a', 'b;c=d'],
    ['a=x+y', 'a', 'x y'],
    ['a=%zz', 'a', undefined],
    ['a=%zz&a=2', 'a', '2'],
    ['%zz=1&b=2', 'b', '2'],
    ['%61=1', 'a', '1'],
    ['a=%E6%9C%8D%ff', 'a', '服\ufffd'],
    ['a={"x":"y"}', 'a', '{"x":"y"}'],
    ['__proto__=1&constructor=2', '__proto__', '1'],
    ['__proto__=1&constructor=2', 'constructor', '2'],
    ['a=1', 'toString', undefined],
    ['', 'a', undefined],
    ['a', 'a', ''],
  ])('%j: %s is %j', (query, name, value) => {
    expect(new Parameters(query).get(name)).toBe(value);
  });

  test('the query wins over the form, and the form adds what the query lacks', () => {
    const parameters = new Parameters('a=query', bytes('a=form&b=%E6%9C%8D&c=服'));
    expect(parameters.get('a')).toBe('query');
    expect(parameters.get('b')).toBe('服');
    expect(parameters.get('c')).toBe('服');
    expect([...parameters.entries()]).toEqual([
      ['a', 'query'],
      ['a', 'form'],
      ['b', '服'],
      ['c', '服'],
    ]);
  });

  test('decodes exactly once, however often it is asked', () => {
    const parameters = new Parameters('a=%2541');
    expect(parameters.get('a')).toBe('%41');
    expect(parameters.get('a')).toBe('%41');
  });

  test('finds what a standard parser finds', () => {
    const pair = fc.tuple(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 8 }), fc.array(pair, { maxLength: 8 }), (inQuery, inForm) => {
        const query = new URLSearchParams(inQuery).toString();
        const form = new URLSearchParams(inForm).toString();
        const parameters = new Parameters(query, bytes(form));
        const model = new URLSearchParams(`${query}&${form}`);
        for (const [name] of [...inQuery, ...inForm]) expect(parameters.get(name)).toBe(model.get(name) ?? undefined);
      }),
    );
  });

  test('never fails on any text, but for the number of parameters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.uint8Array({ maxLength: 40 }), (query, form) => {
        const parameters = new Parameters(query, form);
        for (const [name] of parameters.entries()) expect(parameters.has(name)).toBe(true);
      }),
    );
  });

  test('refuses more parameters than allowed, each time it is asked', () => {
    const parameters = new Parameters('a=1&b=2', bytes('c=3'), { requestParameters: 2 });
    const refusal = 'limit-exceeded: Request has more than 2 parameters, allowed are 2';
    expect(refusalOf(() => parameters.get('a'))).toBe(refusal);
    expect(refusalOf(() => parameters.get('a'))).toBe(refusal);
    expect(new Parameters('a=1&b=2', undefined, { requestParameters: 2 }).get('b')).toBe('2');
  });
});

describe('readers of WebUtils', () => {
  const parameters = new Parameters(
    'empty=&blank=%20&padded=%20v%20&int=-42&text=abc&yes=Yes&one=1&true=TRUE&weight=1e2&nan=NaN',
  );

  test('required', () => {
    expect(parameters.required('padded')).toBe('v');
    expect(parameters.required('blank')).toBe('');
    expect(refusalOf(() => parameters.required('empty'))).toBe("missing-parameter: Param 'empty' is required.");
    expect(refusalOf(() => parameters.required('none'))).toBe("missing-parameter: Param 'none' is required.");
  });

  test('optional and present', () => {
    expect(parameters.optional('padded', 'd')).toBe('v');
    expect(parameters.optional('blank', 'd')).toBe('d');
    expect(parameters.optional('empty', 'd')).toBe('d');
    expect(parameters.present('blank')).toBeUndefined();
  });

  test('integers', () => {
    expect(parameters.int('int', 1)).toBe(-42);
    expect(parameters.int('blank', 1)).toBe(1);
    expect(refusalOf(() => parameters.int('text', 1))).toBe('invalid-parameter: For input string: "abc"');
    expect(parameters.lenientInt('text', 7)).toBe(0);
    expect(parameters.lenientInt('none', 7)).toBe(7);
    expect(parameters.requiredLenientInt('text')).toBe(0);
    expect(refusalOf(() => parameters.requiredLenientInt('none'))).toBe("missing-parameter: Param 'none' is required.");
    expect(refusalOf(() => parameters.requiredInt('none'))).toBe("missing-parameter: Param 'none' is required.");
  });

  test('booleans', () => {
    expect(parameters.looseBoolean('yes', false)).toBe(true);
    expect(parameters.looseBoolean('one', true)).toBe(false);
    expect(parameters.looseBoolean('none', true)).toBe(true);
    expect(parameters.strictBoolean('yes', true)).toBe(false);
    expect(parameters.strictBoolean('true', false)).toBe(true);
  });

  test('doubles and floats', () => {
    expect(parameters.double('weight', 1)).toBe(100);
    expect(parameters.double('nan', 1)).toBeNaN();
    expect(parameters.double('empty', 1)).toBe(1);
    expect(refusalOf(() => parameters.double('text', 1))).toBe('invalid-parameter: For input string: "abc"');
    expect(parameters.requiredLenientFloat('text')).toBe(0);
    expect(refusalOf(() => parameters.requiredLenientFloat('nan'))).toBe(
      'invalid-parameter: Param \'nan\' is illegal, found "NaN", allowed are finite numbers',
    );
  });
});

describe('readers of the framework', () => {
  const parameters = new Parameters('empty=&blank=%20&padded=%20v%20&int=4&text=abc&on=ON&zero=0&f=0.8&inf=Infinity');

  test('boundRequired and bound', () => {
    expect(parameters.boundRequired('empty')).toBe('');
    expect(parameters.boundRequired('padded')).toBe(' v ');
    expect(refusalOf(() => parameters.boundRequired('none'))).toBe("missing-parameter: Parameter 'none' is missing");
    expect(parameters.bound('empty', 'd')).toBe('d');
    expect(parameters.bound('blank', 'd')).toBe(' ');
  });

  test('boundRequiredInt', () => {
    expect(parameters.boundRequiredInt('int')).toBe(4);
    expect(refusalOf(() => parameters.boundRequiredInt('text'))).toBe('invalid-parameter: For input string: "abc"');
    expect(refusalOf(() => parameters.boundRequiredInt('empty'))).toBe(
      "missing-parameter: Parameter 'empty' is missing",
    );
  });

  test('boundBoolean', () => {
    expect(parameters.boundBoolean('on')).toBe(true);
    expect(parameters.boundBoolean('zero')).toBe(false);
    expect(parameters.boundBoolean('none')).toBe(false);
    expect(refusalOf(() => parameters.boundBoolean('text'))).toContain('found "abc", allowed are true and false');
  });

  test('boundFloat', () => {
    expect(parameters.boundFloat('f', 0)).toBe(Math.fround(0.8));
    expect(parameters.boundFloat('empty', 0.5)).toBe(0.5);
    expect(refusalOf(() => parameters.boundFloat('text', 0))).toBe('invalid-parameter: For input string: "abc"');
    expect(refusalOf(() => parameters.boundFloat('inf', 0))).toContain('allowed are finite numbers');
  });

  test('what is quoted back stays short', () => {
    const long = new Parameters(`a=${'x'.repeat(5000)}`);
    expect(refusalOf(() => long.int('a', 0)).length).toBeLessThan(300);
  });
});

test.each(['true', 'True', 'yes', 'on', 'Y', 't'])('%s is loosely true', (text) => {
  expect(isLooselyTrue(text)).toBe(true);
});

test.each(['false', '1', 'no', 'maybe', '', 'truely'])('%j is not loosely true', (text) => {
  expect(isLooselyTrue(text)).toBe(false);
});

test.each([
  [undefined, true],
  ['', true],
  ['application/x-www-form-urlencoded', true],
  ['application/x-www-form-urlencoded; charset=UTF-8', true],
  ['Application/X-WWW-Form-Urlencoded ;charset=gbk', true],
  ['application/json', false],
  ['text/plain', false],
  ['multipart/form-data; boundary=b', false],
])('a body of type %j is a form: %s', (contentType, form) => {
  expect(isFormBody(contentType)).toBe(form);
});
