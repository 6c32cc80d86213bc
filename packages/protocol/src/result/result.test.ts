import { expect, test } from 'vitest';
import { RegistryError } from '../registry-error.js';
import { badResultJson, errorResultJson, goodResultJson } from './result.js';

test('good and bad answers have the three members in their order', () => {
  expect(goodResultJson('"ok"')).toBe('{"code":0,"message":"success","data":"ok"}');
  expect(badResultJson(21003, 'instance not found', null)).toBe(
    '{"code":21003,"message":"instance not found","data":null}',
  );
});

test('an error shows the number and text of its code, and its message as data', () => {
  expect(errorResultJson(new RegistryError('not-found', 'no "ip" found'))).toBe(
    String.raw`{"code":20004,"message":"resource not found","data":"no \"ip\" found"}`,
  );
});

test('a clash of kinds carries the print of its exception', () => {
  expect(JSON.parse(errorResultJson(new RegistryError('kind-conflict', 'Current service x.')))).toEqual({
    code: 30000,
    message: 'server error',
    data: 'errCode: 400, errMsg: Current service x. ',
  });
});
