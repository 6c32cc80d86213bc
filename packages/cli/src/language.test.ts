import { expect, it } from 'vitest';
import { localeLanguage } from './language.js';

it.each([
  [{}, 'en'],
  [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
  [{ LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
  [{ LANG: 'de_DE', LC_MESSAGES: 'zh_TW' }, 'zh'],
])('is taken from %o', (environment, language) => {
  expect(localeLanguage(environment)).toBe(language);
});
