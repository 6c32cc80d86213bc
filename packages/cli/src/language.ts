// Language of what the ledger's commands print: by --lang, else by the locale of the environment.

/** Languages there are. */
export type Language = 'en' | 'zh';

/** Chinese when the locale says so (POSIX: LC_ALL, then LC_MESSAGES, then LANG), English otherwise. */
export function localeLanguage(environment: NodeJS.ProcessEnv = process.env): Language {
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '';
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
