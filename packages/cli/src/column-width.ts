// Text padded to a width on a terminal, where Chinese characters take two columns.

/** Pads with spaces behind the text; what is wider stays as it is. @param columns - of a terminal */
export function padColumns(text: string, columns: number): string {
  const wide = text.match(/[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/g)?.length ?? 0;
  return text.padEnd(columns - wide);
}
