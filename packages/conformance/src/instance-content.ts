// The content of the fidelity flows: an instance with every field set, and 104 metadata keys that hold what gets lost
// when something between client and list is encoded twice, once too little, or cut.

/** Weight, port and cluster that are not the defaults. */
export const RICH_INSTANCE = {
  ip: '10.66.0.1',
  port: 65_535,
  weight: 2,
  clusterName: 'east-1',
  ephemeral: true,
} as const;

const SPECIAL_ENTRIES: Readonly<Record<string, string>> = {
  plain: 'value',
  empty: '',
  'key with space': 'value with space',
  'reserved&=?#%+/': '&=?#%+/;,:@',
  quotes: `"double" 'single' \`back\``,
  backslash: 'C:\\path\\n',
  json: '{"a":[1,"b"]}',
  percent: '%41%zz%',
  中文键: '中文值，全角＠＃％＋＝＆',
  かな: 'カタカナ',
  한국어: '값',
  'emoji🚀': '👩‍👩‍👧‍👦 𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  'accents-é': 'ñ ü ß ø',
  tabs: 'a\tb\nc',
  'dubbo.metadata.revision': '0c2e1f7b',
  'preserved.register.source': 'SPRING_CLOUD',
  html: '<b>&amp;</b>',
  ltr: '\u200eمرحبا',
  long: 'x'.repeat(1500),
  number: '0123456789012345678901234567890',
};

/** 104 keys. */
export const RICH_METADATA: Readonly<Record<string, string>> = {
  ...SPECIAL_ENTRIES,
  ...Object.fromEntries(
    Array.from({ length: 104 - Object.keys(SPECIAL_ENTRIES).length }, (_, index) => [
      `k${index}`,
      `v${index}=＝${index}`,
    ]),
  ),
};

/** What differs between two metadata maps, in words; undefined when they are equal. */
export function metadataDifference(
  expected: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): string | undefined {
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const wrong = [...keys].filter((key) => expected[key] !== found[key]);
  if (wrong.length === 0) return undefined;
  const [key = ''] = wrong;
  return `${wrong.length} keys differ, first "${key}": expected ${JSON.stringify(expected[key])}, found ${JSON.stringify(found[key])}`;
}
